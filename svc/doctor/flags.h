/*
 * Flags of an Impala daemon, as it tells them itself: at the head of its log after each start, or at /varz?json; and which of them stand in the way of
 * the sources that are configured.
 */
#ifndef COLLINE_DOCTOR_FLAGS_H
#define COLLINE_DOCTOR_FLAGS_H

#include "config/config.h"
#include "doctor/findings.h"

struct flag {
    str_t name, value;
};

/* Borrows from the text and the arena. */
struct flags {
    VEC(struct flag) items;
};

/* `--name=value` lines behind the line that ends in `Flags (see also /varz are on debug webserver):`. False when there are none. */
bool flags_from_log(str_t text, struct arena *arena, struct flags *flags);

/* {"flags":[{"name","current",…}…]}. False when the text is no such page. */
bool flags_from_page(str_t json, struct arena *arena, struct flags *flags);

/* False when the daemon did not tell the flag: it has no such, or cut its list. */
bool flags_value(const struct flags *flags, str_t name, str_t *value);

/* `kinds`: bit 1 << enum config_kind of the sources that read what this daemon writes. A flag that was not told is not judged. */
void flags_judge(const struct flags *flags, unsigned kinds, str_t about, const char *told_by, struct findings *findings);

#endif
