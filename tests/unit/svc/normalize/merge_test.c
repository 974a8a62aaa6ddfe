/* What a query becomes is a function of the set of its records: any order, any repetition, any cut into batches and restarts. */
#include "stage.h"

static const char Q[] = "4d4f5a1c2b3e9f01:8a7b6c5d00000000";

enum {
    RECORDS_MAX = 12,
    ROUNDS = 400
};

/* xorshift: the same numbers everywhere */
static uint32_t next_random(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

struct fixture {
    struct raw_record records[RECORDS_MAX];
    size_t count;
};

static struct raw_record *add(struct fixture *f, const struct stage *s, enum raw_source source, enum raw_kind kind)
{
    struct raw_record *r = &f->records[f->count++];
    *r = record_of(s, Q, source, kind);
    return r;
}

static void daemon_records(struct fixture *f, const struct stage *s)
{
    static str_t inputs[] = {STR("tmp"), STR("ods.b")}, outputs[] = {STR("ads.t")};
    struct raw_record *r = add(f, s, RAW_DAEMON_LOG, RAW_START);
    r->user = text("etl");
    r->sql = text("with tmp as (select id from ods.a) insert into ads.t select t.id from tmp t join ods.b b on t.id = b.id");
    r = add(f, s, RAW_DAEMON_LOG, RAW_INPUT);
    r->tables = inputs;
    r->table_count = 2;
    r = add(f, s, RAW_DAEMON_LOG, RAW_OUTPUT);
    r->tables = outputs;
    r->table_count = 1;
    r = add(f, s, RAW_DAEMON_LOG, RAW_SCAN);
    r->path = text("hdfs://ns/user/hive/warehouse/ods.db/a/ds=2024-03-15");
    r = add(f, s, RAW_DAEMON_LOG, RAW_SCAN);
    r->path = text("hdfs://ns/user/hive/warehouse/ods.db/b");
    r = add(f, s, RAW_DAEMON_LOG, RAW_FINISH);
    r->status = text("OK");
    r->duration_ms = 667;
    r->time_ms = s->now + 667;
}

static void other_records(struct fixture *f, const struct stage *s)
{
    struct raw_record *r = add(f, s, RAW_WEB, RAW_QUERY);
    r->sql = text("with tmp as (select id from ods.a) insert into");
    r->sql_cut = true;
    r->user = text("etl@EXAMPLE.COM");
    r->database = text("sales");
    r->state = text("FINISHED");
    r->start_ms = s->now - 4;
    r->end_ms = s->now + 700;
    r = add(f, s, RAW_LINEAGE_LOG, RAW_LINEAGE);
    r->sql = text("with tmp as (select id from ods.a) insert into ads.t select t.id from tmp t join ods.b b on t.id = b.id");
    r->sql_one_line = true;
    r->statement_type = text("INSERT");
    r->graph = text("{\"edges\":[],\"vertices\":[]}");
    r->end_ms = s->now / 1000 * 1000;
    r = add(f, s, RAW_AUDIT_LOG, RAW_QUERY);
    r->user = text("etl@EXAMPLE.COM");
    r->status = text("OK");
    r->host = text("h2");
    r = add(f, s, RAW_PROFILE_LOG, RAW_QUERY);
    r->user = text("etl");
    r->database = text("sales");
    r->status = text("OK");
    r->state = text("FINISHED");
    r->duration_ms = 671;
    r = add(f, s, RAW_PROFILE_LOG, RAW_QUERY); /* the same source, another opinion */
    r->user = text("etk");
    r->duration_ms = 670;
}

/* The state goes through bytes, as in a restart. */
static void reopen(struct stage *s)
{
    str_t reason;
    stage_commit(s);
    normalizer_joiner_free(s->n, s->joiner);
    s->joiner = normalizer_joiner(s->n, stage_output(s));
    for (size_t i = 0; i < s->kept_count; i++)
        assert_true(joiner_restore(s->joiner, text(s->kept[i].id), buf_str(&s->kept[i].state), &reason));
}

/* Every record at least once in a random order, some again; then the last event without what tells when it was made. */
static str_t play(struct stage *s, const struct fixture *f, uint32_t *seed)
{
    size_t order[RECORDS_MAX];
    for (size_t i = 0; i < f->count; i++)
        order[i] = i;
    for (size_t i = f->count; seed != NULL && i > 1; i--) {
        size_t other = next_random(seed) % i, kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
    for (size_t i = 0; i < f->count; i++) {
        stage_feed(s, &f->records[order[i]]);
        if (seed == NULL)
            continue;
        while (next_random(seed) % 3 == 0)
            stage_feed(s, &f->records[order[next_random(seed) % (i + 1)]]);
        if (next_random(seed) % 4 == 0)
            reopen(s);
    }
    stage_wait(s, 5 * MINUTE);
    struct event e = *stage_last(s);
    assert_true(s->event_count <= 2);
    assert_int_equal(e.revision, s->event_count);
    e.revision = 1;
    e.processing_time = 1;
    struct buf json;
    buf_init(&json, 0);
    event_write(&json, &e);
    str_t kept = arena_copy(&s->arena, buf_str(&json));
    buf_release(&json);
    return kept;
}

static void any_order(bool others)
{
    struct stage *first = stage_new();
    struct fixture f = {.count = 0};
    uint32_t seed = 20261129;
    daemon_records(&f, first);
    if (others)
        other_records(&f, first);
    str_t expected = play(first, &f, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        struct stage *s = stage_new();
        str_t actual = play(s, &f, &seed);
        if (!str_eq(actual, expected))
            fail_msg("round %d:\n%.*s\n%.*s", round, (int)expected.len, expected.ptr, (int)actual.len, actual.ptr);
        stage_free(s);
    }
    assert_text(stage_last(first)->operation_type, "INSERT");
    assert_inputs(stage_last(first), "ods.a ods.b");
    stage_free(first);
}

static void one_source_in_any_order(void **state)
{
    (void)state;
    any_order(false);
}

static void all_sources_in_any_order(void **state)
{
    (void)state;
    any_order(true);
}

/* Every subset of the records, in two orders. */
static void every_subset(void **state)
{
    (void)state;
    for (unsigned subset = 1; subset < 1u << 11; subset += 7) {
        str_t events[2];
        struct stage *stages[2];
        for (int turn = 0; turn < 2; turn++) {
            struct stage *s = stages[turn] = stage_new();
            struct fixture f = {.count = 0};
            daemon_records(&f, s);
            other_records(&f, s);
            for (size_t i = 0; i < f.count; i++) {
                size_t at = turn == 0 ? i : f.count - 1 - i;
                if (subset & 1u << at)
                    stage_feed(s, &f.records[at]);
            }
            stage_wait(s, 26 * HOUR);
            assert_true(s->event_count > 0);
            struct event e = *stage_last(s);
            struct buf json;
            buf_init(&json, 0);
            e.revision = 1;
            e.processing_time = 1;
            event_write(&json, &e);
            events[turn] = arena_copy(&s->arena, buf_str(&json));
            buf_release(&json);
        }
        if (!str_eq(events[0], events[1]))
            fail_msg("subset %x:\n%.*s\n%.*s", subset, (int)events[0].len, events[0].ptr, (int)events[1].len, events[1].ptr);
        stage_free(stages[0]);
        stage_free(stages[1]);
    }
}

/* The better source wins, field by field. */
static void field_by_field(void **state)
{
    (void)state;
    struct stage *s = stage_new();
    struct fixture f = {.count = 0};
    daemon_records(&f, s);
    other_records(&f, s);
    for (size_t i = 0; i < f.count; i++)
        stage_feed(s, &f.records[i]);
    stage_wait(s, 5 * MINUTE);
    const struct event *e = stage_last(s);
    assert_text(e->user, "etk");       /* the profile; of its two the first in byte order, for both are as long */
    assert_text(e->database, "sales");
    assert_int_equal(e->duration_ms, 671);
    assert_false(e->sql_cut);          /* the log's whole text over the page's and the one-line one */
    assert_false(e->sql_one_line);
    assert_int_equal(e->source_count, 5);
    assert_int_equal(e->timestamp, 1773584553000 - 4);
    assert_int_equal(e->event_time, 1773584553000 + 700);
    assert_int_equal(e->partition_count, 1);
    assert_text(e->partitions[0].table, "ods.a");
    assert_text(e->partitions[0].spec, "ds=2024-03-15");
    stage_free(s);
}

/* Hive runs a query again under the same id: what went well is how it ended, whichever is told first. */
static void hive_tries_again(void **state)
{
    (void)state;
    static const char *const ends[][2] = {{"ERROR", "OK"}, {"OK", "ERROR"}, {"UNKNOWN", "ERROR"}};
    static const enum event_status expected[] = {EVENT_OK, EVENT_OK, EVENT_ERROR};
    for (size_t i = 0; i < 3; i++) {
        struct stage *s = stage_new();
        for (size_t end = 0; end < 2; end++) {
            struct raw_record r = record_of(s, Q, RAW_HIVE_LOG, RAW_FINISH);
            r.status = text(ends[i][end]);
            stage_feed(s, &r);
        }
        stage_wait(s, 5 * MINUTE);
        assert_int_equal(stage_last(s)->status, expected[i]);
        stage_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_source_in_any_order),
        cmocka_unit_test(all_sources_in_any_order),
        cmocka_unit_test(every_subset),
        cmocka_unit_test(field_by_field),
        cmocka_unit_test(hive_tries_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
