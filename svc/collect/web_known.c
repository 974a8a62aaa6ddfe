/*
 * A sorted array, for a page is a few hundred queries. In the checkpoint an entry's device and
 * inode are the two halves of the query's id, and its offset is what was acknowledged.
 */
#include "collect/web_known.h"

#include <stdlib.h>

enum { RECORDS_MAX = 65536 };

static int compare_ids(struct id128 a, struct id128 b)
{
    if (a.high != b.high)
        return a.high < b.high ? -1 : 1;
    return a.low < b.low ? -1 : a.low > b.low;
}

static int by_id(const void *a, const void *b)
{
    return compare_ids(((const struct web_known *)a)->id, ((const struct web_known *)b)->id);
}

static void sort(struct web_knowledge *k)
{
    if (k->count > 0)
        qsort(k->items, k->count, sizeof *k->items, by_id);
}

static struct web_known *find_in(struct web_known *items, size_t count, struct id128 id)
{
    const struct web_known wanted = {.id = id};
    return count == 0 ? NULL : bsearch(&wanted, items, count, sizeof *items, by_id);
}

struct web_known *web_knowledge_find(const struct web_knowledge *k, struct id128 id)
{
    return find_in(k->items, k->count, id);
}

/* Behind the last, unsorted. */
static struct web_known *add(struct web_knowledge *k, struct id128 id)
{
    if (k->count == k->capacity) {
        size_t capacity = k->capacity == 0 ? 512 : k->capacity * 2;
        struct web_known *items = realloc(k->items, capacity * sizeof *items);
        if (items == NULL)
            return NULL;
        k->items = items;
        k->capacity = capacity;
    }
    struct web_known *known = &k->items[k->count++];
    *known = (struct web_known){.id = id};
    return known;
}

/* ---- the checkpoint ------------------------------------------------------------------------ */

bool web_knowledge_open(struct web_knowledge *k, struct checkpoint *checkpoint, const char *source,
                        const char *url)
{
    *k = (struct web_knowledge){
        .checkpoint = checkpoint, .source = source, .url = url, .next_cookie = 1};
    for (size_t i = 0; i < checkpoint->count; i++) {
        struct file_position *p = checkpoint->items[i];
        if (strcmp(p->source, source) != 0)
            continue;
        struct web_known *known = add(k, (struct id128){p->identity.device, p->identity.inode});
        if (known == NULL)
            return false;
        p->in_use = true;
        known->position = p;
        known->given = known->acked = (unsigned)p->offset;
        known->completed = (known->acked & WEB_GAVE_END) != 0;
        k->last_completed += known->completed;
    }
    sort(k);
    return true;
}

void web_knowledge_close(struct web_knowledge *k)
{
    free(k->items);
    free(k->records);
    *k = (struct web_knowledge){0};
}

/* Without memory for an entry the query would be given again after a restart, no more. */
static void keep(struct web_knowledge *k, struct web_known *known)
{
    const struct file_identity identity = {.device = known->id.high, .inode = known->id.low};
    if (known->position == NULL) {
        known->position = checkpoint_add(k->checkpoint, k->source, k->url, &identity);
        if (known->position == NULL)
            return;
        known->position->in_use = true;
    }
    known->position->offset = known->acked;
    known->position->seen_ms = clock_now(&k->checkpoint->clock);
    k->checkpoint->dirty = true;
}

/* ---- pages --------------------------------------------------------------------------------- */

static void mark(struct web_known *known, const struct web_query *query, struct web_change *change)
{
    bool was_completed = known->completed;
    known->listed = true;
    known->completed = query->completed;
    change->fresh += query->completed && !was_completed;
    change->common += query->completed && was_completed;
    change->any |= query->completed != was_completed;
}

/* A query that left the page while it was in flight was missed, once; one that nobody waits for
 * goes. */
static void forget_unlisted(struct web_knowledge *k, struct web_change *change)
{
    size_t kept = 0;
    for (size_t i = 0; i < k->count; i++) {
        struct web_known *known = &k->items[i];
        if (!known->listed) {
            change->vanished += !known->completed;
            change->any = true;
            known->completed = true;
            if (known->on_their_way == 0) {
                if (known->position != NULL)
                    checkpoint_drop(k->checkpoint, known->position);
                continue;
            }
        }
        k->items[kept++] = *known;
    }
    k->count = kept;
}

static void drop_doubles(struct web_knowledge *k)
{
    size_t kept = 0;
    for (size_t i = 0; i < k->count; i++)
        if (kept == 0 || compare_ids(k->items[kept - 1].id, k->items[i].id) != 0)
            k->items[kept++] = k->items[i];
    k->count = kept;
}

bool web_knowledge_match(struct web_knowledge *k, const struct web_page *page,
                         struct web_change *change)
{
    size_t before = k->count;
    *change = (struct web_change){0};
    for (size_t i = 0; i < before; i++)
        k->items[i].listed = false;
    for (size_t i = 0; i < page->count; i++) {
        struct web_known *known = find_in(k->items, before, page->queries[i].id);
        if (known == NULL) {
            known = add(k, page->queries[i].id);
            change->any = true;
        }
        if (known == NULL)
            return false;
        mark(known, &page->queries[i], change);
    }
    forget_unlisted(k, change);
    sort(k);
    drop_doubles(k);
    return true;
}

/* ---- records on their way ------------------------------------------------------------------ */

bool web_knowledge_room(struct web_knowledge *k)
{
    if (k->record_count < k->record_capacity)
        return true;
    size_t capacity = k->record_capacity == 0 ? 256 : k->record_capacity * 2;
    struct web_record *records =
        capacity > RECORDS_MAX ? NULL : realloc(k->records, capacity * sizeof *records);
    if (records == NULL)
        return false;
    k->records = records;
    k->record_capacity = capacity;
    return true;
}

void web_knowledge_gave(struct web_knowledge *k, struct web_known *known, unsigned gave)
{
    k->records[k->record_count++] = (struct web_record){k->next_cookie++, known->id, gave};
    known->given |= gave;
    known->on_their_way++;
}

void web_knowledge_acked(struct web_knowledge *k, uint64_t cookie)
{
    size_t at = 0;
    while (at < k->record_count && k->records[at].cookie != cookie)
        at++;
    if (at == k->record_count)
        return;
    struct web_known *known = find_in(k->items, k->count, k->records[at].id);
    if (known != NULL) {
        known->acked |= k->records[at].gave;
        known->on_their_way--;
        keep(k, known);
    }
    k->record_count--;
    memmove(k->records + at, k->records + at + 1, (k->record_count - at) * sizeof *k->records);
}
