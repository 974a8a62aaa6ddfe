/*
 * The lineage of one statement, as data: what lib/doc writes in every format and the public header gives access to.
 * Everything lives in the analysis' arena, or points into the script or the catalog. Lists are sorted and without repetition.
 */
#ifndef COLLINE_LINEAGE_DOCUMENT_H
#define COLLINE_LINEAGE_DOCUMENT_H

#include "base/arena.h"
#include "sql/ast.h"
#include "sql/diag.h"
#include "sql/parse.h"

enum reading {
    READING_VALUE,
    READING_ENGINE
};

enum transform {
    TRANSFORM_IDENTITY,
    TRANSFORM_TRANSFORMATION,
    TRANSFORM_AGGREGATION,
    TRANSFORM_CONSTANT,
    TRANSFORM_SCRIPT
};

enum operation {
    OPERATION_NONE, OPERATION_SELECT, OPERATION_INSERT, OPERATION_INSERT_OVERWRITE, OPERATION_MULTI_INSERT, OPERATION_UPSERT,
    OPERATION_CREATE_TABLE_AS_SELECT, OPERATION_CREATE_VIEW, OPERATION_CREATE_MATERIALIZED_VIEW, OPERATION_ALTER_VIEW,
    OPERATION_REBUILD_MATERIALIZED_VIEW, OPERATION_UPDATE, OPERATION_DELETE, OPERATION_MERGE, OPERATION_LOAD, OPERATION_EXPORT,
    OPERATION_IMPORT, OPERATION_RENAME, OPERATION_EXCHANGE_PARTITION, OPERATION_CREATE_TABLE, OPERATION_TRUNCATE, OPERATION_DROP,
    OPERATION_COUNT
};

enum write_mode {
    WRITE_APPEND, WRITE_OVERWRITE, WRITE_OVERWRITE_PARTITION, WRITE_OVERWRITE_DYNAMIC, WRITE_CREATE, WRITE_UPDATE, WRITE_DELETE,
    WRITE_MERGE, WRITE_UPSERT, WRITE_REPLACE, WRITE_TRUNCATE, WRITE_RENAME, WRITE_MODE_COUNT
};

enum clause_kind {
    CLAUSE_JOIN, CLAUSE_FILTER, CLAUSE_GROUP_BY, CLAUSE_SORT, CLAUSE_WINDOW, CLAUSE_CONDITIONAL, CLAUSE_DISTINCT, CLAUSE_KIND_COUNT
};

/* A table or a directory. */
struct doc_dataset {
    str_t table; /* db.table; empty for a directory */
    str_t path;  /* as written */
};

/* db.table.column with the path inside it, or a table whose rows count. */
struct doc_source {
    str_t table;
    str_t column; /* empty: the table's rows; `*`: an open star */
    str_t path;   /* `.city`, `[].item`, empty; in Impala's engine reading written as part of the column */
};

struct doc_column {
    str_t table;  /* of the target; empty for a SELECT's output or a directory */
    str_t column;
    uint32_t ordinal; /* from 0: place in the output */
    enum transform transform;
    struct doc_source *sources;
    uint32_t source_count;
    str_t expression; /* as written, empty for a plain table column of a star */
    span_t span;      /* of the expression in the script; 0,0 when it stands in a view or comes of a star */
    str_t *steps;     /* the expression at each level, outermost first, while there is one */
    uint32_t step_count;
};

struct doc_target {
    str_t table, column;
};

struct doc_predicate {
    enum clause_kind clause;
    str_t expression;
    span_t span;
    struct doc_source *sources;
    uint32_t source_count;
    struct doc_target *targets; /* none: all outputs */
    uint32_t target_count;
};

struct doc_partition {
    str_t key;
    str_t value;    /* unquoted */
    bool has_value; /* false: dynamic */
};

struct doc_output {
    struct doc_dataset dataset;
    enum write_mode mode;
    struct doc_partition *partitions;
    uint32_t partition_count;
};

/* What the statement was read from: its fingerprint is made when somebody asks. */
struct doc_text {
    str_t text;  /* with variables put in */
    span_t span; /* of the statement in it */
    const struct parse_options *options;
    struct arena *arena;
    struct tokens tokens; /* empty: not at hand */
};

struct doc_statement {
    uint32_t index; /* counts every statement and client command of the script, from 0 */
    const char *type;  /* NUL-terminated literal; see ast.def */
    span_t span;
    str_t database; /* the session's at that point */
    struct doc_text text; /* as it was read */
    enum operation operation;
    struct doc_dataset *inputs;
    uint32_t input_count;
    struct doc_output *outputs;
    uint32_t output_count;
    struct doc_column *columns;
    uint32_t column_count;
    struct doc_predicate *predicates;
    uint32_t predicate_count;
    str_t dropped; /* the table or view that is no more; empty: none */
    str_t *views;
    uint32_t view_count;
    struct diag_list diags;
    struct parse_error error; /* message.len == 0: none */
    const struct stmt *stmt;  /* the tree, while its arena lives; for --format ast */
};

/* The tokens that the statement was read from, which is lexed anew where they are not at hand. */
struct tokens doc_tokens(const struct doc_statement *st);

/* High and low half of the statement's fingerprint. */
void doc_fingerprint(const struct doc_statement *st, uint64_t out[2]);

str_t transform_text(enum transform transform);
str_t operation_text(enum operation operation);
str_t write_mode_text(enum write_mode mode);
str_t clause_kind_text(enum clause_kind clause);

#endif
