/* Tables around a table, at a time or at two. */
#ifndef COLLINE_ASK_GRAPH_H
#define COLLINE_ASK_GRAPH_H

#include "ask/facts.h"

struct ask_graph_wish {
    int64_t focus;
    bool up, down;
    uint32_t depth;
    uint32_t limit; /* datasets beside the focus */
    uint32_t skip;  /* of the first step, so many are passed over; with one direction and depth 1 */
    bool indirect, offline, temporary;
    bool without_hubs; /* of indirect edges those over hubs are left out (ask/hubs.h) */
    struct ask_moment at;
    bool differs; /* from the state of `from` */
    struct ask_moment from;
};

enum ask_change { CHANGE_NONE, CHANGE_ADDED, CHANGE_GONE, CHANGE_KEPT };

struct ask_words {
    str_t *items;
    uint32_t count, capacity;
};

/* Adds a word that is not in the list yet. */
void ask_words_add(struct ask_words *words, struct arena *arena, str_t word);

/* Adds each of a list with commas between. */
void ask_words_split(struct ask_words *words, struct arena *arena, str_t list);

struct ask_node {
    struct ask_dataset dataset;
    int level; /* negative upstream */
    enum ask_change change;
};

struct ask_edge {
    int64_t src, dst;
    bool direct;
    enum ask_state state;
    enum ask_evidence evidence;
    enum ask_change change;
    struct ask_words modes, engines, uncertain, through;
    int64_t runs, first_run, last_run;
    uint32_t statements;
};

struct ask_graph {
    struct ask_node *nodes; /* the focus first, then step by step */
    uint32_t node_count;
    struct ask_edge *edges;
    uint32_t edge_count;
    uint32_t more_up, more_down;
    uint32_t next_skip; /* 0: no more of the step */
    uint32_t hub_edges; /* that were left out */
    bool complete;      /* false where a limit of the walk itself was met */
};

struct ask_graph ask_graph(struct ask *ask, const struct ask_graph_wish *wish);

/* How many datasets one step leads to, without a limit. */
uint32_t ask_step_count(struct ask *ask, int64_t dataset, bool up);

/* All statements of one edge taken together; false when there is none, whether it holds or not. */
bool ask_table_edge(struct ask *ask, int64_t src, int64_t dst, struct ask_edge *edge);

/* ---- edges as they are stored, for walks of other questions --------------------------------- */

struct raw_edge {
    int64_t dst, src, lineage;
    int kind;
    str_t mode;
};

struct raw_edges {
    struct raw_edge *items;
    uint32_t count, capacity;
};

/* Edges into (up) or out of these datasets; sorts the ids. Stops behind `most` edges: false. Both
 * directions may be asked for before the first is read. */
bool raw_table_edges(struct ask *ask, struct ask_ids *ids, bool up, uint32_t most,
                     struct raw_edges *edges);
struct db_query *raw_table_edges_start(struct ask *ask, struct ask_ids *ids, bool up,
                                       uint32_t most);
bool raw_table_edges_read(struct ask *ask, struct db_query *q, uint32_t most,
                          struct raw_edges *edges);

/* Of a hub: the edges to the `most` hottest of its neighbours. Gives how many neighbours it has. */
uint32_t raw_hub_edges(struct ask *ask, int64_t hub, bool up, bool indirect, uint32_t most,
                       struct raw_edges *edges);

/* What the facts must tell to say whether they hold; `columns`: the ends are columns. */
void raw_edges_need_facts(struct ask_facts *facts, const struct raw_edges *edges, bool columns);

/* raw_table_edges, and raw_edges_need_facts of them: a step of a walk. */
bool raw_table_step(struct ask_facts *facts, struct ask_ids *ids, bool up, uint32_t most,
                    struct raw_edges *edges);

/* By target, then source, then kind. */
void raw_edges_sort(struct raw_edges *edges);

#endif
