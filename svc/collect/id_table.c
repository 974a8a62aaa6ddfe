/* Open addressing with linear probing; removal moves later entries of the run back. */
#include "collect/id_table.h"

#include "collect/line.h"

#include <stdlib.h>

void id_table_init(struct id_table *table, size_t limit)
{
    *table = (struct id_table){.limit = limit};
}

void id_table_release(struct id_table *table)
{
    free(table->entries);
    *table = (struct id_table){.limit = table->limit};
}

static size_t place_of(struct id128 id, size_t capacity)
{
    uint64_t hash = (id.high ^ (id.low >> 32)) * 0x9fb21c651e98df25u;
    hash = (hash ^ (hash >> 29) ^ id.low) * 0xd6e8feb86659fd93u;
    return (size_t)(hash >> 20) & (capacity - 1);
}

static bool same(struct id128 a, struct id128 b)
{
    return a.high == b.high && a.low == b.low;
}

/* Where the id stands, or the free place where it would. */
static size_t probe(const struct id_entry *entries, size_t capacity, struct id128 id)
{
    size_t at = place_of(id, capacity);
    while (entries[at].used && !same(entries[at].id, id))
        at = (at + 1) & (capacity - 1);
    return at;
}

struct id_entry *id_table_find(const struct id_table *table, struct id128 id)
{
    if (table->capacity == 0)
        return NULL;
    struct id_entry *entry = &table->entries[probe(table->entries, table->capacity, id)];
    return entry->used ? entry : NULL;
}

static bool grow(struct id_table *table)
{
    size_t capacity = table->capacity == 0 ? 64 : table->capacity * 2;
    struct id_entry *entries = calloc(capacity, sizeof *entries);
    if (entries == NULL)
        return false;
    for (size_t i = 0; i < table->capacity; i++)
        if (table->entries[i].used)
            entries[probe(entries, capacity, table->entries[i].id)] = table->entries[i];
    free(table->entries);
    table->entries = entries;
    table->capacity = capacity;
    return true;
}

static void remove_at(struct id_table *table, size_t hole)
{
    size_t mask = table->capacity - 1;
    table->entries[hole].used = false;
    table->count--;
    for (size_t at = (hole + 1) & mask; table->entries[at].used; at = (at + 1) & mask) {
        size_t home = place_of(table->entries[at].id, table->capacity);
        if (((at - home) & mask) < ((at - hole) & mask))
            continue;
        table->entries[hole] = table->entries[at];
        table->entries[at].used = false;
        hole = at;
    }
}

static void evict(struct id_table *table)
{
    while (!table->entries[table->hand & (table->capacity - 1)].used)
        table->hand++;
    remove_at(table, table->hand & (table->capacity - 1));
    table->hand++;
}

struct id_entry *id_table_add(struct id_table *table, struct id128 id)
{
    struct id_entry *entry = id_table_find(table, id);
    if (entry != NULL)
        return entry;
    if (table->count >= table->limit)
        evict(table);
    if ((table->count + 1) * 4 > table->capacity * 3 && !grow(table))
        return NULL;
    entry = &table->entries[probe(table->entries, table->capacity, id)];
    *entry = (struct id_entry){.id = id, .used = true};
    table->count++;
    return entry;
}

void id_table_remove(struct id_table *table, struct id128 id)
{
    if (table->capacity == 0)
        return;
    size_t at = probe(table->entries, table->capacity, id);
    if (table->entries[at].used)
        remove_at(table, at);
}

/* ---- texts ------------------------------------------------------------------------------------------------------ */

static uint64_t half(const char *text)
{
    uint64_t value = 0;
    for (int i = 0; i < 16; i++) {
        char c = ascii_lower(text[i]);
        value = value << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return value;
}

bool id128_read(str_t text, struct id128 *id)
{
    if (query_id_length(text) != 33)
        return false;
    *id = (struct id128){half(text.ptr), half(text.ptr + 17)};
    return true;
}

void id128_write(char *to, struct id128 id)
{
    static const char hex[] = "0123456789abcdef";
    for (int i = 0; i < 16; i++) {
        to[i] = hex[id.high >> (60 - 4 * i) & 15];
        to[17 + i] = hex[id.low >> (60 - 4 * i) & 15];
    }
    to[16] = ':';
}
