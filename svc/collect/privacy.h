/*
 * What of a statement leaves the machine (`sql_text`): everything, everything but values, or nothing of the text. Applied in capture, before
 * anything is written or sent, to the text, expressions, partition values in paths, and errors alike.
 *
 * Redacted: strings become '?', numbers 0, comments a blank; what remains parses as before. Partition values in paths become `*`.
 */
#ifndef COLLINE_COLLECT_PRIVACY_H
#define COLLINE_COLLECT_PRIVACY_H

#include "config/config.h"
#include "record/raw.h"

/* Changes the record's texts; new ones are in the arena. False when memory is out: the record must not be used. */
bool privacy_apply(enum config_sql_text level, struct raw_record *record, struct arena *arena);

#endif
