/* The state's tables and queries. */
#include "normalize/state_db.h"

#include "normalize/state_events.h"
#include "run/hash.h"

#include <stdlib.h>

enum {
    SCHEMA_VERSION = 2,
    CACHE_BYTES = 16 * 1024 * 1024,
    READING_CACHE_BYTES = 1024 * 1024 /* of rows that are read once */
};

/* A query is found by a hash of its id, which is a third of the id's size: joins_by_query is written at random places, so its size counts. */
static const char joins_schema[] =
    "create table joins (id integer primary key, query integer not null, query_id text not null, due integer not null,"
    " open integer not null, state blob not null);"
    "create index joins_by_query on joins (query);"
    "create index joins_due on joins (due);"
    "create index joins_open on joins (open) where open = 1;";

static const char other_schema[] =
    "create table if not exists catalog (seq integer primary key, key text not null unique, value text not null);"
    "create table if not exists invalid (seq integer primary key, query_id text not null, value text not null);"
    "create table if not exists numbers (name text primary key, value integer not null) without rowid;"
    "pragma user_version = 2";

struct state_db {
    struct db *db;
    struct state_events events;
    struct buf message; /* of the last trouble: it outlives the rollback */
};

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static bool create(struct state_db *db)
{
    return db_script(db->db, STR(joins_schema)) && db_script(db->db, str_make(state_events_schema, strlen(state_events_schema))) &&
           db_script(db->db, STR(other_schema));
}

/* From version 1, whose rows are put anew. */
static bool upgrade(struct state_db *db)
{
    if (!db_script(db->db, STR("drop index joins_due; drop index joins_open; alter table joins rename to joins_before")) || !create(db))
        return false;
    struct db_query *q = db_query(db->db, "select query_id, state, due, open from joins_before order by id");
    bool good = true;
    while (good && db_step(q))
        good = state_db_put(db, db_text(q, 0), db_blob(q, 1), db_int(q, 2), db_int(q, 3) != 0);
    db_done(q);
    return good && db_script(db->db, STR("drop table joins_before")) && state_events_take_over(&db->events);
}

static bool prepare(struct state_db *db, struct buf *reason)
{
    int64_t version = db_number(db->db, "pragma user_version", -1);
    if (version > SCHEMA_VERSION) {
        BUF_ADD(reason, "the state was written by a newer version");
        return false;
    }
    if (version == SCHEMA_VERSION)
        return true;
    if (version >= 0 && db_begin(db->db) && (version == 0 ? create(db) : upgrade(db)) && db_commit(db->db))
        return true;
    buf_add(reason, db_message(db->db));
    return false;
}

static struct state_db *open_state(const struct db_options *options, struct buf *reason)
{
    struct state_db *db = calloc(1, sizeof *db);
    if (db == NULL) {
        BUF_ADD(reason, "out of memory");
        return NULL;
    }
    buf_init(&db->message, 0);
    db->db = db_open(options, reason);
    if (db->db != NULL && state_events_init(&db->events, db->db)) {
        size_t before = reason->len;
        buf_add(reason, options->address);
        BUF_ADD(reason, ": ");
        if (options->access == DB_READ || prepare(db, reason)) {
            reason->len = before;
            return db;
        }
    }
    state_db_close(db);
    return NULL;
}

struct state_db *state_db_open(const char *path, struct buf *reason)
{
    const struct db_options options = {.address = str_make(path, strlen(path)), .access = DB_CREATE, .cache_bytes = CACHE_BYTES};
    return open_state(&options, reason);
}

struct state_db *state_db_open_to_read(const char *path, struct buf *reason)
{
    const struct db_options options = {.address = str_make(path, strlen(path)), .access = DB_READ, .cache_bytes = READING_CACHE_BYTES};
    return open_state(&options, reason);
}

void state_db_close(struct state_db *db)
{
    if (db == NULL)
        return;
    state_events_release(&db->events);
    db_close(db->db);
    buf_release(&db->message);
    free(db);
}

const char *state_db_message(struct state_db *db)
{
    buf_clear(&db->message);
    buf_add(&db->message, db_message(db->db));
    buf_add_char(&db->message, '\0');
    return db->message.failed ? "out of memory" : db->message.ptr;
}

/* ---- statements ------------------------------------------------------------------------------------------------- */

static bool each(struct db_query *q, state_visit visit, void *context)
{
    bool more = true;
    while (more && db_step(q))
        more = visit(context, db_text(q, 0), db_blob(q, 1));
    db_done(q);
    return true;
}

bool state_db_begin(struct state_db *db)
{
    if (db_failed(db->db))
        (void)db_rollback(db->db); /* of a question between two transactions */
    return db_begin(db->db);
}

bool state_db_commit(struct state_db *db)
{
    return state_events_flush(&db->events) && db_commit(db->db);
}

void state_db_rollback(struct state_db *db)
{
    state_events_forget(&db->events);
    (void)db_rollback(db->db);
}

bool state_db_put(struct state_db *db, str_t query_id, str_t state, int64_t due, bool open)
{
    static const char *const statements[] = {"update joins set state = $3, due = $4, open = $5 where query = $1 and query_id = $2",
                                             "insert into joins (query, query_id, state, due, open) values ($1, $2, $3, $4, $5)"};
    bool done = false, good = true;
    for (int i = 0; i < 2 && good && !done; i++) {
        struct db_query *q = db_query(db->db, statements[i]);
        db_bind_int(q, 1, hash47(query_id));
        db_bind_text(q, 2, query_id);
        db_bind_blob(q, 3, state);
        db_bind_int(q, 4, due);
        db_bind_int(q, 5, open);
        good = db_run_changed(q, &done);
    }
    return good;
}

bool state_db_del(struct state_db *db, str_t query_id)
{
    struct db_query *q = db_query(db->db, "delete from joins where query = $1 and query_id = $2");
    db_bind_int(q, 1, hash47(query_id));
    db_bind_text(q, 2, query_id);
    return db_run(q);
}

bool state_db_get(struct state_db *db, str_t query_id, struct buf *state)
{
    struct db_query *q = db_query(db->db, "select state from joins where query = $1 and query_id = $2");
    db_bind_int(q, 1, hash47(query_id));
    db_bind_text(q, 2, query_id);
    bool found = db_step(q);
    if (found)
        buf_add(state, db_blob(q, 0));
    db_done(q);
    return found;
}

bool state_db_each_open(struct state_db *db, int64_t limit, state_visit visit, void *context)
{
    struct db_query *q = db_query(db->db, "select query_id, state from joins where open = 1 limit $1");
    db_bind_int(q, 1, limit);
    return each(q, visit, context) && !db_failed(db->db);
}

bool state_db_each_due(struct state_db *db, int64_t now_ms, int64_t limit, state_visit visit, void *context)
{
    struct db_query *q = db_query(db->db, "select query_id, state from joins where due <= $2 order by due limit $1");
    db_bind_int(q, 1, limit);
    db_bind_int(q, 2, now_ms);
    return each(q, visit, context) && !db_failed(db->db);
}

int64_t state_db_next_due(struct state_db *db)
{
    return db_number(db->db, "select min(due) from joins", INT64_MAX);
}

bool state_db_put_catalog(struct state_db *db, str_t key, str_t value)
{
    struct db_query *q = db_query(db->db, "insert into catalog (key, value) values ($1, $2)"
                                          " on conflict (key) do update set value = excluded.value");
    db_bind_text(q, 1, key);
    db_bind_text(q, 2, value);
    return db_run(q);
}

bool state_db_each_catalog(struct state_db *db, state_visit visit, void *context)
{
    return each(db_query(db->db, "select key, value from catalog order by seq"), visit, context) && !db_failed(db->db);
}

bool state_db_add_event(struct state_db *db, str_t json)
{
    return state_events_add(&db->events, json);
}

bool state_db_each_event(struct state_db *db, int64_t behind, int64_t limit, event_visit visit, void *context)
{
    if (state_events_each(&db->events, behind, limit, visit, context))
        return true;
    (void)db_rollback(db->db);
    return false;
}

bool state_db_drop_events(struct state_db *db, int64_t up_to, int64_t keep)
{
    return state_events_drop(&db->events, up_to, keep);
}

bool state_db_add_invalid(struct state_db *db, str_t query_id, str_t json)
{
    struct db_query *q = db_query(db->db, "insert into invalid (query_id, value) values ($1, $2)");
    db_bind_text(q, 1, query_id);
    db_bind_text(q, 2, json);
    return db_run(q);
}

int64_t state_db_number(struct state_db *db, const char *name)
{
    struct db_query *q = db_query(db->db, "select value from numbers where name = $1");
    db_bind_text(q, 1, str_make(name, strlen(name)));
    int64_t value = db_step(q) ? db_int(q, 0) : 0;
    db_done(q);
    return value;
}

bool state_db_set_number(struct state_db *db, const char *name, int64_t value)
{
    struct db_query *q = db_query(db->db, "insert into numbers (name, value) values ($1, $2)"
                                          " on conflict (name) do update set value = excluded.value");
    db_bind_text(q, 1, str_make(name, strlen(name)));
    db_bind_int(q, 2, value);
    return db_run(q);
}

/* ---- looking ---------------------------------------------------------------------------------------------------- */

static bool look_at_invalid(struct db *db, int64_t most, state_visit visit, void *context)
{
    struct db_query *q = db_query(db, "select query_id, value from invalid order by seq desc limit $1");
    bool more = true;
    db_bind_int(q, 1, most);
    while (more && db_step(q))
        more = visit(context, db_text(q, 0), db_text(q, 1));
    db_done(q);
    return !db_failed(db);
}

static bool look_at_events(struct db *db, int64_t most, state_visit visit, void *context)
{
    struct state_events events;
    bool good = state_events_init(&events, db) && state_events_newest(&events, most, visit, context);
    state_events_release(&events);
    return good;
}

static bool look(struct db *db, const struct state_look *look, struct buf *reason)
{
    int64_t version = db_number(db, "pragma user_version", -1);
    if (version > SCHEMA_VERSION) {
        BUF_ADD(reason, "the state was written by a newer version");
        return false;
    }
    if (version >= 0 && version < SCHEMA_VERSION) {
        BUF_ADD(reason, "the state was written by an older version: `colline serve` brings it up to date");
        return false;
    }
    if (look->invalid ? look_at_invalid(db, look->most, look->visit, look->context) : look_at_events(db, look->most, look->visit, look->context))
        return true;
    buf_add(reason, db_message(db));
    return false;
}

bool state_db_look(const char *path, const struct state_look *wish, struct buf *reason)
{
    const struct db_options options = {.address = str_make(path, strlen(path)), .access = DB_READ, .busy_ms = 1000};
    struct db *db = db_open(&options, reason);
    if (db == NULL)
        return false;
    bool good = look(db, wish, reason);
    db_close(db);
    return good;
}
