/*
 * What one statement reads and writes, as the store keeps it: taken from the statement of a lineage document, from the lists of an event where
 * there is no document, or from both. Statements that differ in literals only have the same facts, and the same key.
 */
#ifndef COLLINE_STORE_FACTS_H
#define COLLINE_STORE_FACTS_H

#include "record/event.h"
#include "store/store.h"

struct fact_dataset {
    str_t name;
    bool path;  /* a directory */
};

struct fact_role {
    uint32_t dataset; /* index */
    enum store_role role;
    str_t mode;
    bool resets;
    enum dataset_kind kind; /* what the statement tells of it */
};

struct fact_column {
    uint32_t dataset;
    str_t name; /* '' rows, '*' open star */
};

struct fact_table_edge {
    uint32_t dst, src; /* datasets */
    enum table_edge_kind kind;
    str_t mode;
};

enum { FACT_NONE = UINT32_MAX };

struct fact_column_edge {
    uint32_t dst, src; /* columns; FACT_NONE: as dst the answer of a query, as src constants */
    enum column_edge_kind kind;
};

struct fact_star {
    uint32_t dst, src; /* datasets */
    uint32_t ordinal;
};

struct facts {
    str_t engine, fingerprint, operation;
    str_t uncertain; /* codes, separated by commas */
    bool failed;
    VEC(struct fact_dataset) datasets;
    VEC(struct fact_role) roles;
    VEC(struct fact_column) columns;
    VEC(struct fact_table_edge) table_edges;
    VEC(struct fact_column_edge) column_edges;
    VEC(struct fact_star) stars;
    char key[33]; /* 32 hexadecimal digits and a NUL */
};

/* Whether an event's query succeeded, or at least nothing else was told: then it makes lineage. */
bool event_succeeded(const struct event *event);

/*
 * Texts are slices of the event, of its JSON, or in the arena. False when the document cannot be read or memory is out. A statement that
 * touches nothing has no roles.
 */
bool facts_of_event(const struct event *event, struct arena *arena, struct facts *facts);

/* The same of a statement of a document, whose script was read as `engine`; `sql` may be empty. */
struct document_text {
    str_t name_space, engine, statement, sql;
};

bool facts_of_document(const struct document_text *text, struct arena *arena, struct facts *facts);

/* `default` for an event that names none. */
str_t name_space_of(str_t name_space);

#endif
