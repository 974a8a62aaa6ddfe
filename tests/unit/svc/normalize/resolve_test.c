/* Real names behind what logs list, partitions, operations, catalogs that grow, temporary tables, the engine's own edges. */
#include "stage.h"

#include <unistd.h>

static const char Q[] = "q";

/* A stage that knows some tables. */
static struct stage *stage_knowing(const char *ddl)
{
    char path[] = "/tmp/colline-catalog-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0 && write(descriptor, ddl, strlen(ddl)) == (ssize_t)strlen(ddl));
    close(descriptor);
    struct stage *s = calloc(1, sizeof *s);
    s->now = 1773584553000;
    arena_init(&s->arena, 0, NULL);
    s->metrics = metrics_new();
    struct normalizer_options options = stage_options(s);
    const str_t paths[] = {text(path)};
    const struct normalizer_cluster cluster = {text("prod"), text("hive://meta:9083"), text("/warehouse")};
    options.catalogs = paths;
    options.catalog_count = 1;
    options.clusters = &cluster;
    options.cluster_count = 1;
    stage_begin_with(s, &options);
    unlink(path);
    return s;
}

static const struct event *ran(struct stage *s, const char *id, const char *sql, const char *logged)
{
    if (sql[0] != '\0')
        feed_start(s, id, "etl", sql);
    if (logged[0] != '\0')
        feed_tables(s, id, RAW_INPUT, logged);
    feed_finish(s, id, "OK", 1);
    return stage_last(s);
}

/* ---- the accounts' examples ------------------------------------------------------------------------------------- */

static void ghost_of_a_cte(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    const struct event *e = ran(s, Q, "with tmp as (select * from ods.log_raw) select * from tmp", "tmp");
    assert_inputs(e, "ods.log_raw");
    assert_outputs(e, "");
    assert_text(e->operation_type, "SELECT");
    stage_free(s);
}

static void view_and_its_tables(void **state)
{
    (void)state;
    struct stage *s = stage_knowing("create table ods.log (uid int, act string);"
                                    "create view default.v_behaviour as select uid, act from ods.log");
    assert_inputs(ran(s, "a", "select uid from v_behaviour", "v_behaviour"), "default.v_behaviour ods.log");
    assert_inputs(ran(s, "b", "", "v_behaviour"), "default.v_behaviour ods.log"); /* without text, by the catalog */
    stage_free(s);
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

static void names_without_database(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    struct raw_record r = record_of(s, Q, RAW_WEB, RAW_QUERY);
    r.database = text("sales");
    stage_feed(s, &r);
    const struct event *e = ran(s, Q, "insert into daily select a from `Orders`", "ORDERS");
    assert_inputs(e, "sales.orders");
    assert_outputs(e, "sales.daily");
    e = ran(s, "x", "insert into b.daily select a from c.orders", "orders"); /* the log left the database out */
    assert_inputs(e, "c.orders");
    stage_free(s);
}

static void ghosts_of_a_cut_text(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    static str_t inputs[] = {STR("tmp"), STR("u"), STR("ods.a"), STR("other.tmp")};
    struct raw_record r = record_of(s, Q, RAW_DAEMON_LOG, RAW_START);
    r.user = text("etl");
    r.sql = text("/* u as ( */ with tmp (a, b) as (select 'x as (', b from ods.a) insert in");
    r.sql_cut = true;
    stage_feed(s, &r);
    r = record_of(s, Q, RAW_DAEMON_LOG, RAW_INPUT);
    r.tables = inputs;
    r.table_count = 4;
    stage_feed(s, &r);
    feed_tables(s, Q, RAW_OUTPUT, "ads.t");
    feed_finish(s, Q, "OK", 1);
    assert_inputs(stage_last(s), "default.u ods.a other.tmp");
    assert_outputs(stage_last(s), "ads.t");
    assert_text(stage_last(s)->operation_type, "WRITE");
    assert_true(has_problem(stage_last(s), "text-cut"));
    assert_int_equal(stage_last(s)->lineage.len, 0);
    stage_free(s);
}

static void swallowed_by_a_comment(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    struct raw_record r = record_of(s, Q, RAW_AUDIT_LOG, RAW_QUERY);
    r.sql = text("select a -- the key from ods.t");
    r.sql_one_line = true;
    r.status = text("OK");
    stage_feed(s, &r);
    r.query_id = text("other");
    r.sql = text("select a, '--' from ods.t");
    stage_feed(s, &r);
    stage_wait(s, 10 * SECOND);
    assert_int_equal(s->event_count, 2);
    for (size_t i = 0; i < 2; i++) {
        bool uncertain = str_eq(s->events[i].query_id, text("q"));
        assert_int_equal(has_problem(&s->events[i], "text-uncertain"), uncertain);
        assert_int_equal(s->events[i].lineage.len == 0, uncertain);
    }
    stage_free(s);
}

/* ---- paths ------------------------------------------------------------------------------------------------------ */

static void scanned_paths(void **state)
{
    (void)state;
    struct stage *s = stage_knowing("create external table ext.clicks (a int) location 'hdfs://other/data/clicks/'");
    static const char *const paths[] = {
        "hdfs://ns/warehouse/ods.db/app_log_raw/ds=2024-03-15/hr=09/000000_0",
        "hdfs://ns/warehouse/Plain",
        "hdfs://ns:8020/data/clicks/day=1",
        "hdfs://ns/elsewhere/dwd.db/t/base_0000001",
        "s3a://bucket/nothing/known",
    };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct raw_record r = record_of(s, Q, RAW_DAEMON_LOG, RAW_SCAN);
        r.cluster = text("prod");
        r.path = text(paths[i]);
        stage_feed(s, &r);
    }
    feed_finish(s, Q, "OK", 1);
    const struct event *e = stage_last(s);
    assert_text(e->name_space, "hive://meta:9083");
    assert_inputs(e, "default.plain dwd.t ext.clicks ods.app_log_raw");
    assert_int_equal(e->path_count, 5);
    assert_int_equal(e->partition_count, 2);
    assert_text(e->partitions[0].table, "ext.clicks");
    assert_text(e->partitions[0].spec, "day=1");
    assert_text(e->partitions[1].spec, "ds=2024-03-15/hr=09");
    stage_free(s);
}

/* ---- operations ------------------------------------------------------------------------------------------------- */

static void operations(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"insert into a.t select x from b.s", "INSERT"},
        {"insert overwrite table a.t select x from b.s", "OVERWRITE"},
        {"create table a.t as select x from b.s", "CTAS"},
        {"create view a.v as select x from b.s", "CREATE_VIEW"},
        {"select x from b.s", "SELECT"},
        {"drop table a.t", "DROP"},
        {"show tables", "SHOW"},
        {"use b", "USE"},
        {"compute stats a.t", "ANALYZE"},
        {"truncate table a.t", "TRUNCATE"},
    };
    struct stage *s = stage_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char id[16];
        snprintf(id, sizeof id, "q%zu", i);
        const struct event *e = ran(s, id, cases[i][0], "");
        if (!str_starts_with(e->operation_type, text(cases[i][1])))
            fail_msg("%s: %.*s", cases[i][0], (int)e->operation_type.len, e->operation_type.ptr);
    }
    stage_free(s);
}

static void overwrite_with_partitions(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    const struct event *e = ran(s, Q, "insert overwrite table a.t partition (ds='2024-03-15', note='a/b', hr) select x, hr from b.s", "");
    assert_text(e->operation_type, "OVERWRITE");
    assert_int_equal(e->partition_count, 1);
    assert_text(e->partitions[0].spec, "ds=2024-03-15/note=a%2Fb/hr=*");
    stage_free(s);
}

static void what_does_not_parse(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    const struct event *e = ran(s, Q, "selec a from b.s where", "b.s");
    assert_true(has_problem(e, "syntax"));
    assert_int_equal(e->lineage.len, 0);
    assert_inputs(e, "b.s");
    stage_free(s);
}

/* ---- catalogs --------------------------------------------------------------------------------------------------- */

static void analysed_before_its_ddl(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    ran(s, "a", "insert into ads.t select * from ods.s", "");
    assert_true(text_holds(stage_last(s)->lineage, "ods.s.*"));
    s->now += SECOND;
    ran(s, "b", "create table ods.s (k1 int, k2 int)", "");
    stage_wait(s, 5 * MINUTE);
    assert_int_equal(s->event_count, 3);
    assert_text(stage_last(s)->query_id, "a");
    assert_int_equal(stage_last(s)->revision, 2);
    assert_true(text_holds(stage_last(s)->lineage, "ods.s.k2"));
    ran(s, "c", "insert into ads.t select * from ods.s", "");
    assert_true(text_holds(stage_last(s)->lineage, "ods.s.k2"));
    ran(s, "d", "alter table ods.s add columns (k3 string)", "");
    ran(s, "e", "insert into ads.t select * from ods.s", "");
    assert_true(text_holds(stage_last(s)->lineage, "ods.s.k3"));
    ran(s, "f", "drop table ods.s", "");
    ran(s, "g", "insert into ads.t select * from ods.s", "");
    assert_true(text_holds(stage_last(s)->lineage, "ods.s.*"));
    stage_free(s);
}

/* An old statement that is read late does not undo what a newer one said. */
static void old_ddl_comes_late(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    ran(s, "a", "create table ods.s (k1 int, k2 int)", "");
    s->now -= HOUR;
    ran(s, "b", "create table ods.s (old int)", "");
    s->now += HOUR;
    ran(s, "c", "insert into ads.t select * from ods.s", "");
    assert_true(text_holds(stage_last(s)->lineage, "ods.s.k2"));
    stage_free(s);
}

struct catalog_log {
    struct stage *stage;
    str_t keys[8], values[8];
    size_t count;
};

static void on_catalog(void *context, str_t key, str_t value)
{
    struct catalog_log *log = context;
    assert_true(log->count < 8);
    log->keys[log->count] = arena_copy(&log->stage->arena, key);
    log->values[log->count++] = arena_copy(&log->stage->arena, value);
}

static void quiet_event(void *context, const struct event *event, str_t json)
{
    (void)context, (void)event, (void)json;
}

static void quiet_put(void *context, str_t id, str_t state)
{
    (void)context, (void)id, (void)state;
}

static void quiet_del(void *context, str_t id)
{
    (void)context, (void)id;
}

/* What one worker sees, another knows by the catalog's records. */
static void catalog_is_shared(void **state)
{
    (void)state;
    struct stage *one = stage_new(), *two = stage_new();
    struct catalog_log log = {.stage = one};
    const struct normalizer_output output = {quiet_event, on_invalid, quiet_put, quiet_del, NULL, on_catalog, &log};
    normalizer_joiner_free(one->n, one->joiner);
    one->joiner = normalizer_joiner(one->n, &output);
    feed_start(one, "a", "etl", "create table ods.s (k1 int, k2 int)");
    feed_finish(one, "a", "OK", 1);
    assert_int_equal(log.count, 1);
    joiner_abort(one->joiner); /* the batch is given up: the same again tells it again */
    feed_start(one, "a", "etl", "create table ods.s (k1 int, k2 int)");
    feed_finish(one, "a", "OK", 1);
    assert_int_equal(log.count, 2);
    stage_commit(one);
    log.count = 1;
    assert_text(log.keys[0], "\tods.s");
    assert_true(normalizer_catalog(two->n, log.keys[0], log.values[0]));
    ran(two, "b", "insert into ads.t select * from ods.s", "");
    assert_true(text_holds(stage_last(two)->lineage, "ods.s.k2"));
    feed_start(one, "c", "etl", "drop table ods.s");
    feed_finish(one, "c", "OK", 1);
    assert_int_equal(log.count, 2);
    assert_int_equal(log.values[1].len, 0);
    assert_true(normalizer_catalog(two->n, log.keys[1], log.values[1]));
    ran(two, "d", "insert into ads.t select * from ods.s", "");
    assert_true(text_holds(stage_last(two)->lineage, "ods.s.*"));
    assert_false(normalizer_catalog(two->n, text("no tab"), text("{}")));
    assert_false(normalizer_catalog(two->n, text("\tx.y"), text("{\"v\":1")));
    assert_false(normalizer_catalog(two->n, text("\tx.y"), text("{\"v\":9}")));
    stage_free(one);
    stage_free(two);
}

/* ---- sessions --------------------------------------------------------------------------------------------------- */

static const struct event *ran_in_session(struct stage *s, const char *id, const char *session, const char *sql)
{
    struct raw_record r = record_of(s, id, RAW_HIVE_HOOK, RAW_QUERY);
    r.session_id = text(session);
    r.sql = text(sql);
    r.status = text("OK");
    stage_feed(s, &r);
    return stage_last(s);
}

static void temporary_tables(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    ran_in_session(s, "a", "s1", "create temporary table tt as select x + 1 as y from ods.s");
    const struct event *e = ran_in_session(s, "b", "s1", "insert into ads.t select y from tt");
    assert_text(e->engine, "hive");
    assert_inputs(e, "ods.s");
    assert_true(text_holds(e->lineage, "\"sources\":[\"ods.s.x\"]"));
    e = ran_in_session(s, "c", "s2", "insert into ads.t select y from tt"); /* another session has none */
    assert_inputs(e, "default.tt");
    stage_free(s);
}

static void scripts_are_split(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    struct raw_record r = record_of(s, "f1", RAW_SQL_FILE, RAW_QUERY);
    r.position.file = text("etl/daily.hql");
    r.sql = text("set x=1; -- a; b\nuse ods;\ncreate temporary table tt as select k from s where note = ';';\n"
                 "insert overwrite table ads.t select k from tt;\nselec;\n");
    stage_feed(s, &r);
    stage_feed(s, &r);
    assert_int_equal(s->event_count, 3);
    assert_text(s->events[0].query_id, "f1#2");
    assert_text(s->events[0].operation_type, "CTAS");
    assert_text(s->events[1].query_id, "f1#3");
    assert_text(s->events[1].sql, "insert overwrite table ads.t select k from tt");
    assert_text(s->events[1].database, "ods");
    assert_text(s->events[1].engine, "hive");
    assert_inputs(&s->events[1], "ods.s");
    assert_true(has_problem(&s->events[2], "syntax"));
    r.query_id = text("f2");
    r.position.file = text("/srv/Impala/one.sql");
    r.sql = text("select a from b.c;");
    stage_feed(s, &r);
    assert_text(stage_last(s)->query_id, "f2");
    assert_text(stage_last(s)->engine, "impala");
    stage_free(s);
}

/* ---- the engine's edges ----------------------------------------------------------------------------------------- */

static void engine_disagrees(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    struct raw_record r = record_of(s, Q, RAW_LINEAGE_LOG, RAW_LINEAGE);
    r.sql = text("select a from ods.s");
    r.sql_one_line = true;
    r.graph = text("{\"edges\":[{\"sources\":[1],\"targets\":[0],\"edgeType\":\"PROJECTION\"}],\"vertices\":[{\"id\":0,\"vertexType\":\"COLUMN\","
                   "\"vertexId\":\"a\"},{\"id\":1,\"vertexType\":\"COLUMN\",\"vertexId\":\"ods.s.other\"}]}");
    stage_feed(s, &r);
    stage_wait(s, 10 * SECOND);
    const struct event *e = stage_last(s);
    assert_true(has_problem(e, "engine-disagrees"));
    assert_text(e->problems[0].message, "0 edges alike, 1 only in the engine's record, 1 only in ours");
    assert_true(e->lineage.len > 0 && e->engine_lineage.len > 0); /* both are kept */
    stage_free(s);
}

/* ---- what is invalid -------------------------------------------------------------------------------------------- */

static void invalid_with_all_reasons(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    const struct normalizer_origin origin = {text("raw"), 3, 77};
    normalizer_feed(s->n, s->joiner, text("{\"v\":1,\"source\":\"nowhere\",\"kind\":\"START\",\"captured_at\":-1}"), &origin);
    assert_int_equal(s->invalid_count, 1);
    assert_true(text_holds(s->invalid[0], "source"));
    assert_true(text_holds(s->invalid[0], "captured_at"));
    assert_true(text_holds(s->invalid[0], "query_id: missing"));
    assert_true(text_holds(s->invalid[0], "position: missing"));
    assert_true(text_holds(s->invalid[0], "\"topic\":\"raw\",\"partition\":3,\"offset\":77"));
    normalizer_feed(s->n, s->joiner, text("{\"v\":2}"), &origin);
    assert_true(text_holds(s->invalid[1], "newer"));
    normalizer_feed(s->n, s->joiner, str_make("\xff\0{", 3), &origin);
    assert_true(text_holds(s->invalid[2], "\"base64\":true"));
    struct raw_record r = record_of(s, "", RAW_DAEMON_LOG, RAW_SCAN);
    stage_feed(s, &r);
    assert_true(text_holds(s->invalid[3], "query_id: empty"));
    assert_true(text_holds(s->invalid[3], "path: missing in a SCAN record"));
    char id[300];
    memset(id, 'a', sizeof id);
    id[299] = '\0';
    feed_start(s, id, "etl", "");
    assert_true(text_holds(s->invalid[4], "longer than 256"));
    assert_int_equal(s->event_count, 0);
    stage_wait(s, 30 * HOUR);
    assert_int_equal(s->event_count, 0);
    stage_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ghost_of_a_cte),
        cmocka_unit_test(view_and_its_tables),
        cmocka_unit_test(names_without_database),
        cmocka_unit_test(ghosts_of_a_cut_text),
        cmocka_unit_test(swallowed_by_a_comment),
        cmocka_unit_test(scanned_paths),
        cmocka_unit_test(operations),
        cmocka_unit_test(overwrite_with_partitions),
        cmocka_unit_test(what_does_not_parse),
        cmocka_unit_test(analysed_before_its_ddl),
        cmocka_unit_test(old_ddl_comes_late),
        cmocka_unit_test(catalog_is_shared),
        cmocka_unit_test(temporary_tables),
        cmocka_unit_test(scripts_are_split),
        cmocka_unit_test(engine_disagrees),
        cmocka_unit_test(invalid_with_all_reasons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
