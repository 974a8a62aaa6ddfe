/* Statements are made as text first; the library says what they do. */
#include "support/world.h"

#include "colline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
    FIRST_DAY = 20000,
    DAYS = 4,
    TABLES = 5,
    COLUMNS = 4
};

uint32_t world_random(struct world *w, uint32_t below)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 17;
    w->random ^= w->random << 5;
    return (w->random >> 7) % below;
}

static const char *keep(struct world *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static const char *keep(struct world *w, const char *format, ...)
{
    char text[2000];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return arena_copy(&w->arena, str_make(text, strlen(text) + 1)).ptr;
}

static const char *keep_text(struct world *w, str_t text)
{
    char *copy = arena_alloc(&w->arena, text.len + 1);
    assert_non_null(copy);
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    return copy;
}

/* ---- statements ------------------------------------------------------------------------------------------------- */

static const char *table(struct world *w)
{
    static const char *const names[TABLES] = {"d.a", "d.b", "d.c", "d.e", "d.f"};
    return names[world_random(w, TABLES)];
}

static const char *columns(struct world *w)
{
    static const char *const lists[] = {"c0 int, c1 string", "c0 int, c1 string comment 'one', c2 int", "c1 string, c0 bigint",
                                        "c3 int, c0 int, c1 string, c2 int", "c2 int"};
    return lists[world_random(w, sizeof lists / sizeof lists[0])];
}

static const char *insert(struct world *w, const char *target)
{
    switch (world_random(w, 6)) {
    case 0: return keep(w, "insert into %s select c0, c1 from %s", target, table(w));
    case 1: return keep(w, "insert overwrite table %s select a.c0, upper(b.c1) as c1 from %s a join %s b on a.c0 = b.c0", target, table(w), table(w));
    case 2: return keep(w, "insert overwrite table %s partition (ds = '1') select c1, c2 from %s where c0 = %u", target, table(w), world_random(w, 2));
    case 3: return keep(w, "insert into %s select * from %s", target, table(w));
    case 4: return keep(w, "insert overwrite table %s select x.*, 1 as one from %s x", target, table(w));
    default: return keep(w, "insert overwrite table %s select c0, c1 from %s", target, table(w));
    }
}

static const char *definition(struct world *w, const char *target)
{
    switch (world_random(w, 10)) {
    case 0: return keep(w, "create table %s as select * from %s", target, table(w));
    case 1: return keep(w, "create view %s as select c0, c1 from %s", target, table(w));
    case 2: return keep(w, "alter table %s add columns (c%u int comment 'more')", target, world_random(w, COLUMNS + 2));
    case 3: return keep(w, "alter table %s replace columns (%s)", target, columns(w));
    case 4: return keep(w, "drop table %s", target);
    case 5:
    case 6: return keep(w, "alter table %s rename to %s", target, table(w));
    case 7: return keep(w, "create temporary table %s as select c0 from %s", target, table(w));
    case 8: return keep(w, "create table if not exists %s (%s)", target, columns(w));
    default: return keep(w, "create table %s (%s) comment 'table %u'", target, columns(w), world_random(w, 2));
    }
}

static const char *statement(struct world *w)
{
    const char *target = table(w);
    uint32_t dice = world_random(w, 10);
    if (dice < 4)
        return insert(w, target);
    if (dice == 4)
        return keep(w, "truncate table %s", target);
    if (dice == 5)
        return keep(w, "select x.*, c0 from %s x", target);
    return definition(w, target);
}

/* ---- what the library says of them ------------------------------------------------------------------------------ */

static bool append(void *context, const char *bytes, size_t len)
{
    buf_add(context, str_make(bytes, len));
    return true;
}

/* The only statement of a document. */
static str_t cut_statement(const struct buf *document)
{
    static const str_t before = STR("\"statements\":");
    str_t text = buf_str(document);
    size_t at = 0;
    while (at < text.len && !str_starts_with(str_make(text.ptr + at, text.len - at), before))
        at++;
    at += before.len + 1;
    size_t end = text.len;
    while (text.ptr[end - 1] != ']')
        end--;
    return str_make(text.ptr + at, end - 1 - at);
}

struct analysis {
    const char *document, *inputs, *outputs, *operation;
};

static const char *names_of(struct world *w, const colline_statement *st, bool outputs)
{
    char text[400] = "";
    size_t count = outputs ? colline_statement_output_count(st) : colline_statement_input_count(st);
    for (size_t i = 0; i < count; i++) {
        colline_text name = outputs ? colline_output_table(colline_statement_output(st, i)) : colline_dataset_table(colline_statement_input(st, i));
        size_t at = strlen(text);
        snprintf(text + at, sizeof text - at, "%s%.*s", at > 0 ? "," : "", (int)name.len, name.ptr);
    }
    if (outputs && colline_statement_dropped(st).len > 0)
        snprintf(text, sizeof text, "%.*s", (int)colline_statement_dropped(st).len, colline_statement_dropped(st).ptr);
    return keep(w, "%s", text);
}

/* As if the analyzer had known some of the tables. */
static struct analysis analyze(struct world *w, const char *sql)
{
    struct buf document;
    struct analysis a;
    colline_catalog *catalog = colline_catalog_new(0);
    for (uint32_t known = world_random(w, 3); known > 0; known--) {
        const char *ddl = keep(w, "create table %s (%s)", table(w), columns(w));
        (void)colline_catalog_add_ddl(catalog, ddl, strlen(ddl), COLLINE_HIVE, NULL);
    }
    colline_analyzer *an = colline_analyzer_new(catalog, 0);
    buf_init(&document, 0);
    assert_int_equal(colline_begin(an, sql, strlen(sql)), COLLINE_OK);
    assert_int_equal(colline_document_open(an, COLLINE_JSONL, "x", 1, append, &document), COLLINE_OK);
    const colline_statement *st = colline_next(an);
    assert_false(colline_statement_failed(st));
    a.inputs = names_of(w, st, false);
    a.outputs = names_of(w, st, true);
    a.operation = keep(w, "%.*s", (int)colline_statement_operation(st).len, colline_statement_operation(st).ptr);
    assert_int_equal(colline_document_add(an), COLLINE_OK);
    assert_int_equal(colline_document_close(an), COLLINE_OK);
    a.document = keep_text(w, cut_statement(&document));
    buf_release(&document);
    colline_analyzer_free(an);
    colline_catalog_free(catalog);
    return a;
}

/* ---- items ------------------------------------------------------------------------------------------------------ */

static str_t text_of(const char *text)
{
    return str_make(text, strlen(text));
}

static int64_t moment(struct world *w)
{
    return (int64_t)(FIRST_DAY + world_random(w, DAYS)) * DAY_MS + world_random(w, 40) * 1000LL;
}

static struct world_item *add_item(struct world *w, enum world_kind kind, int64_t at)
{
    assert_true(w->count < WORLD_ITEMS_MOST);
    struct world_item *item = &w->items[w->count++];
    *item = (struct world_item){.kind = kind, .at = at};
    return item;
}

/* One event of a query: each knows something more, or something else. */
static void add_revision(struct world *w, const char *id, const char *sql, int64_t at, uint32_t revision)
{
    static const char *const users[] = {"ann", "bob", "cy"};
    static const enum event_status ends[] = {EVENT_OK, EVENT_OK, EVENT_OK, EVENT_UNKNOWN, EVENT_ERROR, EVENT_CANCELLED};
    struct analysis a = analyze(w, sql);
    struct world_item *item = add_item(w, WORLD_EVENT, at);
    item->event = (struct test_event){
        .query_id = id,
        .user = users[world_random(w, 3)],
        .sql = world_random(w, 8) == 0 ? "" : sql,
        .document = world_random(w, 6) == 0 ? "" : a.document,
        .inputs = a.inputs,
        .outputs = a.outputs,
        .operation = a.operation,
        .ended = at + world_random(w, 3) * 1000LL,
        .first_ended = at,
        .revision = revision,
        .generation = revision > 2 && world_random(w, 3) == 0,
        .status = ends[world_random(w, sizeof ends / sizeof ends[0])],
        .engine_agrees = world_random(w, 4) == 0,
    };
}

static void add_query(struct world *w)
{
    const char *id = keep(w, "q%d", w->count), *sql = statement(w);
    int64_t at = moment(w);
    uint32_t revisions = 1 + (world_random(w, 3) == 0) * (1 + world_random(w, 2));
    for (uint32_t i = 1; i <= revisions && w->count < WORLD_ITEMS_MOST; i++)
        add_revision(w, id, world_random(w, 9) == 0 ? statement(w) : sql, at, i);
}

static void add_script(struct world *w)
{
    struct world_item *item = add_item(w, WORLD_SCRIPT, moment(w));
    item->name = keep(w, "s%d.sql", w->count);
    item->parts = 1 + (int)world_random(w, 3);
    for (int i = 0; i < item->parts; i++) {
        item->sqls[i] = statement(w);
        item->texts[i] = analyze(w, item->sqls[i]).document;
    }
}

/* Of some tables, in one of few forms. */
static void add_catalog(struct world *w)
{
    static const char *const names[TABLES] = {"d.a", "d.b", "d.c", "d.e", "d.f"};
    static const char *const forms[] = {"create table %s (c0 int, c1 string)", "create table %s (c0 int, c1 string, c2 int) comment 'wide'",
                                        "create view %s as select 1 as c1"};
    const char *source = world_random(w, 2) == 0 ? "x" : "y";
    int64_t at = (int64_t)(FIRST_DAY + world_random(w, DAYS)) * DAY_MS + world_random(w, 4) * 10000LL;
    for (int i = 0; i < w->count; i++)
        if (w->items[i].kind == WORLD_CATALOG && w->items[i].at == at && strcmp(w->items[i].name, source) == 0)
            return; /* a file of one time is one file */
    struct world_item *item = add_item(w, WORLD_CATALOG, at);
    item->name = source;
    for (int i = 0; i < TABLES; i++) {
        char ddl[200];
        struct buf json;
        if (world_random(w, 2) == 0)
            continue;
        colline_catalog *catalog = colline_catalog_new(0);
        buf_init(&json, 0);
        uint32_t dice = world_random(w, 7);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(ddl, sizeof ddl, forms[dice < 4 ? 0 : dice < 6 ? 1 : 2], names[i]);
#pragma GCC diagnostic pop
        (void)colline_catalog_add_ddl(catalog, ddl, strlen(ddl), COLLINE_HIVE, NULL);
        assert_int_equal(colline_catalog_save_table(catalog, names[i], strlen(names[i]), append, &json), COLLINE_OK);
        item->tables[item->parts] = names[i];
        item->sqls[item->parts] = keep(w, "%s", ddl);
        item->texts[item->parts++] = keep_text(w, buf_str(&json));
        buf_release(&json);
        colline_catalog_free(catalog);
    }
}

static void add_check(struct world *w)
{
    static const str_t names[] = {STR("rows"), STR("not_null")}, columns_checked[] = {STR(""), STR("c0"), STR("C9")}, messages[] = {STR(""), STR("m")};
    int64_t at = (int64_t)(FIRST_DAY + world_random(w, DAYS)) * DAY_MS + 1000;
    struct world_item *item = add_item(w, WORLD_CHECK, at);
    item->check = (struct quality_check){
        .v = QUALITY_VERSION,
        .check = names[world_random(w, 2)],
        .name_space = STR("n"),
        .table = text_of(table(w)),
        .column = columns_checked[world_random(w, 3)],
        .status = (enum quality_status)world_random(w, QUALITY_STATUS_COUNT),
        .time = at,
        .message = messages[world_random(w, 2)],
    };
}

static int compare_times(const void *a, const void *b)
{
    const struct world_item *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->kind != y->kind ? (int)x->kind - (int)y->kind : (int)x->event.revision - (int)y->event.revision;
}

void world_make(struct world *w, uint32_t seed, int count)
{
    w->count = 0;
    w->random = seed * 2654435761u + 1;
    arena_init(&w->arena, 0, NULL);
    while (w->count < count) {
        uint32_t dice = world_random(w, 12);
        if (dice == 0)
            add_script(w);
        else if (dice < 4)
            add_catalog(w);
        else
            add_query(w);
    }
    for (int i = 0; i < count / 8 && w->count < WORLD_ITEMS_MOST; i++)
        add_check(w);
    qsort(w->items, (size_t)w->count, sizeof *w->items, compare_times);
}

void world_release(struct world *w)
{
    arena_release(&w->arena);
}

/* ---- loading ---------------------------------------------------------------------------------------------------- */

void world_add(struct test_store *t, const struct world_item *item)
{
    if (item->kind == WORLD_EVENT) {
        test_add(t, &item->event);
        return;
    }
    if (item->kind == WORLD_CHECK)
        assert_true(applier_add_check(t->applier, &item->check));
    if (item->kind == WORLD_SCRIPT)
        assert_true(applier_begin_script(t->applier, text_of(item->name)));
    for (int i = 0; i < item->parts; i++) {
        if (item->kind == WORLD_SCRIPT) {
            const struct script_statement s = {text_of(item->name), STR("n"), STR("hive"), text_of(item->texts[i]), text_of(item->sqls[i]), (uint32_t)i, 1};
            assert_true(applier_add_script(t->applier, &s));
        } else {
            const struct catalog_table row = {text_of(item->name), STR("n"), text_of(item->tables[i]), text_of(item->texts[i]), item->at};
            assert_true(applier_add_table(t->applier, &row));
        }
    }
}

void world_say(const struct world_item *item)
{
    long long day = (long long)(item->at / DAY_MS), second = (long long)(item->at % DAY_MS / 1000);
    const struct test_event *e = &item->event;
    if (item->kind == WORLD_EVENT)
        print_message("%lld+%lld %s %u.%u ends %lld %s%s%s: %s\n", day, second, e->query_id, e->generation, e->revision, (long long)(e->ended % DAY_MS / 1000),
                      e->status == EVENT_OK || e->status == EVENT_UNKNOWN ? "ok" : "failed", *e->document == '\0' ? ", no document" : "",
                      *e->sql == '\0' ? ", no text" : "", e->sql);
    if (item->kind == WORLD_CHECK)
        print_message("%lld+%lld check %.*s of %.*s.%.*s: %d\n", day, second, (int)item->check.check.len, item->check.check.ptr, (int)item->check.table.len,
                      item->check.table.ptr, (int)item->check.column.len, item->check.column.ptr, (int)item->check.status);
    for (int i = 0; i < item->parts; i++)
        print_message("%lld+%lld %s %s: %s\n", day, second, item->kind == WORLD_SCRIPT ? "script" : "catalog", item->name, item->sqls[i]);
}
