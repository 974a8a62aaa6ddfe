/*
 * The lineage of statements that ran, from the library, with a cache: the same text in the same database is not analysed again while the
 * tables that it names stay as they are; nor is one that differs from two that were seen in the values of its literals only, where these steer
 * nothing. What it gives is the same, to the byte, as the analysis would give.
 */
#ifndef COLLINE_NORMALIZE_LINEAGE_H
#define COLLINE_NORMALIZE_LINEAGE_H

#include "normalize/spaces.h"

struct lineage;

struct lineage_output {
    str_t table, path; /* one of them */
    str_t mode;        /* append, overwrite … */
    str_t spec;        /* `ds=2024-03-15/hr=*`; empty without partitions */
};

/* What became of one text. Lives until the next lineage_turn. */
struct lineage_result {
    str_t document;     /* the statement of a lineage document; empty when the text has an error */
    char fingerprint[32];
    str_t type;         /* INSERT, CREATE TABLE … */
    str_t operation;    /* insert_overwrite … */
    str_t *inputs;      /* base tables, sorted; directories are left out */
    uint32_t input_count;
    str_t *paths;       /* directories read */
    uint32_t path_count;
    str_t *views;       /* read through */
    uint32_t view_count;
    struct lineage_output *outputs;
    uint32_t output_count;
    str_t dropped;      /* table */
    str_t error;        /* `code: message`; empty when it could be analysed */
    uint32_t statements;
    bool uncertain;     /* a fuller catalog could tell more */
    bool found;         /* there is a statement in the text at all */
};

struct lineage_text {
    str_t sql, database; /* an empty database: default */
    bool hive;
    str_t prelude;               /* statements that the session ran before: temporary tables; each ends in `;\n` */
    uint32_t prelude_statements;
};

struct lineage_counts {
    uint64_t analysed, hits, errors;
    uint64_t filled; /* of the hits: with the values of other literals */
};

/* Keeps about as many results as told. NULL when memory is out. */
struct lineage *lineage_new(size_t entries);
void lineage_free(struct lineage *lineage);

/* Makes room where it is needed; between events. */
void lineage_turn(struct lineage *lineage);

/* NULL when memory is out. */
const struct lineage_result *lineage_of(struct lineage *lineage, struct space *space, const struct lineage_text *text);

struct lineage_counts lineage_counts(const struct lineage *lineage);

#endif
