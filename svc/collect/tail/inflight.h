/*
 * Records that were handed on and are not acknowledged yet, in the order in which they were read. An acknowledgement may come in any
 * order; a file's position moves over what is acknowledged without a gap before it.
 */
#ifndef COLLINE_COLLECT_TAIL_INFLIGHT_H
#define COLLINE_COLLECT_TAIL_INFLIGHT_H

#include "base/str.h"

struct tail_file;

struct inflight_entry {
    struct tail_file *file;
    uint64_t end; /* the file's offset behind the record */
    uint32_t generation; /* the file's truncations when it was read */
    bool acked;
};

struct inflight {
    struct inflight_entry *entries;
    uint64_t first, next; /* cookies; entry of a cookie: modulo capacity */
    size_t capacity, limit; /* powers of two */
};

void inflight_init(struct inflight *inflight, size_t limit);
void inflight_release(struct inflight *inflight);

/* Whether one more fits; makes room up to the limit. */
bool inflight_room(struct inflight *inflight);

/* Adds what lies before `end`; its cookie is what `next` was. There must be room. */
void inflight_push(struct inflight *inflight, struct tail_file *file, uint64_t end, uint32_t generation, bool acked);

void inflight_acked(struct inflight *inflight, uint64_t cookie);

/* Records of one file and generation are of another from now on; how many there are. */
uint32_t inflight_move(struct inflight *inflight, const struct tail_file *from, uint32_t generation, struct tail_file *to, uint32_t to_generation);

/* Takes the first entry out if it is acknowledged. */
bool inflight_pop(struct inflight *inflight, struct inflight_entry *entry);

static inline size_t inflight_count(const struct inflight *inflight)
{
    return (size_t)(inflight->next - inflight->first);
}

#endif
