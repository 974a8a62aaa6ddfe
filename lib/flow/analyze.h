/*
 * The arrows joined: one script with its session (current database, variables, what it created) → one document statement
 * at a time. This is what lib/colline.c offers to the outside.
 */
#ifndef COLLINE_FLOW_ANALYZE_H
#define COLLINE_FLOW_ANALYZE_H

#include "catalog/catalog.h"
#include "lineage/document.h"

struct substitution;

struct session_setting {
    struct name key;
    str_t value;
};

struct analysis_options {
    enum dialect dialect;
    enum reading reading;
    str_t database;             /* empty: `default` */
    bool expand_complex_types;  /* Impala: stars give collections and structs too */
    bool parse_only;            /* trees and errors, no lineage */
};

/* One script's analysis. The arena is emptied before each statement's work; what a script made lives in the session catalog. */
struct analysis {
    struct analysis_options options;
    struct script_reader reader;
    struct catalog *catalog; /* session layer over the shared base */
    struct arena session;    /* lives as long as the script: database, settings, prepared statements */
    struct arena arena;      /* one statement */
    str_t database;
    VEC(struct session_setting) settings; /* hivevar and hiveconf values, and --define */
    VEC(struct session_setting) prepared; /* PREPARE name → text */
    uint32_t index;
    const struct substitution *outer; /* the script stands in pieces in a larger text, which places are of; NULL: it does not */
    struct doc_statement statement; /* the last one handed out */
};

void analysis_init(struct analysis *an, const struct catalog *base, size_t memory_limit, const struct arena_source *source);
void analysis_release(struct analysis *an);

/* Begins a script: a fresh session. `text` must stay until the last statement was read. False when out of memory. */
bool analysis_begin(struct analysis *an, str_t text, const struct analysis_options *options);
bool analysis_define(struct analysis *an, str_t key, str_t value);

/* The next statement's lineage, valid until the next call; NULL at the end. Out of memory is an error inside the statement. */
const struct doc_statement *analysis_next(struct analysis *an);

#endif
