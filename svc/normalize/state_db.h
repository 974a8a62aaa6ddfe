/*
 * The state of a normaliser that runs without Kafka: one SQLite file with the open joins and done markers, the catalog's changes, the events
 * and what was invalid. Changes come in transactions that are on disk when state_db_commit returns.
 *
 * Calls that can fail give false; state_db_message then says why.
 */
#ifndef COLLINE_NORMALIZE_STATE_DB_H
#define COLLINE_NORMALIZE_STATE_DB_H

#include "base/buf.h"

struct state_db;

/* Visits until false is given. Texts are borrowed. The visitor must not change the states. */
typedef bool (*state_visit)(void *context, str_t key, str_t value);

/* Makes the file when there is none. NULL, with the reason appended, when it cannot be opened, is in use, or is of a newer version. */
struct state_db *state_db_open(const char *path, struct buf *reason);

/* The same for a second handle, while the first is open: it only reads. */
struct state_db *state_db_open_to_read(const char *path, struct buf *reason);
void state_db_close(struct state_db *db);

/*
 * A look at the file while others may use it: the last events, as (empty, JSON), or what was invalid, as (query id, JSON), the newest first. Nothing is
 * written. False, with the reason appended, when it cannot be read, or is of another version.
 */
struct state_look {
    bool invalid;
    int64_t most;
    state_visit visit;
    void *context;
};

bool state_db_look(const char *path, const struct state_look *look, struct buf *reason);

/* Valid until the next call of it. */
const char *state_db_message(struct state_db *db);

bool state_db_begin(struct state_db *db);
bool state_db_commit(struct state_db *db);

/* Due after any failure: until then every call fails. */
void state_db_rollback(struct state_db *db);

/* States of queries. `open`: without an end yet. */
bool state_db_put(struct state_db *db, str_t query_id, str_t state, int64_t due, bool open);
bool state_db_del(struct state_db *db, str_t query_id);

/* Appends the state; false when there is none. */
bool state_db_get(struct state_db *db, str_t query_id, struct buf *state);

bool state_db_each_open(struct state_db *db, int64_t limit, state_visit visit, void *context);
bool state_db_each_due(struct state_db *db, int64_t now_ms, int64_t limit, state_visit visit, void *context);

/* When the first is due; INT64_MAX when there is none. */
int64_t state_db_next_due(struct state_db *db);

/* Changes of the catalog, by key; an empty value is kept too. */
bool state_db_put_catalog(struct state_db *db, str_t key, str_t value);
bool state_db_each_catalog(struct state_db *db, state_visit visit, void *context);

/* Numbered from 1 on; one line of JSON. */
bool state_db_add_event(struct state_db *db, str_t json);

/* Events behind a number, in order, until false is given; the visitor is told each one's number. */
typedef bool (*event_visit)(void *context, int64_t number, str_t json);
bool state_db_each_event(struct state_db *db, int64_t behind, int64_t limit, event_visit visit, void *context);

/* Takes away events up to a number, but for the newest `keep`; some that were written together with later ones stay. */
bool state_db_drop_events(struct state_db *db, int64_t up_to, int64_t keep);

bool state_db_add_invalid(struct state_db *db, str_t query_id, str_t json);

/* Numbers by name; 0 when it was never set. */
int64_t state_db_number(struct state_db *db, const char *name);
bool state_db_set_number(struct state_db *db, const char *name, int64_t value);

#endif
