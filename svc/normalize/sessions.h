/*
 * What sessions made for themselves: temporary tables, with what was written into them. A later statement of the session is analysed behind
 * these, so that its lineage leads through them to what they were made of. Sessions that nothing was heard of for longest are
 * forgotten first.
 */
#ifndef COLLINE_NORMALIZE_SESSIONS_H
#define COLLINE_NORMALIZE_SESSIONS_H

#include "base/buf.h"
#include "run/hash.h"

enum {
    SESSIONS_MAX = 1024,
    SESSION_BYTES_MAX = 256 * 1024
};

struct session {
    struct hash128 key;
    struct buf prelude; /* statements, each ended by `;` and a line break */
    uint32_t statements;
    uint64_t used;      /* 0: free */
};

struct sessions {
    struct session items[SESSIONS_MAX];
    uint32_t count;
    uint64_t clock;
};

void sessions_release(struct sessions *sessions);

/* NULL when it made nothing. */
const struct session *sessions_find(struct sessions *sessions, str_t name_space, str_t session_id);

/* False when it has no room; the session then stays as it is. The same statement right after itself counts once. */
bool sessions_add(struct sessions *sessions, str_t name_space, str_t session_id, str_t sql);

#endif
