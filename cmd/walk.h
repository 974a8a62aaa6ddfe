/* From one table or column along the facts, towards its sources or its dependents. */
#ifndef COLLINE_CMD_WALK_H
#define COLLINE_CMD_WALK_H

#include "base/buf.h"
#include "base/grid.h"
#include "facts.h"

struct walk {
    const struct facts *facts;
    bool up;       /* towards sources */
    bool indirect; /* conditions too */
    bool tables;   /* from table to table */
    uint32_t deepest; /* 0: no limit */
};

/* A neighbour, and one of the edges that make it one. */
struct neighbour {
    uint32_t node;
    uint32_t edge;  /* an example: a direct one if there is any */
    uint32_t count; /* of edges */
    bool star;      /* by a star whose columns are not known */
};

struct neighbours {
    struct neighbour *items;
    size_t count, capacity;
};

/* The neighbours of a node, sorted by name. The list is the caller's to free. */
struct neighbours walk_neighbours(const struct walk *walk, uint32_t node);

/* Both write all that is reached from `start`. */
void walk_tree(const struct walk *walk, uint32_t start, struct buf *out, const struct look *look);
void walk_json(const struct walk *walk, uint32_t start, struct buf *out);
void walk_csv(const struct walk *walk, uint32_t start, struct buf *out);

#endif
