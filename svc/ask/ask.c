/* What all questions share: the call, days, namespaces. */
#include "ask/ask.h"

#include <stdio.h>

struct ask ask_of(struct store *store, struct arena *arena, int64_t now)
{
    return (struct ask){.store = store, .db = store_db(store), .arena = arena, .now = now};
}

void ask_settle_now(struct ask *ask)
{
    ask->newest_day = db_query(ask->db, "select max(day) from dataset_day");
    db_start(ask->newest_day);
}

int64_t ask_now(struct ask *ask)
{
    if (ask->newest_day == NULL)
        return ask->now;
    int64_t newest = db_step(ask->newest_day) ? db_int(ask->newest_day, 0) : 0;
    db_done(ask->newest_day);
    ask->newest_day = NULL;
    if (newest > 0 && day_of(ask->now) > newest)
        ask->now = (newest + 1) * DAY_MS - 1;
    return ask->now;
}

bool ask_failed(const struct ask *ask)
{
    return db_failed(ask->db) || ask->arena->failed;
}

int64_t ask_first_day(struct ask *ask)
{
    return day_of(ask_now(ask)) - ASK_DAYS + 1;
}

/* ---- days ----------------------------------------------------------------------------------- */

static int64_t days_from_civil(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static bool digits(str_t text, size_t from, size_t count, int64_t *value)
{
    *value = 0;
    for (size_t i = from; i < from + count; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
        *value = *value * 10 + (text.ptr[i] - '0');
    }
    return true;
}

bool ask_day_by_name(str_t text, int64_t *day)
{
    char back[11];
    int64_t year, month, of_month;
    if (text.len != 10 || text.ptr[4] != '-' || text.ptr[7] != '-' || !digits(text, 0, 4, &year) ||
        !digits(text, 5, 2, &month) || !digits(text, 8, 2, &of_month) || month < 1 || month > 12 ||
        of_month < 1 || of_month > 31)
        return false;
    *day = days_from_civil(year, month, of_month);
    ask_day_name(*day, back);
    return memcmp(back, text.ptr, 10) == 0;
}

void ask_day_name(int64_t day, char *text)
{
    int64_t shifted = day + 719468;
    int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    int64_t of_era = shifted - era * 146097;
    int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t shifted_month = (5 * of_year + 2) / 153;
    int64_t month = shifted_month + (shifted_month < 10 ? 3 : -9);
    int64_t year = year_of_era + era * 400 + (month <= 2);
    int64_t of_month = of_year - (153 * shifted_month + 2) / 5 + 1;
    char all[64];
    (void)snprintf(all, sizeof all, "%04d-%02d-%02d", (int)year, (int)month, (int)of_month);
    memcpy(text, all, 10);
    text[10] = '\0';
}

/* ---- namespaces ----------------------------------------------------------------------------- */

int64_t ask_namespace(struct ask *ask, str_t name)
{
    struct db_query *q = db_query(ask->db, "select id from namespace where name = $1");
    db_bind_text(q, 1, name);
    int64_t id = db_step(q) ? db_int(q, 0) : 0;
    db_done(q);
    return id;
}

str_t *ask_namespaces(struct ask *ask, uint32_t *count)
{
    VEC(str_t) names = {0};
    struct db_query *q = db_query(ask->db, "select name from namespace order by name");
    while (db_step(q)) {
        str_t *name = VEC_PUSH(ask->arena, &names);
        if (name != NULL)
            *name = arena_copy(ask->arena, db_text(q, 0));
    }
    *count = names.count;
    return names.items;
}
