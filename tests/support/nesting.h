/* Nested texts for the tests of limits: opening n times, the core, closing n times. */
#ifndef COLLINE_TESTS_NESTING_H
#define COLLINE_TESTS_NESTING_H

#include "sql/parse.h"

struct nesting {
    const char *before, *open, *core, *close, *after;
};

/* The code of the error when the text nested n times is parsed as one statement; -1: it parses. */
int nested_error(const struct nesting *nesting, size_t n, enum dialect dialect);

#endif
