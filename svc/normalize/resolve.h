/*
 * What records do not tell of a query: its lineage, the real names behind what the log lists, the partitions written and read. And the other
 * way round: what a query that ran changed in the catalog.
 */
#ifndef COLLINE_NORMALIZE_RESOLVE_H
#define COLLINE_NORMALIZE_RESOLVE_H

#include "normalize/agree.h"
#include "normalize/normalizer.h"
#include "normalize/sessions.h"

struct resolver {
    struct spaces *spaces;
    struct lineage *lineage;
    struct sessions sessions;
    const struct normalizer_cluster *clusters;
    size_t cluster_count;
    struct buf text;
    struct arena arena;        /* of what stays */
    struct name_map event_times; /* table → time of the newest DDL seen of it */
    uint64_t ghosts, agreed, disagreed;
};

/* Fills the event, which holds what was joined; true when another catalog could make it better. As joiner_resolver. */
bool resolve_event(struct resolver *resolver, struct event *event, struct arena *arena);

/*
 * Runs the DDL of an event that succeeded, unless newer DDL of the same table was seen. `changed` is told each table that looks otherwise
 * than before, and of each statement that a session needs for its temporary tables.
 */
struct resolve_changes {
    void (*table)(void *context, struct space *space, str_t table, int64_t time);
    void (*session)(void *context, const struct event *event);
    void *context;
    bool again; /* the event may have been here before, in a batch that was given up: all its tables are told */
};

void resolve_ran(struct resolver *resolver, const struct event *event, const struct resolve_changes *changes);

/* Whether DDL of that time is news for the table; remembers the time. */
bool resolve_is_news(struct resolver *resolver, const struct space *space, str_t table, int64_t time);

/* The namespace of a cluster: its own name when the configuration does not know it. */
str_t resolve_name_space(const struct resolver *resolver, str_t cluster);

#endif
