/* SQLite. This is the one file that includes it. */
#include "normalize/state_db.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    SCHEMA_VERSION = 1
};

/* Every statement that is used, prepared once. */
enum query {
    Q_BEGIN, Q_COMMIT, Q_ROLLBACK, Q_PUT, Q_DEL, Q_GET, Q_OPEN, Q_DUE, Q_NEXT_DUE, Q_CATALOG_PUT, Q_CATALOG, Q_EVENT, Q_INVALID,
    Q_NUMBER, Q_SET_NUMBER, QUERY_COUNT
};

static const char *const queries[QUERY_COUNT] = {
    [Q_BEGIN] = "begin immediate",
    [Q_COMMIT] = "commit",
    [Q_ROLLBACK] = "rollback",
    [Q_PUT] = ("insert into joins (query_id, state, due, open) values (?1, ?2, ?3, ?4)"
               " on conflict (query_id) do update set state = excluded.state, due = excluded.due, open = excluded.open"),
    [Q_DEL] = "delete from joins where query_id = ?1",
    [Q_GET] = "select state from joins where query_id = ?1",
    [Q_OPEN] = "select query_id, state from joins where open = 1 limit ?1",
    [Q_DUE] = "select query_id, state from joins where due <= ?2 order by due limit ?1",
    [Q_NEXT_DUE] = "select min(due) from joins",
    [Q_CATALOG_PUT] = "insert into catalog (key, value) values (?1, ?2) on conflict (key) do update set value = excluded.value",
    [Q_CATALOG] = "select key, value from catalog order by seq",
    [Q_EVENT] = "insert into events (query_id, value, revision, event_time) values (?1, ?2, ?3, ?4)",
    [Q_INVALID] = "insert into invalid (query_id, value) values (?1, ?2)",
    [Q_NUMBER] = "select value from numbers where name = ?1",
    [Q_SET_NUMBER] = "insert into numbers (name, value) values (?1, ?2) on conflict (name) do update set value = excluded.value",
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
    "create table if not exists numbers (name text primary key, value integer not null) without rowid;";

struct state_db {
    sqlite3 *handle;
    sqlite3_stmt *prepared[QUERY_COUNT];
};

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static bool run(struct state_db *db, const char *sql)
{
    return sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static int user_version(struct state_db *db)
{
    sqlite3_stmt *stmt = NULL;
    int version = -1;
    if (sqlite3_prepare_v2(db->handle, "pragma user_version", -1, &stmt, NULL) == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW)
        version = sqlite3_column_int(stmt, 0);
    sqlite3_finalize(stmt);
    return version;
}

/* False when it cannot be prepared for work; *message says why when SQLite does not. */
static bool prepare(struct state_db *db, const char **message)
{
    sqlite3_busy_timeout(db->handle, 5000);
    if (!run(db, "pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -32768; pragma temp_store = memory;"))
        return false;
    int version = user_version(db);
    if (version > SCHEMA_VERSION) {
        *message = "the state was written by a newer version";
        return false;
    }
    if (version == 0 && (!run(db, schema) || !run(db, "pragma user_version = 1")))
        return false;
    for (int i = 0; i < QUERY_COUNT; i++)
        if (sqlite3_prepare_v3(db->handle, queries[i], -1, SQLITE_PREPARE_PERSISTENT, &db->prepared[i], NULL) != SQLITE_OK)
            return false;
    return version >= 0;
}

/* For nobody else to read: SQL texts are in it. SQLite gives the files beside it the same rights. */
static void make_private(const char *path)
{
    int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor >= 0)
        close(descriptor);
}

struct state_db *state_db_open(const char *path, struct buf *reason)
{
    const char *message = NULL;
    struct state_db *db = calloc(1, sizeof *db);
    if (db == NULL) {
        BUF_ADD(reason, "out of memory");
        return NULL;
    }
    make_private(path);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &db->handle, flags, NULL) == SQLITE_OK && prepare(db, &message))
        return db;
    if (message == NULL)
        message = state_db_message(db);
    buf_add(reason, str_make(path, strlen(path)));
    BUF_ADD(reason, ": ");
    buf_add(reason, str_make(message, strlen(message)));
    state_db_close(db);
    return NULL;
}

void state_db_close(struct state_db *db)
{
    if (db == NULL)
        return;
    for (int i = 0; i < QUERY_COUNT; i++)
        sqlite3_finalize(db->prepared[i]);
    sqlite3_close(db->handle);
    free(db);
}

const char *state_db_message(const struct state_db *db)
{
    return db->handle == NULL ? "out of memory" : sqlite3_errmsg(db->handle);
}

/* ---- statements ------------------------------------------------------------------------------------------------- */

static void bind_text(sqlite3_stmt *stmt, int at, str_t text)
{
    sqlite3_bind_text64(stmt, at, text.len == 0 ? "" : text.ptr, text.len, SQLITE_STATIC, SQLITE_UTF8);
}

static void bind_bytes(sqlite3_stmt *stmt, int at, str_t bytes)
{
    sqlite3_bind_blob64(stmt, at, bytes.len == 0 ? "" : bytes.ptr, bytes.len, SQLITE_STATIC);
}

/* Runs a statement that gives no rows. */
static bool finish(sqlite3_stmt *stmt)
{
    int code = sqlite3_step(stmt);
    sqlite3_reset(stmt);
    return code == SQLITE_DONE;
}

static str_t column(sqlite3_stmt *stmt, int at)
{
    const char *bytes = sqlite3_column_blob(stmt, at);
    int len = sqlite3_column_bytes(stmt, at);
    return len == 0 ? STR("") : str_make(bytes, (size_t)len);
}

static bool each(sqlite3_stmt *stmt, state_visit visit, void *context)
{
    int code;
    bool more = true;
    while (more && (code = sqlite3_step(stmt)) == SQLITE_ROW)
        more = visit(context, column(stmt, 0), column(stmt, 1));
    sqlite3_reset(stmt);
    return !more || code == SQLITE_DONE;
}

bool state_db_begin(struct state_db *db)
{
    return finish(db->prepared[Q_BEGIN]);
}

bool state_db_commit(struct state_db *db)
{
    return finish(db->prepared[Q_COMMIT]);
}

void state_db_rollback(struct state_db *db)
{
    if (sqlite3_get_autocommit(db->handle) == 0)
        (void)finish(db->prepared[Q_ROLLBACK]);
}

bool state_db_put(struct state_db *db, str_t query_id, str_t state, int64_t due, bool open)
{
    sqlite3_stmt *stmt = db->prepared[Q_PUT];
    bind_text(stmt, 1, query_id);
    bind_bytes(stmt, 2, state);
    sqlite3_bind_int64(stmt, 3, due);
    sqlite3_bind_int(stmt, 4, open);
    return finish(stmt);
}

bool state_db_del(struct state_db *db, str_t query_id)
{
    bind_text(db->prepared[Q_DEL], 1, query_id);
    return finish(db->prepared[Q_DEL]);
}

bool state_db_get(struct state_db *db, str_t query_id, struct buf *state)
{
    sqlite3_stmt *stmt = db->prepared[Q_GET];
    bind_text(stmt, 1, query_id);
    bool found = sqlite3_step(stmt) == SQLITE_ROW;
    if (found)
        buf_add(state, column(stmt, 0));
    sqlite3_reset(stmt);
    return found;
}

bool state_db_each_open(struct state_db *db, int64_t limit, state_visit visit, void *context)
{
    sqlite3_bind_int64(db->prepared[Q_OPEN], 1, limit);
    return each(db->prepared[Q_OPEN], visit, context);
}

bool state_db_each_due(struct state_db *db, int64_t now_ms, int64_t limit, state_visit visit, void *context)
{
    sqlite3_bind_int64(db->prepared[Q_DUE], 1, limit);
    sqlite3_bind_int64(db->prepared[Q_DUE], 2, now_ms);
    return each(db->prepared[Q_DUE], visit, context);
}

int64_t state_db_next_due(struct state_db *db)
{
    sqlite3_stmt *stmt = db->prepared[Q_NEXT_DUE];
    int64_t due = INT64_MAX;
    if (sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_type(stmt, 0) != SQLITE_NULL)
        due = sqlite3_column_int64(stmt, 0);
    sqlite3_reset(stmt);
    return due;
}

bool state_db_put_catalog(struct state_db *db, str_t key, str_t value)
{
    bind_text(db->prepared[Q_CATALOG_PUT], 1, key);
    bind_text(db->prepared[Q_CATALOG_PUT], 2, value);
    return finish(db->prepared[Q_CATALOG_PUT]);
}

bool state_db_each_catalog(struct state_db *db, state_visit visit, void *context)
{
    return each(db->prepared[Q_CATALOG], visit, context);
}

bool state_db_add_event(struct state_db *db, const struct state_event *event)
{
    sqlite3_stmt *stmt = db->prepared[Q_EVENT];
    bind_text(stmt, 1, event->query_id);
    bind_text(stmt, 2, event->json);
    sqlite3_bind_int64(stmt, 3, event->revision);
    sqlite3_bind_int64(stmt, 4, event->event_time);
    return finish(stmt);
}

bool state_db_add_invalid(struct state_db *db, str_t query_id, str_t json)
{
    bind_text(db->prepared[Q_INVALID], 1, query_id);
    bind_text(db->prepared[Q_INVALID], 2, json);
    return finish(db->prepared[Q_INVALID]);
}

int64_t state_db_number(struct state_db *db, const char *name)
{
    sqlite3_stmt *stmt = db->prepared[Q_NUMBER];
    bind_text(stmt, 1, str_make(name, strlen(name)));
    int64_t value = sqlite3_step(stmt) == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : 0;
    sqlite3_reset(stmt);
    return value;
}

bool state_db_set_number(struct state_db *db, const char *name, int64_t value)
{
    sqlite3_stmt *stmt = db->prepared[Q_SET_NUMBER];
    bind_text(stmt, 1, str_make(name, strlen(name)));
    sqlite3_bind_int64(stmt, 2, value);
    return finish(stmt);
}
