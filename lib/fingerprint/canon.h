/*
 * The canonical form of a statement: its tokens without hints, literals as one mark each, and lists of IN and VALUES with one item
 * where several alike stand. Two texts have the same canonical form when they differ in case, white space, comments,
 * hints, literals and the lengths of such lists only.
 *
 * A walk hands out one item at a time, in the order of the text. With each literal it says whether the literal is *structure*: whether
 * lineage can depend on its value (an ordinal, a quoted alias, a path ..). When in doubt it says yes.
 */
#ifndef COLLINE_FINGERPRINT_CANON_H
#define COLLINE_FINGERPRINT_CANON_H

#include "sql/lex.h"

enum canon_kind {
    CANON_END,
    CANON_WORD,    /* a word, or a quoted name; `quoted` when it is a keyword but for its quotes */
    CANON_LITERAL, /* a literal with its sign; adjacent strings are one */
    CANON_VARIABLE,
    CANON_SIGN     /* any other token, by its kind */
};

struct canon_item {
    uint8_t kind;   /* enum canon_kind */
    uint8_t sign;   /* enum token_kind of a CANON_SIGN */
    bool quoted;
    bool structure;
    uint8_t quote;  /* length of the quotes around a word */
    span_t span;    /* in the text; of a word without its quotes */
};

struct canon_frame {
    uint32_t element; /* token where the present item of a collapsing list begins; NO_ELEMENT in other parentheses */
    uint8_t own, inherited; /* what makes literals structure here, enum in canon.c */
    bool values;
};

struct canon {
    str_t text;
    const struct token *tokens;
    uint32_t next;
    enum dialect dialect;
    bool keep_structure, keep_all; /* which lists do not collapse: those in which literals are structure, all */
    bool labels; /* outputs are named by their text: a literal in a select list is structure */
    struct arena *arena;
    VEC(struct canon_frame) frames;
};

/* Begins a walk over the tokens of one statement. Lists collapse unless keep_structure or keep_all is set afterwards. */
void canon_init(struct canon *canon, str_t text, const struct tokens *tokens, enum dialect dialect, struct arena *arena);

/* The next item; false at the end or when out of memory. */
bool canon_next(struct canon *canon, struct canon_item *item);

#endif
