/*
 * SQLite. This is the one file that includes it.
 *
 * The journal is write-ahead, so readers never wait for the writer nor it for them. A commit is on disk when it returns, unless the caller is
 * content with surviving kill -9.
 */
#include "db/driver.h"

#include "base/jsonw.h"
#include "run/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    BUSY_MS = 5000,
    CACHE_KIB = 32 * 1024
};

/* db.inner is the sqlite3, db_query.inner the sqlite3_stmt. */

static sqlite3 *handle_of(const struct db *db)
{
    return db->inner;
}

static enum db_trouble trouble_of(int code)
{
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return DB_BUSY;
    case SQLITE_FULL:
        return DB_FULL;
    case SQLITE_IOERR:
        return errno == ENOSPC ? DB_FULL : DB_WRONG;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return DB_CORRUPT;
    default:
        return DB_WRONG;
    }
}

static bool fail(struct db *db)
{
    sqlite3 *handle = handle_of(db);
    return db_fail(db, trouble_of(sqlite3_extended_errcode(handle)), sqlite3_errmsg(handle));
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static bool script(struct db *db, const char *sql)
{
    return sqlite3_exec(handle_of(db), sql, NULL, NULL, NULL) == SQLITE_OK || fail(db);
}

/* For nobody else to read: SQL texts are in it. SQLite gives the files beside it the same rights. */
static void make_private(const char *path)
{
    int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor >= 0)
        close(descriptor);
}

static bool settle(struct db *db, const struct db_options *options)
{
    char text[256];
    int64_t cache = options->cache_bytes > 0 ? options->cache_bytes / 1024 : CACHE_KIB;
    snprintf(text, sizeof text, "pragma cache_size = -%" PRId64 "; pragma temp_store = memory; pragma mmap_size = 0;", cache);
    if (!script(db, text))
        return false;
    if (options->access == DB_READ)
        return true;
    return script(db, "pragma journal_mode = wal; pragma wal_autocheckpoint = 16384; pragma journal_size_limit = 134217728;") &&
           script(db, options->careless ? "pragma synchronous = normal" : "pragma synchronous = full");
}

/* hash47(text), for scripts: rows that are made by SQL have the hashes of those that are made here. */
static void hash_of_text(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    const char *text = (const char *)sqlite3_value_text(values[0]);
    int len = sqlite3_value_bytes(values[0]);
    sqlite3_result_int64(context, hash47(text == NULL ? STR("") : str_make(text, (size_t)len)));
}

/* A transaction that a killed process left in a rollback journal is taken back; who only reads may not do that. */
static void take_back(const char *path)
{
    sqlite3 *handle = NULL;
    if (sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK) {
        sqlite3_busy_timeout(handle, BUSY_MS);
        (void)sqlite3_exec(handle, "pragma schema_version", NULL, NULL, NULL);
    }
    sqlite3_close(handle);
}

/*
 * Whether it can be read at all. The file is in rollback mode only until its first writer has switched it to write-ahead; a writer that is killed while it does
 * that leaves a journal, which must be taken back before anybody reads. What else is wrong, the first question meets.
 */
static bool can_be_read(struct db *db, const char *path)
{
    sqlite3 *handle = handle_of(db);
    int code = sqlite3_exec(handle, "pragma schema_version", NULL, NULL, NULL);
    if (code == SQLITE_READONLY) {
        take_back(path);
        code = sqlite3_exec(handle, "pragma schema_version", NULL, NULL, NULL);
    }
    if (code == SQLITE_READONLY)
        return db_fail(db, DB_WRONG, "whoever made it was killed, and you may not write it, so it cannot be put in order: `colline load` does that");
    if (code == SQLITE_CANTOPEN && access(path, R_OK) == 0)
        return db_fail(db, DB_WRONG, "you may not write beside it: also who only reads shares the file NAME-shm with the writer");
    return true;
}

static bool open_file(struct db *db, const struct db_options *options, const char *path)
{
    static const int flags[] = {
        [DB_READ] = SQLITE_OPEN_READONLY,
        [DB_WRITE] = SQLITE_OPEN_READWRITE,
        [DB_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
    };
    sqlite3 *handle = NULL;
    if (options->access == DB_CREATE)
        make_private(path);
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* nobody asks for its counts, which take a lock each time; only the first open can */
    int code = sqlite3_open_v2(path, &handle, flags[options->access] | SQLITE_OPEN_NOMUTEX, NULL);
    db->inner = handle;
    if (handle == NULL)
        return db_fail(db, DB_WRONG, "out of memory");
    if (code == SQLITE_OK)
        code = sqlite3_create_function_v2(handle, "hash47", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, hash_of_text, NULL, NULL, NULL);
    if (code != SQLITE_OK)
        return fail(db);
    sqlite3_busy_timeout(handle, options->busy_ms > 0 ? (int)options->busy_ms : BUSY_MS);
    return (options->access != DB_READ || can_be_read(db, path)) && settle(db, options);
}

static bool sqlite_open(struct db *db, const struct db_options *options, struct buf *reason)
{
    char *path = malloc(options->address.len + 1);
    if (path == NULL) {
        BUF_ADD(reason, "out of memory");
        return false;
    }
    memcpy(path, options->address.ptr, options->address.len);
    path[options->address.len] = '\0';
    bool good = open_file(db, options, path);
    free(path);
    if (good)
        return true;
    buf_add(reason, options->address);
    BUF_ADD(reason, ": ");
    buf_add(reason, db_message(db));
    return false;
}

static void sqlite_close(struct db *db)
{
    sqlite3_close(handle_of(db));
}

/* ---- transactions ----------------------------------------------------------------------------------------------- */

static bool begin(struct db *db, bool read)
{
    return script(db, read ? "begin" : "begin immediate");
}

static bool commit(struct db *db)
{
    return script(db, "commit");
}

static bool rollback(struct db *db)
{
    for (size_t i = 0; i < db->query_capacity; i++)
        if (db->queries[i] != NULL)
            sqlite3_reset(db->queries[i]->inner);
    if (sqlite3_get_autocommit(handle_of(db)) == 0)
        (void)sqlite3_exec(handle_of(db), "rollback", NULL, NULL, NULL);
    return true;
}

static bool end_read(struct db *db)
{
    return rollback(db);
}

/* A file is not waited for. */
static uint64_t waits(const struct db *db)
{
    (void)db;
    return 0;
}

/* ---- queries ---------------------------------------------------------------------------------------------------- */

static bool prepare(struct db_query *q, const char *sql)
{
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v3(handle_of(q->db), sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL) != SQLITE_OK)
        return fail(q->db);
    q->inner = stmt;
    return true;
}

static void release(struct db_query *q)
{
    sqlite3_finalize(q->inner);
}

static void reset(struct db_query *q)
{
    sqlite3_reset(q->inner);
    sqlite3_clear_bindings(q->inner);
}

static void bind_int(struct db_query *q, int at, int64_t value)
{
    sqlite3_bind_int64(q->inner, at, value);
}

static void bind_text(struct db_query *q, int at, str_t value)
{
    sqlite3_bind_text64(q->inner, at, value.len == 0 ? "" : value.ptr, value.len, SQLITE_STATIC, SQLITE_UTF8);
}

static void bind_blob(struct db_query *q, int at, str_t value)
{
    sqlite3_bind_blob64(q->inner, at, value.len == 0 ? "" : value.ptr, value.len, SQLITE_STATIC);
}

static void bind_null(struct db_query *q, int at)
{
    sqlite3_bind_null(q->inner, at);
}

/* A JSON array, which json_each takes apart. */
static void bind_ids(struct db_query *q, int at, const int64_t *ids, size_t count)
{
    struct buf text;
    char digits[24];
    buf_init(&text, 0);
    buf_add_char(&text, '[');
    for (size_t i = 0; i < count; i++) {
        int len = snprintf(digits, sizeof digits, i == 0 ? "%" PRId64 : ",%" PRId64, ids[i]);
        buf_add(&text, str_make(digits, (size_t)len));
    }
    buf_add_char(&text, ']');
    if (text.failed)
        (void)db_fail(q->db, DB_WRONG, "out of memory");
    else
        sqlite3_bind_text64(q->inner, at, text.ptr, text.len, SQLITE_TRANSIENT, SQLITE_UTF8);
    buf_release(&text);
}

static void bind_texts(struct db_query *q, int at, const str_t *texts, size_t count)
{
    struct buf text;
    struct jsonw w;
    buf_init(&text, 0);
    jsonw_init(&w, &text, false);
    jsonw_array_begin(&w);
    for (size_t i = 0; i < count; i++)
        jsonw_string(&w, texts[i]);
    jsonw_array_end(&w);
    if (text.failed)
        (void)db_fail(q->db, DB_WRONG, "out of memory");
    else
        sqlite3_bind_text64(q->inner, at, text.ptr, text.len, SQLITE_TRANSIENT, SQLITE_UTF8);
    buf_release(&text);
}

static bool run(struct db_query *q)
{
    int code;
    do
        code = sqlite3_step(q->inner);
    while (code == SQLITE_ROW);
    bool good = code == SQLITE_DONE || fail(q->db);
    sqlite3_reset(q->inner);
    return good;
}

static bool run_changed(struct db_query *q, bool *changed)
{
    bool good = run(q);
    *changed = good && sqlite3_changes(handle_of(q->db)) > 0;
    return good;
}

/* Rows are made one by one, when they are stepped to. */
static void start(struct db_query *q)
{
    (void)q;
}

static bool step(struct db_query *q)
{
    int code = sqlite3_step(q->inner);
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        (void)fail(q->db);
    sqlite3_reset(q->inner);
    return false;
}

static int64_t get_int(const struct db_query *q, int column)
{
    return sqlite3_column_int64(q->inner, column);
}

static str_t get_blob(const struct db_query *q, int column)
{
    const char *bytes = sqlite3_column_blob(q->inner, column);
    int len = sqlite3_column_bytes(q->inner, column);
    return len == 0 || bytes == NULL ? STR("") : str_make(bytes, (size_t)len);
}

static str_t get_text(const struct db_query *q, int column)
{
    const char *bytes = (const char *)sqlite3_column_text(q->inner, column);
    int len = sqlite3_column_bytes(q->inner, column);
    return len == 0 || bytes == NULL ? STR("") : str_make(bytes, (size_t)len);
}

static bool is_null(const struct db_query *q, int column)
{
    return sqlite3_column_type(q->inner, column) == SQLITE_NULL;
}

const struct db_ops db_sqlite_ops = {
    .open = sqlite_open,
    .close = sqlite_close,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .end_read = end_read,
    .waits = waits,
    .script = script,
    .prepare = prepare,
    .release = release,
    .reset = reset,
    .bind_int = bind_int,
    .bind_text = bind_text,
    .bind_blob = bind_blob,
    .bind_null = bind_null,
    .bind_ids = bind_ids,
    .bind_texts = bind_texts,
    .run = run,
    .run_changed = run_changed,
    .start = start,
    .step = step,
    .get_int = get_int,
    .get_text = get_text,
    .get_blob = get_blob,
    .is_null = is_null,
};
