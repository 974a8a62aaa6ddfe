/* What tests of the grammars share: one statement that must parse, or must not. */
#ifndef COLLINE_TESTS_PARSING_H
#define COLLINE_TESTS_PARSING_H

#include "sql/parse.h"

/* The texts must each be one statement of this kind, by the name that documents use. */
void check_accepted(enum dialect dialect, const char *kind, const char *const *texts, size_t count);

/* `sql` with one ^ in it, which is taken out: the error must be there. */
struct refused {
    const char *sql, *message;
};

void check_refused(enum dialect dialect, enum diag_code code, const struct refused *cases,
                   size_t count);

#endif
