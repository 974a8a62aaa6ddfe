#include "support/stores.h"

#include "store/dump.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static const char *server(void)
{
    return getenv("COLLINE_TEST_POSTGRES");
}

int store_kinds(void)
{
    return server() == NULL ? 1 : 2;
}

static void open_store(struct test_store *t)
{
    struct buf reason;
    buf_init(&reason, 0);
    const struct store_options options = {.address = str_make(t->address, strlen(t->address)), .access = DB_CREATE};
    t->store = store_open(&options, &reason);
    if (t->store == NULL)
        fail_msg("%.*s", (int)reason.len, reason.ptr);
    buf_release(&reason);
    if (db_kind_of(store_db(t->store)) == DB_SQLITE) /* no test cuts the power */
        assert_true(db_script(store_db(t->store), STR("pragma synchronous = off")));
    t->applier = applier_new(t->store);
    assert_non_null(t->applier);
}

/* An empty schema of its own, which the connection then lives in. */
static void make_schema(struct test_store *t, const char *name)
{
    struct buf reason;
    char sql[400];
    buf_init(&reason, 0);
    const struct db_options options = {.address = str_make(server(), strlen(server())), .access = DB_CREATE};
    struct db *db = db_open(&options, &reason);
    if (db == NULL)
        fail_msg("%.*s", (int)reason.len, reason.ptr);
    snprintf(sql, sizeof sql, "drop schema if exists %s cascade; create schema %s", name, name);
    if (!db_script(db, str_make(sql, strlen(sql))))
        fail_msg("%.*s", (int)db_message(db).len, db_message(db).ptr);
    db_close(db);
    buf_release(&reason);
    snprintf(t->address, sizeof t->address, "%s?options=-csearch_path%%3D%s", server(), name);
}

void test_store_open(struct test_store *t, int kind, const char *name)
{
    *t = (struct test_store){.store = NULL};
    if (kind == 1) {
        make_schema(t, name);
    } else {
        char folder[] = "/tmp/colline_store_XXXXXX";
        assert_non_null(mkdtemp(folder));
        snprintf(t->address, sizeof t->address, "%s/%s.db", folder, name);
    }
    open_store(t);
}

void test_store_reopen(struct test_store *t)
{
    applier_free(t->applier);
    store_close(t->store);
    open_store(t);
}

void test_store_close(struct test_store *t)
{
    char path[300];
    applier_free(t->applier);
    store_close(t->store);
    if (strncmp(t->address, "/tmp/", 5) != 0)
        return;
    static const char *const ends[] = {"", "-wal", "-shm", ".before-1"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        snprintf(path, sizeof path, "%s%s", t->address, ends[i]);
        unlink(path);
    }
    *strrchr(t->address, '/') = '\0';
    rmdir(t->address);
}

static bool append(void *context, str_t line)
{
    buf_add(context, line);
    return true;
}

char *test_store_dump(struct test_store *t)
{
    struct buf out;
    buf_init(&out, 0);
    if (!store_dump(t->store, append, &out))
        fail_msg("%.*s", (int)db_message(store_db(t->store)).len, db_message(store_db(t->store)).ptr);
    buf_add_char(&out, '\0');
    return out.ptr;
}

int64_t test_number(struct test_store *t, const char *sql)
{
    int64_t number = db_number(store_db(t->store), sql, -1);
    if (db_failed(store_db(t->store)))
        fail_msg("%s: %.*s", sql, (int)db_message(store_db(t->store)).len, db_message(store_db(t->store)).ptr);
    return number;
}

const char *test_text(struct test_store *t, const char *sql)
{
    static char text[4000];
    struct db_query *q = db_query(store_db(t->store), sql);
    text[0] = '\0';
    if (db_step(q))
        snprintf(text, sizeof text, "%.*s", (int)db_text(q, 0).len, db_text(q, 0).ptr);
    db_done(q);
    return text;
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

static str_t or_usual(const char *text, const char *usual)
{
    const char *chosen = text == NULL ? usual : text;
    return str_make(chosen, strlen(chosen));
}

static uint32_t split(const char *names, str_t *list)
{
    uint32_t count = 0;
    while (names != NULL && *names != '\0') {
        size_t len = strcspn(names, ",");
        list[count++] = str_make(names, len);
        names += len + (names[len] == ',');
    }
    return count;
}

void test_add(struct test_store *t, const struct test_event *e)
{
    str_t inputs[20], outputs[20];
    struct event_source source = {.source = RAW_DAEMON_LOG, .host = STR("h"), .kinds = 1};
    struct event event = event_empty();
    event.query_id = or_usual(e->query_id, "q");
    event.revision = e->revision == 0 ? 1 : e->revision;
    event.generation = e->generation;
    event.name_space = STR("n");
    event.cluster = STR("c");
    event.engine = or_usual(e->engine, "hive");
    event.user = or_usual(e->user, "ann");
    event.database = or_usual(e->database, "default");
    event.event_time = e->ended;
    event.first_event_time = e->first_ended;
    event.timestamp = e->ended - 10;
    event.duration_ms = 10;
    event.status = e->status;
    event.operation_type = or_usual(e->operation, "INSERT");
    event.input_tables = inputs;
    event.input_count = split(e->inputs, inputs);
    event.output_tables = outputs;
    event.output_count = split(e->outputs, outputs);
    event.sql = or_usual(e->sql, "");
    event.lineage = or_usual(e->document, "");
    event.engine_lineage = e->engine_agrees ? STR("{}") : STR("");
    event.processing_time = e->ended + 1;
    event.sources = &source;
    event.source_count = 1;
    assert_true(applier_add(t->applier, &event));
}

void test_commit(struct test_store *t)
{
    if (!applier_commit(t->applier))
        fail_msg("%.*s", (int)applier_message(t->applier).len, applier_message(t->applier).ptr);
}

const char *test_document(char *buffer, size_t size, const char *operation, const char *mode, const char *src, const char *dst, const char *column)
{
    snprintf(buffer, size,
             "{\"index\":0,\"type\":\"INSERT\",\"database\":\"default\",\"fingerprint\":\"f\",\"operation\":\"%s\",\"inputs\":[\"%s\"],"
             "\"outputs\":[{\"table\":\"%s\",\"write_mode\":\"%s\"}],\"columns\":[{\"target\":\"%s.%s\",\"ordinal\":0,\"transform\":\"identity\","
             "\"sources\":[\"%s.%s\"],\"expression\":\"%s\"}],\"predicates\":[{\"clause\":\"filter\",\"expression\":\"ds = 1\",\"sources\":[\"%s.ds\"]}],"
             "\"views\":[],\"diagnostics\":[],\"error\":null}",
             operation, src, dst, mode, dst, column, src, column, column, src);
    return buffer;
}
