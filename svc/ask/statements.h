/* The statements between given tables: what reads some of them and writes others. */
#ifndef COLLINE_ASK_STATEMENTS_H
#define COLLINE_ASK_STATEMENTS_H

#include "ask/graph.h"

struct ask_process {
    int64_t lineage;
    str_t fingerprint, engine, operation, mode, query_id, script;
    enum ask_state state; /* the best of its edges' */
    enum ask_evidence evidence;
    int64_t runs, last_run;
    struct ask_ids sources, targets; /* of the given tables */
};

struct ask_processes {
    struct ask_process *items; /* the newest first */
    uint32_t count, total;
};

struct ask_processes_wish {
    bool indirect; /* statements of conditions only too */
    uint32_t limit;
    struct ask_moment at;
};

/* Sorts the list. Those that hold; a statement that reads what it writes has no such edge. */
struct ask_processes ask_processes(struct ask *ask, struct ask_ids *datasets,
                                   const struct ask_processes_wish *wish);

#endif
