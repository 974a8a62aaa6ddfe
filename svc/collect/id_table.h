/*
 * A table from 128-bit ids (queries, sessions, threads) to small values. It holds a fixed number at most: when it is full, the
 * newcomer takes an old one's place, so it never grows with what was never closed.
 */
#ifndef COLLINE_COLLECT_ID_TABLE_H
#define COLLINE_COLLECT_ID_TABLE_H

#include "base/str.h"

struct id128 {
    uint64_t high, low;
};

struct id_entry {
    struct id128 id;
    struct id128 other; /* a query's session, a thread's query */
    int64_t time_ms;
    uint32_t user; /* number in a list of users; 0: none */
    uint16_t flags;
    bool used;
};

struct id_table {
    struct id_entry *entries;
    size_t count, capacity; /* a power of two */
    size_t limit;
    size_t hand; /* where the search for an old one goes on */
};

void id_table_init(struct id_table *table, size_t limit);
void id_table_release(struct id_table *table);

/* NULL when it is not there. Valid until the next add. */
struct id_entry *id_table_find(const struct id_table *table, struct id128 id);

/* The entry of the id, a zeroed one when it is new; NULL when memory is out. */
struct id_entry *id_table_add(struct id_table *table, struct id128 id);
void id_table_remove(struct id_table *table, struct id128 id);

/* `16hex:16hex`; false for anything else. */
bool id128_read(str_t text, struct id128 *id);

/* The same in lower case, 33 bytes. */
void id128_write(char *to, struct id128 id);

#endif
