/* Times and phases: when events go out, what is revised, what expires; batches, restarts and aborts. */
#include "stage.h"

static const char Q[] = "4d4f5a1c2b3e9f01:8a7b6c5d00000000";

static void feed_all(struct stage *s, const char *id)
{
    feed_start(s, id, "etl", "insert into ads.t select a from ods.s");
    feed_tables(s, id, RAW_INPUT, "ods.s");
    feed_tables(s, id, RAW_OUTPUT, "ads.t");
    feed_scan(s, id, "hdfs://ns/user/hive/warehouse/ods.db/s");
    feed_finish(s, id, "OK", 667);
}

static void at_once_at_the_end(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    feed_all(s, Q);
    assert_int_equal(s->event_count, 1);
    const struct event *e = stage_last(s);
    assert_int_equal(e->revision, 1);
    assert_int_equal(e->status, EVENT_OK);
    assert_text(e->user, "etl");
    assert_text(e->operation_type, "INSERT");
    assert_int_equal(e->duration_ms, 667);
    assert_inputs(e, "ods.s");
    assert_outputs(e, "ads.t");
    assert_true(e->lineage.len > 0);
    assert_int_equal(e->processing_time, s->now);
    stage_commit(s);
    assert_int_equal(s->puts, 1); /* one marker, not five states */
    stage_wait(s, 5 * MINUTE);
    assert_int_equal(s->event_count, 1); /* nothing better came */
    stage_wait(s, 25 * HOUR);
    assert_int_equal(s->dels, 1);
    assert_int_equal(s->kept_count, 0);
    stage_free(s);
}

static void one_revision_for_what_improves(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    feed_finish(s, Q, "OK", 5);
    assert_int_equal(s->event_count, 1);
    assert_int_equal(stage_last(s)->sql.len, 0);
    feed_start(s, Q, "etl", "insert into ads.t select a from ods.s");
    feed_tables(s, Q, RAW_INPUT, "ods.s");
    stage_wait(s, 4 * MINUTE);
    assert_int_equal(s->event_count, 1);
    feed_tables(s, Q, RAW_OUTPUT, "ads.t");
    stage_wait(s, MINUTE);
    assert_int_equal(s->event_count, 2);
    assert_int_equal(stage_last(s)->revision, 2);
    assert_text(stage_last(s)->user, "etl");
    assert_int_equal(stage_last(s)->duration_ms, 5);
    assert_true(stage_last(s)->lineage.len > 0);
    stage_free(s);
}

static void duplicates_start_nothing(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    feed_all(s, Q);
    stage_commit(s);
    feed_all(s, Q);
    stage_wait(s, 5 * MINUTE);
    feed_all(s, Q);
    stage_wait(s, HOUR);
    assert_int_equal(s->event_count, 1);
    assert_int_equal(joiner_counts(s->joiner).late, 5);
    assert_int_equal(joiner_counts(s->joiner).duplicates, 5);
    stage_free(s);
}

static void late_text_revises(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    feed_finish(s, Q, "OK", 5);
    stage_wait(s, 6 * MINUTE);
    feed_tables(s, Q, RAW_INPUT, "ods.s"); /* late, and neither text nor lineage */
    assert_int_equal(s->event_count, 1);
    feed_start(s, Q, "etl", "insert into ads.t select a from ods.s");
    assert_int_equal(s->event_count, 2);
    assert_int_equal(stage_last(s)->revision, 2);
    assert_inputs(stage_last(s), "ods.s");
    stage_commit(s);
    feed_tables(s, Q, RAW_OUTPUT, "ads.other");
    stage_wait(s, 6 * MINUTE);
    assert_int_equal(s->event_count, 2); /* now text and lineage are there */
    assert_int_equal(joiner_counts(s->joiner).late, 3);
    stage_free(s);
}

static void late_text_of_a_failed_query_revises(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    feed_finish(s, Q, "ERROR", 5);
    stage_wait(s, 6 * MINUTE);
    feed_start(s, Q, "etl", "insert into ads.t select a from ods.s");
    assert_int_equal(s->event_count, 2);
    assert_int_equal(stage_last(s)->revision, 2);
    assert_int_equal(stage_last(s)->status, EVENT_ERROR);
    assert_true(str_eq(stage_last(s)->sql, STR("insert into ads.t select a from ods.s")));
    stage_commit(s);
    feed_tables(s, Q, RAW_OUTPUT, "ads.other"); /* it has all that it can have */
    stage_wait(s, 6 * MINUTE);
    assert_int_equal(s->event_count, 2);
    stage_free(s);
}

static struct raw_record lineage_record(struct stage *s, const char *id)
{
    struct raw_record r = record_of(s, id, RAW_LINEAGE_LOG, RAW_LINEAGE);
    r.sql = text("insert into ads.t select a from ods.s");
    r.sql_one_line = true;
    r.graph = text("{\"edges\":[{\"sources\":[1],\"targets\":[0],\"edgeType\":\"PROJECTION\"}],\"vertices\":[{\"id\":0,\"vertexType\":\"COLUMN\","
                   "\"vertexId\":\"a\",\"metadata\":{\"tableName\":\"ads.t\"}},{\"id\":1,\"vertexType\":\"COLUMN\",\"vertexId\":\"ods.s.a\","
                   "\"metadata\":{\"tableName\":\"ods.s\"}}]}");
    r.start_ms = s->now - 2000;
    r.end_ms = s->now;
    return r;
}

static void weak_ends_wait(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    struct raw_record r = lineage_record(s, Q);
    stage_feed(s, &r);
    stage_wait(s, 9 * SECOND);
    assert_int_equal(s->event_count, 0);
    stage_wait(s, SECOND);
    assert_int_equal(s->event_count, 1);
    assert_int_equal(stage_last(s)->status, EVENT_OK);
    assert_true(stage_last(s)->engine_lineage.len > 0);
    assert_false(has_problem(stage_last(s), "engine-disagrees"));
    stage_free(s);
}

static void weak_end_gives_way(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    struct raw_record r = lineage_record(s, Q);
    stage_feed(s, &r);
    feed_finish(s, Q, "ERROR", 10);
    assert_int_equal(s->event_count, 1);
    assert_int_equal(stage_last(s)->status, EVENT_ERROR);
    assert_int_equal(stage_last(s)->lineage.len, 0); /* failed: kept out */
    assert_int_equal(stage_last(s)->engine_lineage.len, 0);
    assert_int_equal(joiner_counts(s->joiner).failed, 1);
    stage_free(s);
}

static void never_finished(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    feed_start(s, Q, "etl", "select a from ods.s");
    stage_wait(s, 24 * HOUR);
    assert_int_equal(s->event_count, 0);
    feed_tables(s, Q, RAW_INPUT, "ods.s"); /* captured now: the time begins anew */
    stage_wait(s, 2 * HOUR);
    assert_int_equal(s->event_count, 0);
    stage_wait(s, 23 * HOUR);
    assert_int_equal(s->event_count, 1);
    assert_int_equal(stage_last(s)->status, EVENT_INCOMPLETE);
    assert_true(stage_last(s)->incomplete);
    assert_int_equal(stage_last(s)->lineage.len, 0);
    assert_int_equal(joiner_counts(s->joiner).incomplete, 1);
    feed_finish(s, Q, "OK", 100); /* after all */
    assert_int_equal(s->event_count, 2);
    assert_int_equal(stage_last(s)->revision, 2);
    assert_int_equal(stage_last(s)->status, EVENT_OK);
    stage_free(s);
}

/* Log time is of another year; the wall clock counts. */
static void log_time_expires_nothing(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    struct raw_record r = record_of(s, Q, RAW_DAEMON_LOG, RAW_START);
    r.user = text("etl");
    r.time_ms = s->now - 400 * 24 * HOUR;
    stage_feed(s, &r);
    stage_wait(s, 24 * HOUR);
    assert_int_equal(s->event_count, 0);
    stage_free(s);
}

/* Offsets were reset: records captured long ago come again, and the end of the query right behind. */
static void old_records_wait_for_the_rest(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    struct raw_record r = record_of(s, Q, RAW_DAEMON_LOG, RAW_START);
    r.user = text("etl");
    r.captured_at = s->now - 30 * HOUR;
    stage_feed(s, &r);
    stage_wait(s, SECOND);
    assert_int_equal(s->event_count, 0);
    feed_finish(s, Q, "OK", 5);
    assert_int_equal(s->event_count, 1);
    assert_int_equal(stage_last(s)->status, EVENT_OK);
    stage_free(s);
}

static void each_piece_missing(void **state)
{
    (void)state;
    for (unsigned missing = 0; missing < 32; missing++) {
        struct stage *s = stage_new();
        if (missing & 1)
            feed_start(s, Q, "etl", "insert into ads.t select a from ods.s");
        if (missing & 2)
            feed_tables(s, Q, RAW_INPUT, "ods.s");
        if (missing & 4)
            feed_tables(s, Q, RAW_OUTPUT, "ads.t");
        if (missing & 8)
            feed_scan(s, Q, "hdfs://ns/user/hive/warehouse/ods.db/s");
        if (missing & 16)
            feed_finish(s, Q, "OK", 5);
        stage_wait(s, 25 * HOUR);
        assert_int_equal(s->event_count, missing != 0);
        if (missing != 0) {
            assert_int_equal(stage_last(s)->incomplete, (missing & 16) == 0);
            assert_inputs(stage_last(s), missing & (1 | 2 | 8) ? "ods.s" : "");
            assert_outputs(stage_last(s), missing & (1 | 4) ? "ads.t" : "");
            assert_int_equal(has_problem(stage_last(s), "no-text"), (missing & 1) == 0);
        }
        stage_free(s);
    }
}

static void retried_is_no_success(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    struct raw_record r = record_of(s, Q, RAW_PROFILE_LOG, RAW_QUERY);
    r.sql = text("insert into ads.t select a from ods.s");
    r.status = text("OK");
    r.state = text("RETRIED");
    r.end_ms = s->now;
    stage_feed(s, &r);
    assert_int_equal(stage_last(s)->status, EVENT_RETRIED);
    assert_int_equal(stage_last(s)->lineage.len, 0);
    r.state = text("RETRYING");
    r.status = text("");
    r.end_ms = 0;
    r.query_id = text("4d4f5a1c2b3e9f01:8a7b6c5e00000000");
    stage_feed(s, &r);
    assert_int_equal(s->event_count, 1);
    stage_free(s);
}

/* ---- batches ---------------------------------------------------------------------------------------------------- */

static void restart(struct stage *s, bool restore)
{
    normalizer_joiner_free(s->n, s->joiner);
    s->joiner = normalizer_joiner(s->n, stage_output(s));
    str_t reason;
    for (size_t i = 0; restore && i < s->kept_count; i++)
        assert_true(joiner_restore(s->joiner, text(s->kept[i].id), buf_str(&s->kept[i].state), &reason));
}

static void states_outlive_a_restart(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    feed_start(s, Q, "etl", "insert into ads.t select a from ods.s");
    stage_commit(s);
    restart(s, true);
    feed_tables(s, Q, RAW_INPUT, "ods.s");
    stage_commit(s);
    restart(s, true);
    assert_int_equal(joiner_counts(s->joiner).open, 1);
    feed_finish(s, Q, "OK", 5);
    assert_int_equal(s->event_count, 1);
    assert_text(stage_last(s)->user, "etl");
    stage_commit(s);
    restart(s, true);
    feed_finish(s, Q, "OK", 5);
    stage_wait(s, 5 * MINUTE);
    restart(s, true);
    feed_finish(s, Q, "OK", 5);
    stage_wait(s, 20 * HOUR);
    assert_int_equal(s->event_count, 1);
    stage_free(s);
}

static void abort_undoes(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    feed_start(s, Q, "etl", "insert into ads.t select a from ods.s");
    stage_commit(s);
    for (int i = 0; i < 3; i++) {
        feed_finish(s, Q, "OK", 5);
        feed_start(s, "x", "u", "select 1");
        joiner_settle(s->joiner);
        joiner_abort(s->joiner);
    }
    assert_int_equal(s->event_count, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(s->events[i].revision, 1);
    feed_finish(s, Q, "OK", 5);
    stage_wait(s, 5 * MINUTE);
    assert_int_equal(s->event_count, 4);
    assert_int_equal(stage_last(s)->revision, 1);
    stage_wait(s, 30 * HOUR);
    assert_int_equal(s->event_count, 4); /* `x` was never committed */
    stage_free(s);
}

/* Ids of the usual shapes become markers of a few bytes, others do not: nobody can tell them apart. */
static void markers_hold_and_go(void **state)
{
    (void)state;
    static const char *const ids[] = {Q, "4d4f5a1c-2b3e-4f01-8a7b-6c5d00000000", "hive-4d4f5a1c2b3e9f01"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        struct stage *s = stage_new();
        feed_all(s, ids[i]);
        stage_wait(s, 6 * MINUTE); /* done: the marker is kept */
        assert_int_equal(s->puts, 1);
        restart(s, true);
        feed_all(s, ids[i]);
        stage_wait(s, 24 * HOUR);
        assert_int_equal(s->event_count, 1);
        assert_int_equal(joiner_counts(s->joiner).late, 5);
        assert_int_equal(s->puts, 1);
        assert_int_equal(s->dels, 0);
        s->now += HOUR;
        normalizer_tick(s->n, s->joiner);
        joiner_settle(s->joiner);
        assert_int_equal(s->dels, 1);
        joiner_abort(s->joiner); /* the marker is back */
        feed_all(s, ids[i]);
        assert_int_equal(s->event_count, 1);
        on_put(s, text(ids[i]), text("as the kept state would be"));
        stage_wait(s, SECOND);
        assert_int_equal(s->dels, 2);
        assert_int_equal(s->kept_count, 0);
        feed_all(s, ids[i]); /* forgotten: it begins anew */
        assert_int_equal(s->event_count, 2);
        stage_free(s);
    }
}

static void states_asked_back(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    s->pages = true;
    restart(s, false);
    feed_finish(s, Q, "OK", 5);
    stage_commit(s);
    feed_start(s, Q, "etl", "select a from ods.s");
    stage_commit(s);
    assert_int_equal(s->event_count, 1);
    assert_int_equal(s->gets, 2);
    str_t reason, kept = buf_str(&s->kept[0].state);
    assert_int_equal(joiner_state_due(kept), s->now + 5 * MINUTE);
    assert_false(joiner_state_is_open(kept));
    assert_true(joiner_restore(s->joiner, text(Q), kept, &reason));
    stage_wait(s, 5 * MINUTE);
    assert_int_equal(s->event_count, 2);
    assert_int_equal(stage_last(s)->revision, 2);
    feed_start(s, Q, "etl", "select a from ods.s");
    stage_commit(s);
    assert_int_equal(joiner_counts(s->joiner).late, 1);
    stage_free(s);
}

static void broken_states_are_refused(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    feed_start(s, Q, "etl", "insert into ads.t select a from ods.s");
    feed_tables(s, Q, RAW_INPUT, "ods.s");
    stage_commit(s);
    str_t whole = buf_str(&s->kept[0].state), reason;
    for (size_t len = 0; len < whole.len; len++)
        assert_false(joiner_restore(s->joiner, text("q"), str_make(whole.ptr, len), &reason));
    assert_true(joiner_restore(s->joiner, text("q"), whole, &reason));
    stage_free(s);
}

static void drained(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    for (int i = 0; i < 600; i++) {
        char id[16];
        snprintf(id, sizeof id, "q%d", i);
        if (i % 3 != 0)
            feed_finish(s, id, "OK", 5);
        if (i % 3 != 1)
            feed_start(s, id, "etl", "select a from ods.s");
    }
    int rounds = 1;
    for (; joiner_drain(s->joiner, s->now, 250); rounds++)
        stage_commit(s);
    stage_commit(s);
    assert_int_equal(rounds, 3);
    assert_int_equal(s->kept_count, 0);
    assert_int_equal(s->event_count, 800); /* 200 incomplete, 200 without text, 200 of two revisions */
    assert_int_equal(joiner_counts(s->joiner).incomplete, 200);
    assert_int_equal(joiner_counts(s->joiner).revisions, 200);
    stage_free(s);
}

/* Queries that never end: each is reported once, and nothing of them stays. */
static void memory_comes_back(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    for (int i = 0; i < 2000; i++) {
        char id[16];
        snprintf(id, sizeof id, "q%d", i);
        feed_start(s, id, "etl", "select a from ods.s");
        if (i % 100 == 0)
            stage_commit(s);
    }
    stage_wait(s, 25 * HOUR);
    assert_int_equal(s->event_count, 2000);
    assert_int_equal(joiner_counts(s->joiner).open, 0);
    stage_wait(s, 25 * HOUR);
    assert_int_equal(s->kept_count, 0);
    assert_int_equal(s->event_count, 2000);
    stage_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_once_at_the_end),
        cmocka_unit_test(one_revision_for_what_improves),
        cmocka_unit_test(duplicates_start_nothing),
        cmocka_unit_test(late_text_revises),
        cmocka_unit_test(late_text_of_a_failed_query_revises),
        cmocka_unit_test(weak_ends_wait),
        cmocka_unit_test(weak_end_gives_way),
        cmocka_unit_test(never_finished),
        cmocka_unit_test(log_time_expires_nothing),
        cmocka_unit_test(old_records_wait_for_the_rest),
        cmocka_unit_test(each_piece_missing),
        cmocka_unit_test(retried_is_no_success),
        cmocka_unit_test(states_outlive_a_restart),
        cmocka_unit_test(abort_undoes),
        cmocka_unit_test(markers_hold_and_go),
        cmocka_unit_test(states_asked_back),
        cmocka_unit_test(broken_states_are_refused),
        cmocka_unit_test(drained),
        cmocka_unit_test(memory_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
