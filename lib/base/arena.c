/* Arenas: chunks of growing size, a byte limit, and the helpers that copy text into them. */
#include "base/arena.h"

#include "base/octets.h"

#include <stdlib.h>

enum {
    FIRST_CHUNK = 16 * 1024,
    LARGEST_CHUNK = 4 * 1024 * 1024,
    VEC_FIRST = 4 /* items for which an array has room at first */
};

struct arena_chunk {
    struct arena_chunk *older;
    size_t size; /* with this header */
};

static void *source_malloc(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void source_free(void *context, void *ptr)
{
    (void)context;
    free(ptr);
}

void arena_init(struct arena *arena, size_t limit, const struct arena_source *source)
{
    *arena = (struct arena){.limit = limit, .source = {.allocate = source_malloc, .release = source_free}};
    if (source != NULL)
        arena->source = *source;
}

static void release_chunk(struct arena *arena, struct arena_chunk *chunk)
{
    arena->held -= chunk->size;
    arena->source.release(arena->source.context, chunk);
}

static void release_list(struct arena *arena, struct arena_chunk **list)
{
    while (*list != NULL) {
        struct arena_chunk *chunk = *list;
        *list = chunk->older;
        release_chunk(arena, chunk);
    }
}

void arena_release(struct arena *arena)
{
    release_list(arena, &arena->chunks);
    release_list(arena, &arena->spare);
    arena->next = arena->end = arena->first = NULL;
    arena->used = arena->kept = 0;
    arena->failed = false;
}

/*
 * What one piece of work needed the next one is likely to need: its chunks are kept as spares. After a large piece the amount
 * kept shrinks by a small part a time, so that memory goes back when many small ones follow: it is dear to fetch again, for
 * the system hands it out in pages of zeros.
 */
void arena_empty(struct arena *arena)
{
    if (arena->chunks != NULL && arena->chunks->older == NULL && arena->spare == NULL) {
        arena->next = arena->first = (char *)(arena->chunks + 1);
        arena->kept = arena->used;
        arena->failed = false;
        return;
    }
    size_t shrunk = arena->kept - arena->kept / 256;
    arena->kept = arena->used > shrunk ? arena->used : shrunk;
    if (arena->source.exact)
        arena->kept = 0;
    while (arena->chunks != NULL) { /* newest first: the spares begin with the oldest, which is the smallest */
        struct arena_chunk *chunk = arena->chunks;
        arena->chunks = chunk->older;
        chunk->older = arena->spare;
        arena->spare = chunk;
    }
    size_t total = 0;
    for (struct arena_chunk **at = &arena->spare; *at != NULL;) {
        struct arena_chunk *chunk = *at;
        total += chunk->size;
        if (total - chunk->size < arena->kept || chunk == arena->spare) {
            at = &chunk->older;
            continue;
        }
        *at = chunk->older;
        total -= chunk->size;
        release_chunk(arena, chunk);
    }
    arena->used = 0;
    arena->next = arena->end = NULL;
    arena->failed = false;
    if (arena->spare != NULL)
        arena_grow(arena, 0);
    arena->first = arena->next;
}

static size_t chunk_size(const struct arena *arena, size_t wanted)
{
    size_t size = arena->chunks == NULL ? FIRST_CHUNK : arena->chunks->size * 2;
    if (size > LARGEST_CHUNK)
        size = LARGEST_CHUNK;
    size_t least = wanted + sizeof(struct arena_chunk);
    return size < least || arena->source.exact ? least : size;
}

/* A spare chunk with room for that much; NULL when there is none. */
static struct arena_chunk *take_spare(struct arena *arena, size_t wanted)
{
    for (struct arena_chunk **at = &arena->spare; *at != NULL; at = &(*at)->older) {
        struct arena_chunk *chunk = *at;
        if (chunk->size - sizeof(struct arena_chunk) < wanted)
            continue;
        *at = chunk->older;
        return chunk;
    }
    return NULL;
}

static struct arena_chunk *new_chunk(struct arena *arena, size_t wanted)
{
    size_t size = wanted > SIZE_MAX / 2 ? 0 : chunk_size(arena, wanted);
    if (size == 0)
        return NULL;
    if (arena->limit != 0 && arena->held + size > arena->limit)
        release_list(arena, &arena->spare);
    if (arena->limit != 0 && arena->held + size > arena->limit)
        return NULL;
    struct arena_chunk *chunk = arena->source.allocate(arena->source.context, size);
    if (chunk == NULL)
        return NULL;
    chunk->size = size;
    arena->held += size;
    return chunk;
}

void *arena_grow(struct arena *arena, size_t size)
{
    struct arena_chunk *chunk = arena->failed ? NULL : take_spare(arena, size);
    if (chunk == NULL && !arena->failed)
        chunk = new_chunk(arena, size);
    if (chunk == NULL) {
        arena->failed = true;
        arena->next = arena->end; /* once it failed, it fails: nobody finds a part of what should be whole */
        return NULL;
    }
    chunk->older = arena->chunks;
    arena->chunks = chunk;
    arena->used += chunk->size;
    char *piece = (char *)(chunk + 1);
    arena->next = piece + size;
    arena->end = (char *)chunk + chunk->size;
    return piece;
}

str_t arena_copy(struct arena *arena, str_t s)
{
    if (s.len == 0)
        return STR("");
    char *copy = arena_alloc(arena, s.len);
    if (copy == NULL)
        return (str_t){NULL, 0};
    memcpy(copy, s.ptr, s.len);
    return str_make(copy, s.len);
}

str_t arena_join(struct arena *arena, str_t a, str_t b)
{
    char *copy = arena_alloc(arena, a.len + b.len);
    if (copy == NULL)
        return (str_t){NULL, 0};
    if (a.len > 0)
        memcpy(copy, a.ptr, a.len);
    if (b.len > 0)
        memcpy(copy + a.len, b.ptr, b.len);
    return str_make(copy, a.len + b.len);
}

str_t arena_pair(struct arena *arena, str_t a, char between, str_t b)
{
    size_t len = a.len + 1 + b.len;
    char *copy = arena_alloc(arena, len);
    if (copy == NULL)
        return (str_t){NULL, 0};
    if (a.len > 0)
        memcpy(copy, a.ptr, a.len);
    copy[a.len] = between;
    if (b.len > 0)
        memcpy(copy + a.len + 1, b.ptr, b.len);
    return str_make(copy, len);
}

str_t arena_concat(struct arena *arena, const str_t *parts, size_t count)
{
    size_t len = 0;
    for (size_t i = 0; i < count; i++)
        len += parts[i].len;
    char *copy = arena_alloc(arena, len);
    if (copy == NULL)
        return (str_t){NULL, 0};
    char *at = copy;
    for (size_t i = 0; i < count; i++) {
        if (parts[i].len > 0)
            memcpy(at, parts[i].ptr, parts[i].len);
        at += parts[i].len;
    }
    return str_make(copy, len);
}

str_t arena_dotted(struct arena *arena, const str_t *parts, size_t count)
{
    size_t len = count == 0 ? 0 : count - 1;
    for (size_t i = 0; i < count; i++)
        len += parts[i].len;
    char *copy = arena_alloc(arena, len);
    if (copy == NULL)
        return (str_t){NULL, 0};
    char *at = copy;
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            *at++ = '.';
        if (parts[i].len > 0)
            memcpy(at, parts[i].ptr, parts[i].len);
        at += parts[i].len;
    }
    return str_make(copy, len);
}

static bool has_upper(str_t s)
{
    uint64_t upper = 0;
    size_t at = 0;
    for (; s.len - at > 8; at += 8)
        upper |= octets_load(s.ptr + at) ^ octets_lower(octets_load(s.ptr + at));
    uint64_t last = octets_load_part(s.ptr + at, s.len - at);
    return (upper | (last ^ octets_lower(last))) != 0;
}

__attribute__((noinline)) static struct name long_name(struct arena *arena, str_t text)
{
    if (!has_upper(text))
        return name_of(text);
    char *copy = arena_alloc(arena, text.len);
    if (copy == NULL)
        return name_of(STR(""));
    size_t at = 0;
    for (; text.len - at > 8; at += 8)
        octets_store(copy + at, octets_lower(octets_load(text.ptr + at)));
    octets_store(copy + at, octets_lower(octets_load_part(text.ptr + at, text.len - at))); /* pieces are whole octets */
    return name_of(str_make(copy, text.len));
}

bool arena_extend(struct arena *arena, const void *piece, size_t size, size_t larger)
{
    size_t rounded = (size + 7) & ~(size_t)7;
    size_t more = ((larger + 7) & ~(size_t)7) - rounded;
    bool newest = piece != NULL && (const char *)piece + rounded == arena->next;
    if (!newest || (size_t)(arena->end - arena->next) < more)
        return false;
    arena->next += more;
    return true;
}

/* A short name that was written with capitals. Like long_name apart from arena_name, which then needs no frame. */
__attribute__((noinline)) static struct name folded_name(struct arena *arena, uint64_t folded, struct name name)
{
    char *copy = arena_alloc(arena, sizeof folded);
    if (copy == NULL)
        return NAME("");
    octets_store(copy, folded);
    name.ptr = copy;
    return name;
}

struct name arena_name(struct arena *arena, str_t text)
{
    if (text.len > 8)
        return long_name(arena, text);
    uint64_t written = octets_load_part(text.ptr, text.len), folded = octets_lower(written);
    struct name name = {text.ptr, (uint32_t)text.len, name_hash_short(folded, text.len)};
    return folded == written ? name : folded_name(arena, folded, name);
}

/* More room, wherever there is some: in place, or the items move. Apart from vec_grow, which then needs no frame. */
__attribute__((noinline)) static bool vec_move(struct arena *arena, void **items, uint32_t count, uint32_t *capacity, size_t size)
{
    if (arena->failed)
        return false;
    if (*capacity > UINT32_MAX / 2) {
        arena->failed = true;
        return false;
    }
    uint32_t larger = *capacity == 0 ? VEC_FIRST : *capacity * 2;
    if (*capacity > 0 && arena_extend(arena, *items, (size_t)*capacity * size, (size_t)larger * size)) {
        *capacity = larger;
        return true;
    }
    char *grown = arena_alloc(arena, (size_t)larger * size);
    if (grown == NULL)
        return false;
    if (*items != NULL)
        memcpy(grown, *items, (size_t)count * size);
    *items = grown;
    *capacity = larger;
    return true;
}

/* Most arrays never hold more than their first room, for which the newest chunk has space. */
bool vec_grow(struct arena *arena, void **items, uint32_t count, uint32_t *capacity, size_t size)
{
    size_t first = (VEC_FIRST * size + 7) & ~(size_t)7;
    if (*capacity != 0 || arena->failed || (size_t)(arena->end - arena->next) < first)
        return vec_move(arena, items, count, capacity, size);
    *items = arena->next;
    *capacity = VEC_FIRST;
    arena->next += first;
    return true;
}
