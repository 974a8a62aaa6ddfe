/* The larger of what the records say and what is stuck. */
#include "run/lag.h"

static double age_of(struct lag_watch *watch, const struct lag_sample *sample, int64_t now_ms)
{
    double most = 0;
    for (size_t i = 0; i < sample->age_count && i < LAG_SERIES_MAX; i++) {
        bool changed = sample->ages[i] < watch->ages[i] || sample->ages[i] > watch->ages[i];
        if (changed)
            watch->changed[i] = now_ms;
        watch->ages[i] = sample->ages[i];
        bool fresh = changed || (watch->changed[i] != 0 && now_ms - watch->changed[i] < LAG_STALE_MS);
        if (fresh && sample->ages[i] > most)
            most = sample->ages[i];
    }
    return most;
}

static double stuck_for(struct lag_watch *watch, const struct lag_sample *sample, int64_t now_ms)
{
    bool moved = sample->records > watch->records;
    watch->records = sample->records;
    if (!sample->away && (moved || !sample->waiting))
        watch->stuck_since = 0; /* what is on its way while records come is no backlog by itself */
    else if (watch->stuck_since == 0)
        watch->stuck_since = now_ms == 0 ? 1 : now_ms;
    return watch->stuck_since == 0 ? 0 : (double)(now_ms - watch->stuck_since) / 1000;
}

double lag_figure(struct lag_watch *watch, const struct lag_sample *sample, int64_t now_ms)
{
    double age = age_of(watch, sample, now_ms), stuck = stuck_for(watch, sample, now_ms);
    return stuck > age ? stuck : age;
}
