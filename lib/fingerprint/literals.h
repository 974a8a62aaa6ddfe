/*
 * The literals of a statement, and of which lineage takes no notice: two texts that differ in these only have one lineage, but for the
 * pieces of text in it. For who keeps lineages by text and fills the pieces in.
 */
#ifndef COLLINE_FINGERPRINT_LITERALS_H
#define COLLINE_FINGERPRINT_LITERALS_H

#include "sql/lex.h"

struct literal {
    span_t span;    /* with its sign, or its quotes */
    bool structure; /* its value can matter; when in doubt it does */
};

struct literals {
    VEC(struct literal) list; /* in the order of the text */
};

/* Of one statement's tokens. Nothing is left out, also of lists that count as one item. False when out of memory. */
bool literals_find(struct literals *literals, str_t text, const struct tokens *tokens, enum dialect dialect, struct arena *arena);

#endif
