/*
 * ${variables} put into a statement's text before it is read (hive-sql.md 1.8), with the way back: spans of the new text are led
 * to the places of the old one, so that what is reported points into the script as it was given.
 */
#ifndef COLLINE_FLOW_SUBSTITUTE_H
#define COLLINE_FLOW_SUBSTITUTE_H

#include "flow/analyze.h"

/* [start, ..) of the new text comes of `old`; inside a replaced piece every byte comes of the variable's place. */
struct text_piece {
    uint32_t start, old_start, old_end;
    bool replaced;
};

struct substitution {
    str_t text;
    VEC(struct text_piece) pieces;
};

/* Whether the text has a ${variable} at all. */
bool has_variable(str_t text);

/*
 * Puts in the variables that `settings` know: ${x} and ${hivevar:x} by their name, ${hiveconf:x} and the like by the whole name.
 * False when there was none to put in. Unknown ones stay.
 */
bool substitute(struct arena *arena, str_t text, const struct session_setting *settings, uint32_t count, struct substitution *out);

/* Whether the byte of the new text stands in the place of something else. */
bool substitution_replaced(const struct substitution *s, uint32_t at);

/* The place in the old text. */
span_t substitution_span(const struct substitution *s, span_t span);

#endif
