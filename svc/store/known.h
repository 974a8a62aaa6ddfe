/*
 * Lineages that the writer knows: found by what an event looks like, or by the key of its facts, or made with all their edges. After a rollback
 * known_forget is due.
 */
#ifndef COLLINE_STORE_KNOWN_H
#define COLLINE_STORE_KNOWN_H

#include "run/hash.h"
#include "store/facts.h"
#include "store/idents.h"

struct known_use {
    int64_t dataset;
    enum store_role role;
    bool resets;
    enum dataset_kind kind;
};

struct known_lineage {
    int64_t id;
    int64_t sample_day, sample_at; /* of lineage_text; 0: there is none */
    bool failed;
    bool ran, stands; /* it has runs; it stands in a script */
    bool pruned; /* edges are missing: whoever knows its facts must say so by known_lineage_of */
    uint32_t first, count; /* of uses */
};

struct known {
    struct db *db;
    struct idents *idents;
    struct pair_map looks;   /* hash of an event's lineage → lineage */
    struct pair_map keys;    /* key → lineage */
    struct pair_map entries; /* lineage → index */
    struct known_lineage *items;
    struct known_use *uses;
    size_t item_count, item_capacity, use_count, use_capacity;
    uint64_t made; /* goes up when one begins or ends to have runs, and when all is forgotten */
};

void known_init(struct known *known, struct db *db, struct idents *idents);
void known_release(struct known *known);
void known_forget(struct known *known);

/* Whether so much is remembered that forgetting is due, between two transactions. */
bool known_is_full(const struct known *known);

/* That events of this look have this lineage; 0: none. */
void known_remember(struct known *known, struct hash128 look, int64_t lineage);

/* What is known of a lineage, read when it is not remembered; NULL after a failure. Valid until the next call. */
struct known_lineage *known_find(struct known *known, int64_t lineage);

static inline const struct known_use *known_uses(const struct known *known, const struct known_lineage *lineage)
{
    return known->uses + lineage->first;
}

/* Its edges once more, of which some are not there. False after a failure. */
bool known_put_edges(struct known *known, str_t name_space, const struct facts *facts, int64_t lineage);

/* The lineage with these facts, made when it is new, its edges too when they are missing; 0 after a failure. */
int64_t known_lineage_of(struct known *known, str_t name_space, const struct facts *facts);

#endif
