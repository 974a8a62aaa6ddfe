/*
 * The queries that a daemon's page showed lately, and what of each was handed on and acknowledged.
 * What was acknowledged is kept in the checkpoint, an entry a query, so that a restart gives
 * nothing twice; an entry goes when its query has left the page.
 */
#ifndef COLLINE_COLLECT_WEB_KNOWN_H
#define COLLINE_COLLECT_WEB_KNOWN_H

#include "collect/checkpoint.h"
#include "collect/web_json.h"

/* What was handed on. */
enum {
    WEB_GAVE_START = 1,  /* that it runs */
    WEB_GAVE_TEXT = 2,   /* its whole text */
    WEB_GAVE_RESULT = 4, /* that it is done, before its client closed it */
    WEB_GAVE_END = 8
};

struct web_known {
    struct id128 id;
    unsigned given, acked;  /* of the above */
    unsigned on_their_way;  /* records */
    bool listed, completed; /* on the last page */
    int64_t waiting_since;  /* steady ms; 0: is not waiting */
    struct file_position *position;
};

struct web_record {
    uint64_t cookie;
    struct id128 id;
    unsigned gave;
};

struct web_knowledge {
    struct web_known *items; /* by id */
    size_t count, capacity;
    struct web_record *records; /* not acknowledged, oldest first */
    size_t record_count, record_capacity;
    uint64_t next_cookie;
    size_t last_completed; /* on the last page; 0 when there was none */
    struct checkpoint *checkpoint;
    const char *source, *url;
};

/* What a page tells against the one before. */
struct web_change {
    size_t fresh;    /* completed queries that were not completed before */
    size_t common;   /* completed on both pages */
    size_t vanished; /* were in flight, and are on neither list now: their ends were missed */
    bool any;
};

/* Takes up what the checkpoint holds for the source; false when memory is out. */
bool web_knowledge_open(struct web_knowledge *knowledge, struct checkpoint *checkpoint,
                        const char *source, const char *url);
void web_knowledge_close(struct web_knowledge *knowledge);

/* Brings it up to date with a page; false when memory is out. */
bool web_knowledge_match(struct web_knowledge *knowledge, const struct web_page *page,
                         struct web_change *change);

/* Of a query on the page; NULL when there is none. Valid until the next match. */
struct web_known *web_knowledge_find(const struct web_knowledge *knowledge, struct id128 id);

/* The cookie of the next record; then, when it was taken, that it was given. */
bool web_knowledge_room(struct web_knowledge *knowledge);
void web_knowledge_gave(struct web_knowledge *knowledge, struct web_known *known, unsigned gave);
void web_knowledge_acked(struct web_knowledge *knowledge, uint64_t cookie);

#endif
