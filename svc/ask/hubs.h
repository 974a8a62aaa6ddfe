/*
 * Columns that decide about so much that an edge from them tells little: a date by which every
 * table is filtered, a code by which every table is joined. Edges of conditions over them can be
 * left out of a picture.
 */
#ifndef COLLINE_ASK_HUBS_H
#define COLLINE_ASK_HUBS_H

#include "ask/graph.h"

enum { HUB_EDGES_LEAST = 50 }; /* edges of conditions that make a column one */

struct ask_hubs {
    struct ask *ask;
    struct id_index columns; /* column → 1 a hub, 0 none */
    struct id_index pairs;   /* of datasets → likewise */
    uint32_t left_out;       /* pairs that were dropped, each once */
};

struct ask_hubs ask_hubs_of(struct ask *ask);

/* Takes the edges of conditions out of `edges` that come from hubs: of columns, or of tables whose
 * conditions are all over hubs. The order stays. */
void ask_hubs_drop_columns(struct ask_hubs *hubs, struct raw_edges *edges);
void ask_hubs_drop_tables(struct ask_hubs *hubs, struct raw_edges *edges);

#endif
