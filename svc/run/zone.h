/*
 * Local time of a place ↔ UTC: the logs of a cluster carry local time without a zone. A zone is read once from the system's time zone
 * files (TZif, RFC 8536) and then is a function without state; the process's own zone plays no part.
 *
 * Edges of daylight saving time. A local time that came twice is the first one, unless `after` (UTC of the line before) is already more than
 * ten minutes behind it: then it is the second. A local time that never was is read with the offset of before the change.
 */
#ifndef COLLINE_RUN_ZONE_H
#define COLLINE_RUN_ZONE_H

#include "base/str.h"

struct zone;

/*
 * `Asia/Shanghai`, `UTC`, or a fixed offset `+08:00`; NULL with a reason (static text) when there is no such zone. `folder` is where the files lie,
 * NULL: the system's.
 */
struct zone *zone_open(str_t name, const char *folder, const char **reason);
void zone_free(struct zone *zone);

/* Seconds east of UTC at that moment. A NULL zone is UTC. */
int32_t zone_offset(const struct zone *zone, int64_t utc_seconds);

/* Seconds since 1970 as a clock on the wall shows them → UTC. `after`: see above; INT64_MIN when not known. */
int64_t zone_utc(const struct zone *zone, int64_t local_seconds, int64_t after);

/* Days since 1970-01-01 of a date of the Gregorian calendar, and back to its year. */
int64_t zone_days(int64_t year, unsigned month, unsigned day);
void zone_date(int64_t days, int64_t *year, unsigned *month, unsigned *day);

#endif
