/*
 * PostgreSQL. This is the one file that includes libpq.
 *
 * The connection is in pipeline mode: a query is only sent, and results are looked at, all that are under way at once, when somebody waits for his rows, or
 * when many are under way. Parameters go as text (numbers) or in the server's binary form (texts, lists), rows come in its binary form. Queries are prepared
 * when they are first used in a session, and again after the server had to be reached anew.
 */
#include "db/driver.h"

#include <inttypes.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PARAMETERS_MAX = 40,
    UNDER_WAY_MAX = 400 /* replies of so many fit into the socket: neither side waits for the other */
};

/* Numbers of the server's types, the same in every server (src/include/catalog/pg_type.dat). */
enum { TYPE_BOOL = 16, TYPE_INT8 = 20, TYPE_INT2 = 21, TYPE_INT4 = 23, TYPE_TEXT = 25, TYPE_NUMERIC = 1700 };

/* db.inner */
struct server {
    PGconn *connection;
    char *address;
    enum db_access access;
    bool careless;
    bool in_transaction;
    unsigned session;   /* of the connections so far */
    unsigned named;     /* prepared queries so far */
    unsigned under_way; /* sent, results not looked at */
    unsigned syncs;     /* ends of batches that were sent and not met */
    struct db_query *wanting[UNDER_WAY_MAX]; /* whose rows each of those under way gives; NULL: nobody's */
    uint64_t waits;
};

/* A value bound. */
struct parameter {
    struct buf owned; /* of numbers and sets */
    const char *value;
    int length, format;
};

/* db_query.inner */
struct prepared {
    char *sql;
    char name[16];
    unsigned session; /* in which it is prepared; 0: in none */
    int count;
    struct parameter parameters[PARAMETERS_MAX];
    PGresult *rows;
    int row;
    bool sent; /* its rows are under way */
    struct buf spelled; /* of get_text over a number */
};

static struct server *server_of(const struct db *db)
{
    return db->inner;
}

/* ---- trouble ---------------------------------------------------------------------------------------------------- */

static enum db_trouble trouble_of(const PGconn *connection, const char *state)
{
    if (PQstatus(connection) != CONNECTION_OK || state == NULL)
        return DB_GONE;
    if (strncmp(state, "08", 2) == 0 || strncmp(state, "57P", 3) == 0)
        return DB_GONE;
    if (strcmp(state, "53100") == 0)
        return DB_FULL;
    if (strcmp(state, "40001") == 0 || strcmp(state, "40P01") == 0 || strcmp(state, "55P03") == 0)
        return DB_BUSY;
    return DB_WRONG;
}

static bool fail_result(struct db *db, const PGresult *result)
{
    const PGconn *connection = server_of(db)->connection;
    const char *message = result == NULL ? PQerrorMessage(connection) : PQresultErrorMessage(result);
    return db_fail(db, trouble_of(connection, result == NULL ? NULL : PQresultErrorField(result, PG_DIAG_SQLSTATE)), message);
}

static bool fail_connection(struct db *db)
{
    return fail_result(db, NULL);
}

static bool is_good(const PGresult *result)
{
    ExecStatusType status = PQresultStatus(result);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY; /* the last: a script for the others only */
}

/* ---- the pipeline ----------------------------------------------------------------------------------------------- */

/* A result belongs to whoever wants its rows, else it goes. */
static void take_result(struct db *db, unsigned number, PGresult *result)
{
    struct server *s = server_of(db);
    struct db_query *q = number < s->under_way ? s->wanting[number] : NULL;
    if (!is_good(result) && PQresultStatus(result) != PGRES_PIPELINE_ABORTED)
        (void)fail_result(db, result);
    if (q == NULL || db_failed(db)) {
        PQclear(result);
        return;
    }
    struct prepared *p = q->inner;
    PQclear(p->rows);
    p->rows = result;
    p->row = -1;
}

/* Nobody waits for his rows any more. */
static void none_under_way(struct server *s)
{
    for (unsigned i = 0; i < s->under_way; i++)
        if (s->wanting[i] != NULL)
            ((struct prepared *)s->wanting[i]->inner)->sent = false;
    s->under_way = 0;
    s->syncs = 0;
}

/* Has the server answer all that is under way, without waiting for it. */
static bool flush(struct db *db)
{
    struct server *s = server_of(db);
    s->syncs++;
    return PQpipelineSync(s->connection) == 1 || fail_connection(db);
}

/* Takes the results of all that is under way. */
static bool settle(struct db *db)
{
    struct server *s = server_of(db);
    unsigned number = 0;
    bool ended = true; /* NULL ends each query's results; two of them: there is nothing more */
    if (s->under_way == 0 && s->syncs == 0)
        return !db_failed(db);
    bool good = flush(db);
    s->waits++;
    while (good && s->syncs > 0) {
        PGresult *result = PQgetResult(s->connection);
        if (result == NULL && (ended || PQstatus(s->connection) != CONNECTION_OK)) {
            good = PQstatus(s->connection) == CONNECTION_OK || fail_connection(db);
            break;
        }
        ended = result == NULL || PQresultStatus(result) == PGRES_PIPELINE_SYNC;
        if (result == NULL) {
            number++;
        } else if (PQresultStatus(result) == PGRES_PIPELINE_SYNC) {
            s->syncs--;
            PQclear(result);
        } else {
            take_result(db, number, result);
        }
    }
    none_under_way(s);
    return good && !db_failed(db);
}

static bool sent(struct db *db, int good, struct db_query *wanting)
{
    struct server *s = server_of(db);
    if (good == 0)
        return fail_connection(db);
    s->wanting[s->under_way++] = wanting;
    return s->under_way < UNDER_WAY_MAX || settle(db);
}

static bool say(struct db *db, const char *sql)
{
    return sent(db, PQsendQueryParams(server_of(db)->connection, sql, 0, NULL, NULL, NULL, NULL, 0), NULL);
}

/* ---- connections ------------------------------------------------------------------------------------------------ */

static void stay_silent(void *context, const char *message)
{
    (void)context, (void)message;
}

/* Set after connecting: `options` may stand in the address. Questions are short and all look up by an index: plans are made once and run as they are. */
static bool set_up(struct db *db)
{
    struct server *s = server_of(db);
    const char *sql = s->access == DB_READ ? "set jit = off; set plan_cache_mode = force_generic_plan; set default_transaction_read_only = on"
                      : s->careless        ? "set jit = off; set synchronous_commit = off"
                                           : "set jit = off; set synchronous_commit = on";
    PQsetNoticeProcessor(s->connection, stay_silent, NULL);
    PGresult *result = PQexec(s->connection, sql);
    bool good = is_good(result) || fail_result(db, result);
    PQclear(result);
    return good && (PQenterPipelineMode(s->connection) == 1 || fail_connection(db));
}

static bool connect_server(struct db *db)
{
    struct server *s = server_of(db);
    const char *const names[] = {"dbname", "client_encoding", "connect_timeout", "tcp_user_timeout", "fallback_application_name", NULL};
    const char *const values[] = {s->address, "UTF8", "5", "15000", "colline", NULL};
    PQfinish(s->connection);
    s->session++;
    none_under_way(s);
    s->in_transaction = false;
    s->connection = PQconnectdbParams(names, values, 1);
    return PQstatus(s->connection) == CONNECTION_OK ? set_up(db) : fail_connection(db);
}

static bool postgres_open(struct db *db, const struct db_options *options, struct buf *reason)
{
    struct server *s = calloc(1, sizeof *s);
    db->inner = s;
    if (s != NULL)
        s->address = strndup(options->address.ptr, options->address.len);
    if (s == NULL || s->address == NULL) {
        BUF_ADD(reason, "out of memory");
        return false;
    }
    s->access = options->access;
    s->careless = options->careless;
    if (connect_server(db))
        return true;
    buf_add(reason, db_message(db));
    return false;
}

static void postgres_close(struct db *db)
{
    struct server *s = server_of(db);
    if (s == NULL)
        return;
    if (PQstatus(s->connection) == CONNECTION_OK)
        (void)settle(db); /* a server whose answers nobody takes logs a lost client */
    PQfinish(s->connection);
    free(s->address);
    free(s);
}

/* ---- transactions ----------------------------------------------------------------------------------------------- */

static bool begin(struct db *db, bool read)
{
    server_of(db)->in_transaction = true;
    return say(db, read ? "begin transaction isolation level repeatable read, read only" : "begin");
}

static bool commit(struct db *db)
{
    if (!say(db, "commit") || !settle(db))
        return false;
    server_of(db)->in_transaction = false;
    return true;
}

static void forget_rows(struct db *db)
{
    for (size_t i = 0; i < db->query_capacity; i++)
        if (db->queries[i] != NULL) {
            struct prepared *p = db->queries[i]->inner;
            PQclear(p->rows);
            p->rows = NULL;
        }
}

/* What was read in good order ends without waiting: the next question's first wait meets the result. */
static bool end_read(struct db *db)
{
    struct server *s = server_of(db);
    forget_rows(db);
    s->in_transaction = false;
    return say(db, "commit") && flush(db);
}

static bool rollback(struct db *db)
{
    struct server *s = server_of(db);
    forget_rows(db);
    if (PQstatus(s->connection) == CONNECTION_OK && s->in_transaction) {
        (void)settle(db);
        db->trouble = DB_FINE; /* of what was given up */
        (void)say(db, "rollback");
        (void)settle(db);
        s->in_transaction = false;
    }
    if (PQstatus(s->connection) == CONNECTION_OK && db->trouble != DB_GONE)
        return true;
    db->trouble = DB_FINE;
    return connect_server(db);
}

/* Several statements go by the simple protocol, which a pipeline does not take. */
static bool script(struct db *db, const char *sql)
{
    struct server *s = server_of(db);
    if (!settle(db) || PQexitPipelineMode(s->connection) == 0)
        return fail_connection(db);
    PGresult *result = PQexec(s->connection, sql);
    bool good = is_good(result) || fail_result(db, result);
    PQclear(result);
    if (PQenterPipelineMode(s->connection) == 0)
        return fail_connection(db);
    return good;
}

/* ---- queries ---------------------------------------------------------------------------------------------------- */

static int parameters_of(const char *sql)
{
    int most = 0;
    for (const char *at = sql; (at = strchr(at, '$')) != NULL; at++) {
        int number = atoi(at + 1);
        most = number > most ? number : most;
    }
    return most;
}

static bool prepare(struct db_query *q, const char *sql)
{
    struct prepared *p = calloc(1, sizeof *p);
    if (p != NULL)
        p->sql = strdup(sql);
    if (p == NULL || p->sql == NULL) {
        free(p);
        return db_fail(q->db, DB_WRONG, "out of memory");
    }
    p->count = parameters_of(sql);
    snprintf(p->name, sizeof p->name, "q%u", ++server_of(q->db)->named);
    for (int i = 0; i < PARAMETERS_MAX; i++)
        buf_init(&p->parameters[i].owned, 0);
    buf_init(&p->spelled, 0);
    q->inner = p;
    return p->count <= PARAMETERS_MAX || db_fail(q->db, DB_WRONG, "too many parameters");
}

/* Rows that are under way are nobody's from now on. */
static void unwant(struct db_query *q)
{
    struct server *s = server_of(q->db);
    for (unsigned i = 0; i < s->under_way; i++)
        if (s->wanting[i] == q)
            s->wanting[i] = NULL;
    ((struct prepared *)q->inner)->sent = false;
}

static void release(struct db_query *q)
{
    struct prepared *p = q->inner;
    if (p->sent)
        unwant(q);
    for (int i = 0; i < PARAMETERS_MAX; i++)
        buf_release(&p->parameters[i].owned);
    PQclear(p->rows);
    buf_release(&p->spelled);
    free(p->sql);
    free(p);
}

static void reset(struct db_query *q)
{
    struct prepared *p = q->inner;
    if (p->sent)
        unwant(q);
    PQclear(p->rows);
    p->rows = NULL;
    for (int i = 0; i < p->count; i++)
        p->parameters[i].value = NULL;
}

/* In this session; everything under way is settled before, so that a mistake is this one's. */
static bool prepare_now(struct db_query *q)
{
    struct prepared *p = q->inner;
    struct server *s = server_of(q->db);
    if (p->session == s->session)
        return true;
    if (!settle(q->db) || !sent(q->db, PQsendPrepare(s->connection, p->name, p->sql, 0, NULL), NULL) || !settle(q->db))
        return false;
    p->session = s->session;
    return true;
}

static bool send(struct db_query *q, bool wanted)
{
    struct prepared *p = q->inner;
    const char *values[PARAMETERS_MAX];
    int lengths[PARAMETERS_MAX], formats[PARAMETERS_MAX];
    if (!prepare_now(q))
        return false;
    for (int i = 0; i < p->count; i++) {
        values[i] = p->parameters[i].value;
        lengths[i] = p->parameters[i].length;
        formats[i] = p->parameters[i].format;
    }
    p->sent = wanted;
    return sent(q->db, PQsendQueryPrepared(server_of(q->db)->connection, p->name, p->count, values, lengths, formats, 1), wanted ? q : NULL);
}

/* ---- parameters ------------------------------------------------------------------------------------------------- */

static void bind_owned(struct db_query *q, int at)
{
    struct parameter *parameter = &((struct prepared *)q->inner)->parameters[at - 1];
    buf_add_char(&parameter->owned, '\0');
    if (parameter->owned.failed)
        (void)db_fail(q->db, DB_WRONG, "out of memory");
    parameter->value = parameter->owned.ptr;
    parameter->length = (int)parameter->owned.len - 1;
    parameter->format = 0;
}

static struct buf *owned(struct db_query *q, int at)
{
    struct buf *text = &((struct prepared *)q->inner)->parameters[at - 1].owned;
    buf_clear(text);
    return text;
}

static void bind_int(struct db_query *q, int at, int64_t value)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%" PRId64, value);
    buf_add(owned(q, at), str_make(digits, (size_t)len));
    bind_owned(q, at);
}

static void bind_blob(struct db_query *q, int at, str_t value)
{
    struct parameter *parameter = &((struct prepared *)q->inner)->parameters[at - 1];
    parameter->value = value.len == 0 ? "" : value.ptr;
    parameter->length = (int)value.len;
    parameter->format = 1;
}

/* PostgreSQL's texts hold no NUL: it becomes a blank. */
static void add_text(struct buf *out, str_t text)
{
    size_t first = out->len;
    buf_add(out, text);
    for (size_t i = first; i < out->len; i++)
        if (out->ptr[i] == '\0')
            out->ptr[i] = ' ';
}

static void bind_text(struct db_query *q, int at, str_t value)
{
    if (value.len == 0 || memchr(value.ptr, '\0', value.len) == NULL) {
        bind_blob(q, at, value);
        return;
    }
    struct buf *copy = owned(q, at);
    add_text(copy, value);
    bind_blob(q, at, buf_str(copy));
}

static void bind_null(struct db_query *q, int at)
{
    ((struct prepared *)q->inner)->parameters[at - 1].value = NULL;
}

/* ---- lists, in binary form: dimensions, whether there are nulls, the type; length and first index of the one dimension; each item with its length ---- */

static void add_bytes(struct buf *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = bytes; i > 0; i--)
        buf_add_char(out, (char)(value >> (8 * (i - 1))));
}

static struct buf *begin_list(struct db_query *q, int at, unsigned type, size_t count)
{
    struct buf *list = owned(q, at);
    add_bytes(list, count > 0, 4);
    add_bytes(list, 0, 4);
    add_bytes(list, type, 4);
    if (count > 0) {
        add_bytes(list, count, 4);
        add_bytes(list, 1, 4);
    }
    return list;
}

static void bind_list(struct db_query *q, int at, const struct buf *list)
{
    if (list->failed)
        (void)db_fail(q->db, DB_WRONG, "out of memory");
    bind_blob(q, at, buf_str(list));
}

static void bind_ids(struct db_query *q, int at, const int64_t *ids, size_t count)
{
    struct buf *list = begin_list(q, at, TYPE_INT8, count);
    for (size_t i = 0; i < count; i++) {
        add_bytes(list, sizeof ids[i], 4);
        add_bytes(list, (uint64_t)ids[i], sizeof ids[i]);
    }
    bind_list(q, at, list);
}

static void bind_texts(struct db_query *q, int at, const str_t *texts, size_t count)
{
    struct buf *list = begin_list(q, at, TYPE_TEXT, count);
    for (size_t i = 0; i < count; i++) {
        add_bytes(list, texts[i].len, 4);
        add_text(list, texts[i]);
    }
    bind_list(q, at, list);
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static bool run(struct db_query *q)
{
    bool good = send(q, false);
    reset(q);
    if (good && !server_of(q->db)->in_transaction)
        good = settle(q->db);
    return good;
}

static bool run_changed(struct db_query *q, bool *changed)
{
    struct prepared *p = q->inner;
    bool good = settle(q->db) && send(q, true) && settle(q->db);
    *changed = good && p->rows != NULL && atoll(PQcmdTuples(p->rows)) > 0;
    reset(q);
    return good;
}

static void start(struct db_query *q)
{
    struct prepared *p = q->inner;
    if (p->rows == NULL && !p->sent)
        (void)send(q, true);
}

static bool step(struct db_query *q)
{
    struct prepared *p = q->inner;
    start(q);
    if (p->sent)
        (void)settle(q->db);
    if (p->rows != NULL && ++p->row < PQntuples(p->rows))
        return true;
    PQclear(p->rows);
    p->rows = NULL;
    return false;
}

static uint64_t waits(const struct db *db)
{
    return server_of(db)->waits;
}

/* ---- values, in binary form ------------------------------------------------------------------------------------- */

static bool is_null(const struct db_query *q, int column)
{
    const struct prepared *p = q->inner;
    return p->rows == NULL || PQgetisnull(p->rows, p->row, column) != 0;
}

static str_t bytes_of(const struct prepared *p, int column)
{
    return str_make(PQgetvalue(p->rows, p->row, column), (size_t)PQgetlength(p->rows, p->row, column));
}

static uint64_t read_bytes(const char *at, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value = value << 8 | (unsigned char)at[i];
    return value;
}

/* Of a sum of 64-bit numbers: how many digits to base 10,000, the first one's weight, sign, places behind the point; the digits. Its whole part. */
static int64_t read_numeric(str_t bytes)
{
    enum { HEAD = 8, NEGATIVE = 0x4000 };
    if (bytes.len < HEAD)
        return 0;
    int digits = (int)read_bytes(bytes.ptr, 2), weight = (int16_t)read_bytes(bytes.ptr + 2, 2);
    int64_t value = 0;
    for (int i = 0; i <= weight; i++)
        value = value * 10000 + (i < digits ? (int64_t)read_bytes(bytes.ptr + HEAD + 2 * (size_t)i, 2) : 0);
    return read_bytes(bytes.ptr + 4, 2) == NEGATIVE ? -value : value;
}

static int64_t get_int(const struct db_query *q, int column)
{
    const struct prepared *p = q->inner;
    if (is_null(q, column))
        return 0;
    str_t bytes = bytes_of(p, column);
    switch (PQftype(p->rows, column)) {
    case TYPE_INT8:
        return (int64_t)read_bytes(bytes.ptr, 8);
    case TYPE_INT4:
        return (int32_t)read_bytes(bytes.ptr, 4);
    case TYPE_INT2:
        return (int16_t)read_bytes(bytes.ptr, 2);
    case TYPE_BOOL:
        return bytes.ptr[0];
    case TYPE_NUMERIC:
        return read_numeric(bytes);
    default:
        return strtoll(bytes.ptr, NULL, 10);
    }
}

static bool is_number(Oid type)
{
    return type == TYPE_INT8 || type == TYPE_INT4 || type == TYPE_INT2 || type == TYPE_NUMERIC;
}

/* Of a number its digits, valid until the query's next text of a number. */
static str_t get_text(const struct db_query *q, int column)
{
    struct prepared *p = q->inner;
    if (is_null(q, column))
        return STR("");
    if (!is_number(PQftype(p->rows, column)))
        return bytes_of(p, column);
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%" PRId64, get_int(q, column));
    buf_clear(&p->spelled);
    buf_add(&p->spelled, str_make(digits, (size_t)len));
    return buf_str(&p->spelled);
}

static str_t get_blob(const struct db_query *q, int column)
{
    return is_null(q, column) ? STR("") : bytes_of(q->inner, column);
}

const struct db_ops db_postgres_ops = {
    .open = postgres_open,
    .close = postgres_close,
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
