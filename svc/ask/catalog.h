/* The store's tables as a catalog for the library, as far as a text names them. */
#ifndef COLLINE_ASK_CATALOG_H
#define COLLINE_ASK_CATALOG_H

#include "ask/graph.h"

/*
 * Names in a text of SQL that may be tables: dotted ones as they are, others within the database
 * and each that a USE names; in lower case, each once, at most `most`.
 */
struct ask_words ask_names_in(struct arena *arena, str_t sql, str_t database, uint32_t most);

/* A dataset of that name whose columns the catalog told. */
struct ask_known {
    int64_t id;
    str_t name;
    str_t json; /* a saved catalog of it alone */
};

struct ask_known_list {
    struct ask_known *items;
    uint32_t count, capacity;
};

/*
 * Those of the names that the store knows in the namespace; with `views` the texts of views and all
 * that they read, else views are tables.
 */
struct ask_known_list ask_catalog(struct ask *ask, int64_t name_space,
                                  const struct ask_words *names, bool views);

/* Edges between columns that lead into a dataset and hold, values only: names `db.t.c`, and `db.t`
 * where rows count. */
struct ask_pair {
    str_t source, target;
};

struct ask_pairs {
    struct ask_pair *items;
    uint32_t count, capacity;
};

struct ask_pairs ask_edges_into(struct ask *ask, int64_t dataset, uint32_t most);

#endif
