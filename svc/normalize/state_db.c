/* The state's tables and queries. */
#include "normalize/state_db.h"

#include "db/db.h"

#include <stdlib.h>

enum {
    SCHEMA_VERSION = 1
};

static const char schema[] =
    "create table if not exists joins (id integer primary key, query_id text not null unique, due integer not null,"
    " open integer not null, state blob not null);"
    "create index if not exists joins_due on joins (due);"
    "create index if not exists joins_open on joins (open) where open = 1;"
    "create table if not exists catalog (seq integer primary key, key text not null unique, value text not null);"
    "create table if not exists events (seq integer primary key, query_id text not null, revision integer not null,"
    " event_time integer not null, value text not null);"
    "create table if not exists invalid (seq integer primary key, query_id text not null, value text not null);"
    "create table if not exists numbers (name text primary key, value integer not null) without rowid;"
    "pragma user_version = 1";

struct state_db {
    struct db *db;
    struct buf message; /* of the last trouble: it outlives the rollback */
};

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static bool prepare(struct state_db *db, struct buf *reason)
{
    int64_t version = db_number(db->db, "pragma user_version", -1);
    if (version > SCHEMA_VERSION) {
        BUF_ADD(reason, "the state was written by a newer version");
        return false;
    }
    if (version == SCHEMA_VERSION || (version == 0 && db_script(db->db, STR(schema))))
        return true;
    buf_add(reason, db_message(db->db));
    return false;
}

struct state_db *state_db_open(const char *path, struct buf *reason)
{
    struct state_db *db = calloc(1, sizeof *db);
    if (db == NULL) {
        BUF_ADD(reason, "out of memory");
        return NULL;
    }
    buf_init(&db->message, 0);
    const struct db_options options = {.address = str_make(path, strlen(path)), .access = DB_CREATE};
    db->db = db_open(&options, reason);
    if (db->db != NULL) {
        size_t before = reason->len;
        buf_add(reason, options.address);
        BUF_ADD(reason, ": ");
        if (prepare(db, reason)) {
            reason->len = before;
            return db;
        }
    }
    state_db_close(db);
    return NULL;
}

void state_db_close(struct state_db *db)
{
    if (db == NULL)
        return;
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
    return db_commit(db->db);
}

void state_db_rollback(struct state_db *db)
{
    (void)db_rollback(db->db);
}

bool state_db_put(struct state_db *db, str_t query_id, str_t state, int64_t due, bool open)
{
    struct db_query *q = db_query(db->db, "insert into joins (query_id, state, due, open) values ($1, $2, $3, $4)"
                                          " on conflict (query_id) do update set state = excluded.state, due = excluded.due,"
                                          " open = excluded.open");
    db_bind_text(q, 1, query_id);
    db_bind_blob(q, 2, state);
    db_bind_int(q, 3, due);
    db_bind_int(q, 4, open);
    return db_run(q);
}

bool state_db_del(struct state_db *db, str_t query_id)
{
    struct db_query *q = db_query(db->db, "delete from joins where query_id = $1");
    db_bind_text(q, 1, query_id);
    return db_run(q);
}

bool state_db_get(struct state_db *db, str_t query_id, struct buf *state)
{
    struct db_query *q = db_query(db->db, "select state from joins where query_id = $1");
    db_bind_text(q, 1, query_id);
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

bool state_db_add_event(struct state_db *db, const struct state_event *event)
{
    struct db_query *q = db_query(db->db, "insert into events (query_id, value, revision, event_time) values ($1, $2, $3, $4)");
    db_bind_text(q, 1, event->query_id);
    db_bind_text(q, 2, event->json);
    db_bind_int(q, 3, event->revision);
    db_bind_int(q, 4, event->event_time);
    return db_run(q);
}

bool state_db_each_event(struct state_db *db, int64_t behind, int64_t limit, event_visit visit, void *context)
{
    struct db_query *q = db_query(db->db, "select seq, value from events where seq > $1 order by seq limit $2");
    bool more = true;
    db_bind_int(q, 1, behind);
    db_bind_int(q, 2, limit);
    while (more && db_step(q))
        more = visit(context, db_int(q, 0), db_text(q, 1));
    db_done(q);
    if (!db_failed(db->db))
        return true;
    (void)db_rollback(db->db);
    return false;
}

bool state_db_drop_events(struct state_db *db, int64_t up_to, int64_t keep)
{
    struct db_query *q = db_query(db->db, "delete from events where seq <= $1 and seq <= (select max(seq) from events) - $2");
    db_bind_int(q, 1, up_to);
    db_bind_int(q, 2, keep);
    return db_run(q);
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

static bool look(struct db *db, const char *query, int64_t most, state_visit visit, void *context, struct buf *reason)
{
    if (db_number(db, "pragma user_version", -1) > SCHEMA_VERSION) {
        BUF_ADD(reason, "the state was written by a newer version");
        return false;
    }
    struct db_query *q = db_query(db, query);
    bool more = true;
    db_bind_int(q, 1, most);
    while (more && db_step(q))
        more = visit(context, db_text(q, 0), db_text(q, 1));
    db_done(q);
    if (db_failed(db))
        buf_add(reason, db_message(db));
    return !db_failed(db);
}

bool state_db_look(const char *path, bool invalid, int64_t most, state_visit visit, void *context, struct buf *reason)
{
    static const char *const last[] = {"select query_id, value from events order by seq desc limit $1",
                                       "select query_id, value from invalid order by seq desc limit $1"};
    const struct db_options options = {.address = str_make(path, strlen(path)), .access = DB_READ, .busy_ms = 1000};
    struct db *db = db_open(&options, reason);
    if (db == NULL)
        return false;
    bool good = look(db, last[invalid], most, visit, context, reason);
    db_close(db);
    return good;
}
