/*
 * Memory that dies together. An arena hands out zeroed, 8-byte aligned pieces from growing chunks; nothing is freed by
 * itself. It has a byte limit, which is the memory budget of an analysis. When an allocation fails, or the
 * limit is reached, `failed` is set and stays set: constructors pass NULL on, and each stage looks at the
 * flag once at its end.
 */
#ifndef COLLINE_BASE_ARENA_H
#define COLLINE_BASE_ARENA_H

#include "base/str.h"

struct arena_chunk;

/* Where chunks come from; tests replace it to make the k-th allocation fail. */
struct arena_source {
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *ptr);
    void *context;
    bool exact; /* a chunk for each piece: then every piece can fail, and sanitizers see where each ends */
};

struct arena {
    char *next, *end;           /* free part of the newest chunk */
    char *first;                /* where `next` stands while the arena is empty */
    struct arena_chunk *chunks; /* in use, newest first */
    struct arena_chunk *spare;  /* kept for the next piece of work */
    size_t used;                /* bytes of the chunks in use */
    size_t held;                /* bytes of all chunks, spares too */
    size_t kept;                /* bytes of spares that arena_clear keeps */
    size_t limit;               /* 0: none */
    struct arena_source source;
    bool failed;
};

/* An empty arena. `source` may be NULL: malloc and free. */
void arena_init(struct arena *arena, size_t limit, const struct arena_source *source);

/* Gives everything back to the source; the arena may be used again. */
void arena_release(struct arena *arena);

/* Whether nothing was taken since the arena was made or emptied. */
static inline bool arena_is_empty(const struct arena *arena)
{
    return arena->next == arena->first && !arena->failed;
}

/* arena_clear of an arena in use. */
void arena_empty(struct arena *arena);

/* Empties the arena but keeps memory for the next piece of work, as much as the last ones needed. Clears `failed`. */
static inline void arena_clear(struct arena *arena)
{
    if (!arena_is_empty(arena) || arena->spare != NULL)
        arena_empty(arena);
}

/* Slow path of arena_alloc: a new chunk. Cold: its calls stay out of the way of what runs. */
__attribute__((cold)) void *arena_grow(struct arena *arena, size_t size);

/* `size` bytes, NOT zeroed, valid until the arena is cleared or released; NULL when out of memory. */
static inline void *arena_alloc(struct arena *arena, size_t size)
{
    size = (size + 7) & ~(size_t)7;
    if ((size_t)(arena->end - arena->next) < size)
        return arena_grow(arena, size);
    void *piece = arena->next;
    arena->next += size;
    return piece;
}

/* Makes the newest piece, of `size` bytes, `larger` in its place; false when it is not the newest or does not fit. */
bool arena_extend(struct arena *arena, const void *piece, size_t size, size_t larger);

/* arena_alloc, zeroed. */
static inline void *arena_zalloc(struct arena *arena, size_t size)
{
    void *piece = arena_alloc(arena, size);
    if (piece != NULL)
        memset(piece, 0, size);
    return piece;
}

/* `count` pieces of `size` bytes, zeroed; NULL on overflow or when out of memory. */
static inline void *arena_array(struct arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        arena->failed = true;
        return NULL;
    }
    return arena_zalloc(arena, bytes);
}

#define ARENA_NEW(arena, type) ((type *)arena_zalloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_array((arena), (count), sizeof(type)))

/* A copy of the bytes; the empty slice when out of memory. */
str_t arena_copy(struct arena *arena, str_t s);

/* The texts one behind the other. */
str_t arena_concat(struct arena *arena, const str_t *parts, size_t count);

/* A copy of a followed by b. */
str_t arena_join(struct arena *arena, str_t a, str_t b);

/* A copy of a and b with one character between them. */
str_t arena_pair(struct arena *arena, str_t a, char between, str_t b);

/* `db.table.column` and the like: parts with dots between. */
str_t arena_dotted(struct arena *arena, const str_t *parts, size_t count);

/* The text folded to lower case as a name; shares `text` when it is folded already. */
struct name arena_name(struct arena *arena, str_t text);

/* Makes room for the first items of an empty array, or doubles that of a full one. */
bool vec_grow(struct arena *arena, void **items, uint32_t count, uint32_t *capacity, size_t size);

/* Room for one more item, zeroed. */
static inline bool vec_reserve(struct arena *arena, void **items, uint32_t count, uint32_t *capacity, size_t size)
{
    if ((count == *capacity || arena->failed) && !vec_grow(arena, items, count, capacity, size))
        return false;
    memset((char *)*items + (size_t)count * size, 0, size);
    return true;
}

/*
 * A growing array in an arena: `struct { T *items; uint32_t count, capacity; }`. VEC_PUSH evaluates to a pointer to
 * the new, zeroed item, or NULL when out of memory. Growth doubles, so the garbage left behind is at most the array.
 */
#define VEC(type)                  \
    struct {                       \
        type *items;               \
        uint32_t count, capacity;  \
    }

#define VEC_PUSH(arena, vec)                                                                          \
    (vec_reserve((arena), (void **)&(vec)->items, (vec)->count, &(vec)->capacity, sizeof(*(vec)->items)) \
         ? &(vec)->items[(vec)->count++]                                                              \
         : NULL)


#endif
