/*
 * The events of a state: as JSON lines, packed many to a row, for an event of its own row would take a page. They are numbered from 1 in the order
 * in which they came. Part of state_db.h; calls that can fail give false, the handle then tells why.
 */
#ifndef COLLINE_NORMALIZE_STATE_EVENTS_H
#define COLLINE_NORMALIZE_STATE_EVENTS_H

#include "db/db.h"
#include "normalize/state_db.h"
#include "run/pack.h"

struct state_events {
    struct db *db;
    struct packer *packer;
    struct buf lines, packed, text;
    int64_t count; /* of lines */
    int64_t last;  /* number of the newest event that is written; -1: not known */
};

extern const char state_events_schema[];

/* False when memory is out; release all the same. */
bool state_events_init(struct state_events *events, struct db *db);
void state_events_release(struct state_events *events);

/* Gathers; the flush before the commit writes what is left. After a rollback all that was gathered is forgotten. */
bool state_events_add(struct state_events *events, str_t json);
bool state_events_flush(struct state_events *events);
void state_events_forget(struct state_events *events);

/* As state_db_each_event, state_db_drop_events; the newest first, as state_db_look. */
bool state_events_each(struct state_events *events, int64_t behind, int64_t limit, event_visit visit, void *context);
bool state_events_drop(struct state_events *events, int64_t up_to, int64_t keep);
bool state_events_newest(struct state_events *events, int64_t most, state_visit visit, void *context);

/* Takes over the rows of the version before, which held one event each, within the caller's transaction. */
bool state_events_take_over(struct state_events *events);

#endif
