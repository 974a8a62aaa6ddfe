/*
 * Small random worlds for the store: queries with their revisions, scripts, catalogs and checks over a handful of tables, as they could have happened. Their
 * documents are those of the library. The same seed makes the same world.
 */
#ifndef COLLINE_TESTS_WORLD_H
#define COLLINE_TESTS_WORLD_H

#include "base/arena.h"
#include "support/stores.h"

enum { WORLD_ITEMS_MOST = 120, WORLD_PARTS_MOST = 6 };

enum world_kind { WORLD_EVENT, WORLD_SCRIPT, WORLD_CATALOG, WORLD_CHECK };

/* What is loaded at once. */
struct world_item {
    enum world_kind kind;
    int64_t at; /* orders items by the time at which they happened */
    struct test_event event;
    struct quality_check check;
    const char *name; /* of the script or of the catalog's source */
    const char *texts[WORLD_PARTS_MOST], *sqls[WORLD_PARTS_MOST], *tables[WORLD_PARTS_MOST];
    int parts;
};

struct world {
    struct arena arena;
    struct world_item items[WORLD_ITEMS_MOST]; /* in the order of time */
    int count;
    uint32_t random;
};

void world_make(struct world *world, uint32_t seed, int count);
void world_release(struct world *world);

/* A number below `below`. */
uint32_t world_random(struct world *world, uint32_t below);

/* Gives it to the applier. */
void world_add(struct test_store *t, const struct world_item *item);

/* What it is, for a person. */
void world_say(const struct world_item *item);

#endif
