/* Inner to svc/api: a script that is being analysed, and what it would change against the store. */
#ifndef COLLINE_API_ANALYSIS_H
#define COLLINE_API_ANALYSIS_H

#include "api/handlers.h"
#include "ask/catalog.h"
#include "base/json.h"
#include "colline.h"

struct analysis_change {
    str_t type, source, target, column, before, after;
};

struct analysis {
    struct json *body;
    str_t sql, database;
    colline_dialect dialect;
    str_t name_space_name;
    int64_t name_space; /* 0: the store has none */
    struct ask_known_list known;
    struct buf document;
    struct ask_pairs edges;              /* of the script, values only */
    struct ask_words written, rewritten; /* tables */
    struct {
        struct analysis_change *items;
        uint32_t count, capacity;
    } changes;
};

/* Notes a change of a table or of a column of it; texts are copied. */
void analysis_change(struct call *call, struct analysis *a, str_t type, str_t table, str_t column,
                     str_t before, str_t after);

/* Notes the edges that the script adds, and those of wholly rewritten tables that it no longer
 * makes. */
void analysis_edges(struct call *call, struct analysis *a);

struct analysis_hits {
    struct ask_dependent *items; /* the nearest first */
    uint32_t count;
};

/* Datasets downstream of what is dropped, retyped or no longer fed. */
struct analysis_hits analysis_hits(struct call *call, struct analysis *a);

#endif
