/* What both drivers share: the table of prepared queries, the sticky error, and the way from the neutral text to the driver's. */
#include "db/driver.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- texts ------------------------------------------------------------------------------------------------------ */

static bool is_for(enum db_kind kind, str_t line)
{
    if (str_ends_with(line, STR("--sqlite")))
        return kind == DB_SQLITE;
    if (str_ends_with(line, STR("--postgres")))
        return kind == DB_POSTGRES;
    return true;
}

/* Length of `$12` at the front; 0 when it is none. */
static size_t parameter_length(str_t text)
{
    size_t len = 1;
    if (text.len < 2 || text.ptr[0] != '$' || !isdigit((unsigned char)text.ptr[1]))
        return 0;
    while (len < text.len && isdigit((unsigned char)text.ptr[len]))
        len++;
    return len;
}

static void add_parameter(enum db_kind kind, str_t parameter, struct buf *out)
{
    buf_add_char(out, kind == DB_SQLITE ? '?' : '$');
    buf_add(out, str_make(parameter.ptr + 1, parameter.len - 1));
}

static void add_ids(enum db_kind kind, str_t parameter, struct buf *out)
{
    if (kind == DB_SQLITE) {
        BUF_ADD(out, "(select value from json_each(");
        add_parameter(kind, parameter, out);
        BUF_ADD(out, "))");
        return;
    }
    BUF_ADD(out, "(select unnest(");
    add_parameter(kind, parameter, out);
    BUF_ADD(out, "::bigint[]))");
}

/* Takes one piece from the front: a quoted text, a set, a parameter, or one byte. Gives its length. */
static size_t add_piece(enum db_kind kind, str_t text, struct buf *out)
{
    if (text.ptr[0] == '\'') {
        size_t end = str_find(text, '\'', 1);
        size_t len = end < text.len ? end + 1 : text.len;
        buf_add(out, str_make(text.ptr, len));
        return len;
    }
    if (kind == DB_POSTGRES && str_starts_with(text, STR("in ids($"))) { /* which its planner knows how to look up */
        size_t len = parameter_length(str_make(text.ptr + 7, text.len - 7));
        BUF_ADD(out, "= any(");
        add_parameter(kind, str_make(text.ptr + 7, len), out);
        BUF_ADD(out, "::bigint[])");
        return 7 + len + 1;
    }
    if (str_starts_with(text, STR("ids($"))) {
        size_t len = parameter_length(str_make(text.ptr + 4, text.len - 4));
        add_ids(kind, str_make(text.ptr + 4, len), out);
        return 4 + len + 1;
    }
    size_t len = parameter_length(text);
    if (len > 0) {
        add_parameter(kind, str_make(text.ptr, len), out);
        return len;
    }
    buf_add_char(out, text.ptr[0]);
    return 1;
}

void db_translate(enum db_kind kind, str_t sql, struct buf *out)
{
    for (size_t at = 0; at < sql.len;) {
        size_t end = str_find(sql, '\n', at);
        str_t line = str_make(sql.ptr + at, end - at);
        at = end + 1;
        if (!is_for(kind, line))
            continue;
        for (size_t i = 0; i < line.len;)
            i += add_piece(kind, str_make(line.ptr + i, line.len - i), out);
        buf_add_char(out, '\n');
    }
    buf_add_char(out, '\0');
}

bool db_is_server(str_t address)
{
    return str_starts_with(address, STR("postgres://")) || str_starts_with(address, STR("postgresql://"));
}

/* ---- handles ---------------------------------------------------------------------------------------------------- */

static struct db_query *query_new(struct db *db, const char *text)
{
    struct db_query *q = calloc(1, sizeof *q);
    if (q == NULL)
        return NULL;
    q->db = db;
    q->text = text;
    return q;
}

struct db *db_open(const struct db_options *options, struct buf *reason)
{
    struct db *db = calloc(1, sizeof *db);
    if (db != NULL)
        db->broken = query_new(db, "");
    if (db == NULL || db->broken == NULL) {
        BUF_ADD(reason, "out of memory");
        free(db);
        return NULL;
    }
    buf_init(&db->message, 0);
    db->kind = db_is_server(options->address) ? DB_POSTGRES : DB_SQLITE;
    db->ops = db->kind == DB_POSTGRES ? &db_postgres_ops : &db_sqlite_ops;
    if (db->ops->open(db, options, reason))
        return db;
    db_close(db);
    return NULL;
}

void db_close(struct db *db)
{
    if (db == NULL)
        return;
    for (size_t i = 0; i < db->query_capacity; i++)
        if (db->queries[i] != NULL) {
            if (db->queries[i]->inner != NULL)
                db->ops->release(db->queries[i]);
            free(db->queries[i]);
        }
    free(db->queries);
    db->ops->close(db);
    free(db->broken);
    buf_release(&db->message);
    free(db);
}

enum db_kind db_kind_of(const struct db *db)
{
    return db->kind;
}

bool db_fail(struct db *db, enum db_trouble trouble, const char *message)
{
    if (db->trouble != DB_FINE)
        return false;
    db->trouble = trouble;
    buf_clear(&db->message);
    size_t len = strlen(message);
    while (len > 0 && (message[len - 1] == '\n' || message[len - 1] == ' '))
        len--;
    buf_add(&db->message, str_make(message, len));
    return false;
}

bool db_failed(const struct db *db)
{
    return db->trouble != DB_FINE;
}

enum db_trouble db_trouble(const struct db *db)
{
    return db->trouble;
}

str_t db_message(const struct db *db)
{
    return buf_str(&db->message);
}

bool db_begin(struct db *db)
{
    return !db_failed(db) && db->ops->begin(db, false);
}

bool db_begin_read(struct db *db)
{
    return !db_failed(db) && db->ops->begin(db, true);
}

bool db_commit(struct db *db)
{
    return !db_failed(db) && db->ops->commit(db);
}

bool db_rollback(struct db *db)
{
    db->trouble = DB_FINE;
    return db->ops->rollback(db);
}

void db_end_read(struct db *db)
{
    if (db_failed(db) || !db->ops->end_read(db))
        (void)db_rollback(db);
}

uint64_t db_waits(const struct db *db)
{
    return db->ops->waits(db);
}

bool db_script(struct db *db, str_t sql)
{
    struct buf text;
    buf_init(&text, 0);
    db_translate(db->kind, sql, &text);
    bool good = text.failed ? db_fail(db, DB_WRONG, "out of memory") : !db_failed(db) && db->ops->script(db, text.ptr);
    buf_release(&text);
    return good;
}

/* ---- prepared queries ------------------------------------------------------------------------------------------- */

static size_t slot_of(const struct db *db, const char *text)
{
    size_t mask = db->query_capacity - 1;
    size_t at = ((uintptr_t)text * 0x9fb21c651e98df25u >> 32) & mask;
    while (db->queries[at] != NULL && db->queries[at]->text != text)
        at = (at + 1) & mask;
    return at;
}

static bool grow_queries(struct db *db)
{
    if (db->query_count * 2 < db->query_capacity)
        return true;
    struct db_query **old = db->queries;
    size_t old_capacity = db->query_capacity;
    size_t capacity = old_capacity == 0 ? 64 : old_capacity * 2;
    struct db_query **queries = calloc(capacity, sizeof(struct db_query *));
    if (queries == NULL)
        return false;
    db->queries = queries;
    db->query_capacity = capacity;
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i] != NULL)
            queries[slot_of(db, old[i]->text)] = old[i];
    free(old);
    return true;
}

static struct db_query *prepare(struct db *db, const char *sql)
{
    struct buf text;
    struct db_query *q = query_new(db, sql);
    buf_init(&text, 0);
    db_translate(db->kind, str_make(sql, strlen(sql)), &text);
    if (q == NULL || text.failed)
        (void)db_fail(db, DB_WRONG, "out of memory");
    else if (db->ops->prepare(q, text.ptr)) {
        buf_release(&text);
        return q;
    }
    buf_release(&text);
    free(q);
    return NULL;
}

struct db_query *db_query(struct db *db, const char *sql)
{
    if (db_failed(db))
        return db->broken;
    if (!grow_queries(db)) {
        (void)db_fail(db, DB_WRONG, "out of memory");
        return db->broken;
    }
    size_t at = slot_of(db, sql);
    if (db->queries[at] != NULL) {
        db->ops->reset(db->queries[at]);
        return db->queries[at];
    }
    db->queries[at] = prepare(db, sql);
    db->query_count += db->queries[at] != NULL;
    return db->queries[at] == NULL ? db->broken : db->queries[at];
}

void db_bind_int(struct db_query *q, int at, int64_t value)
{
    if (q->inner != NULL)
        q->db->ops->bind_int(q, at, value);
}

void db_bind_text(struct db_query *q, int at, str_t value)
{
    if (q->inner != NULL)
        q->db->ops->bind_text(q, at, value);
}

void db_bind_blob(struct db_query *q, int at, str_t value)
{
    if (q->inner != NULL)
        q->db->ops->bind_blob(q, at, value);
}

void db_bind_null(struct db_query *q, int at)
{
    if (q->inner != NULL)
        q->db->ops->bind_null(q, at);
}

void db_bind_ids(struct db_query *q, int at, const int64_t *ids, size_t count)
{
    if (q->inner != NULL)
        q->db->ops->bind_ids(q, at, ids, count);
}

void db_bind_texts(struct db_query *q, int at, const str_t *texts, size_t count)
{
    if (q->inner != NULL)
        q->db->ops->bind_texts(q, at, texts, count);
}

void db_bind_word(struct db_query *q, int at, str_t value)
{
    if (value.len == 0)
        db_bind_null(q, at);
    else
        db_bind_text(q, at, value);
}

bool db_run(struct db_query *q)
{
    return q->inner != NULL && !db_failed(q->db) && q->db->ops->run(q);
}

bool db_run_changed(struct db_query *q, bool *changed)
{
    *changed = false;
    return q->inner != NULL && !db_failed(q->db) && q->db->ops->run_changed(q, changed);
}

void db_start(struct db_query *q)
{
    if (q->inner != NULL && !db_failed(q->db))
        q->db->ops->start(q);
}

bool db_step(struct db_query *q)
{
    return q->inner != NULL && !db_failed(q->db) && q->db->ops->step(q);
}

int64_t db_int(const struct db_query *q, int column)
{
    return q->inner == NULL ? 0 : q->db->ops->get_int(q, column);
}

str_t db_text(const struct db_query *q, int column)
{
    return q->inner == NULL ? STR("") : q->db->ops->get_text(q, column);
}

str_t db_blob(const struct db_query *q, int column)
{
    return q->inner == NULL ? STR("") : q->db->ops->get_blob(q, column);
}

bool db_is_null(const struct db_query *q, int column)
{
    return q->inner == NULL || q->db->ops->is_null(q, column);
}

void db_done(struct db_query *q)
{
    if (q->inner != NULL)
        q->db->ops->reset(q);
}

bool db_any(struct db_query *q)
{
    bool found = db_step(q);
    db_done(q);
    return found;
}

int64_t db_count(struct db_query *q)
{
    int64_t rows = 0;
    while (db_step(q))
        rows++;
    return rows;
}

int64_t db_number(struct db *db, const char *sql, int64_t none)
{
    struct db_query *q = db_query(db, sql);
    int64_t number = db_step(q) && !db_is_null(q, 0) ? db_int(q, 0) : none;
    db_done(q);
    return number;
}
