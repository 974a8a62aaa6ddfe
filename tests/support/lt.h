/*
 * Lineage tests as text (.lt). A file holds cases; what stands before the first one holds for all of them.
 *
 *     === title  [hive impala]           the dialects that must all give this answer; hive when left out
 *     schema s.t(a int, b string)        CREATE TABLE s.t(..): what is known beforehand
 *     setup create view s.v as ..        any other DDL, by the case's dialect
 *     database s                         the session's
 *     define day=2024-01-01              a variable
 *     reading engine                     value when left out
 *     show expressions                   with each line the expression that it comes from
 *     show steps
 *     ---
 *     SELECT ..                          a script of any number of statements
 *     ---
 *     inputs: s.t                        the lineage, as render.h writes it
 *     a <- s.t.a : identity
 */
#ifndef COLLINE_TESTS_LT_H
#define COLLINE_TESTS_LT_H

#include "support/text.h"

struct lt_case {
    char *title;
    size_t line;        /* of the title, from 1 */
    bool hive, impala;
    struct text common; /* option lines before the first case of the file */
    struct text options;
    struct text sql;
    struct text expected;
    size_t start, end;  /* bytes of the expectation in the file */
};

struct lt_file {
    char *path;
    struct text text;
    struct lt_case *cases;
    size_t count;
};

struct lt_file lt_read(const char *path);
void lt_free(struct lt_file *file);

/* Calls `use` for every option line, those of the file first: its first word, and the rest. */
void lt_each_option(const struct lt_case *lt, void (*use)(void *context, const char *word, const char *rest), void *context);

/* The value of an option that takes one; "" when it is not there. The text lives as long as the case. */
bool lt_has_option(const struct lt_case *lt, const char *word, const char *rest);

#endif
