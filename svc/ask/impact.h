/* What depends on a table or column: the datasets downstream, near and far. */
#ifndef COLLINE_ASK_IMPACT_H
#define COLLINE_ASK_IMPACT_H

#include "ask/column_graph.h"

struct ask_dependent {
    int64_t id;
    uint32_t level;             /* steps of the shortest way */
    bool direct;                /* values flow, not only conditions, on the shortest way */
    int64_t via;                /* the dataset before it */
    struct ask_words columns;   /* that are hit, up to 100; when a column is asked about */
    struct ask_dataset dataset; /* once ask_dependents_fill was called */
};

struct ask_impact {
    struct ask_dependent *items; /* by level, then heat */
    uint32_t count;
    uint32_t near; /* how many have level 1: they come first */
    bool complete;
};

/* `column` 0: of the whole table. */
struct ask_impact ask_impact(struct ask *ask, int64_t dataset, int64_t column, bool offline);

/* Fills the datasets of a page of them. */
void ask_dependents_fill(struct ask *ask, struct ask_dependent *items, uint32_t count);

#endif
