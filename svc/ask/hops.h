/*
 * How far one hop of a table leads where temporary tables, or names that are gone, stand beside it:
 * a picture leads through these, and the counts of a dataset do not.
 */
#ifndef COLLINE_ASK_HOPS_H
#define COLLINE_ASK_HOPS_H

#include "ask/graph.h"

struct ask_hop_count {
    int64_t dataset;
    uint32_t up, down;
};

struct ask_hop_counts {
    struct ask_hop_count *items;
    uint32_t count, capacity;
};

/* Of those of the datasets that have such neighbours; of the others their own counts hold. Sorts
 * the list. */
struct ask_hop_counts ask_hop_counts(struct ask *ask, struct ask_ids *datasets);

#endif
