/*
 * Scripts taken apart, for tests that change them: statements with their tokens.
 */
#ifndef COLLINE_TESTS_SCRIPT_H
#define COLLINE_TESTS_SCRIPT_H

#include "flow/analyze.h"
#include "sql/lex.h"
#include "support/lt.h"

struct piece {
    span_t span;          /* of the statement, without its terminator */
    uint16_t kind;        /* enum stmt_kind */
    bool broken;
    struct token *tokens; /* of the statement, without the end */
    size_t token_count;
};

struct script {
    str_t text;
    enum dialect dialect;
    struct piece *pieces;
    size_t count;
};

struct script script_of(str_t text, enum dialect dialect);
void script_free(struct script *script);

/* Whether the statement may be changed without changing what later ones mean: it is no USE, SET, DDL or client command. */
bool piece_is_query(const struct piece *piece);

/* The case's schema and setup lines as statements, then its script. */
struct text lt_whole_script(const struct lt_case *lt);

struct analysis_options lt_analysis_options(const struct lt_case *lt, enum dialect dialect);

/* Calls `use` for every case of every .lt file below the paths, once for each of its dialects. */
void lt_each_case(char *const *paths, void (*use)(void *context, const struct lt_case *lt, enum dialect dialect), void *context);

/* Deterministic random numbers. */
struct random {
    uint64_t state;
};

uint32_t random_below(struct random *random, size_t limit);

#endif
