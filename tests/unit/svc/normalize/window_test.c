/* When the window for a revision is over: by the clock and by what was read of the log, so that a backlog costs nobody a revision. */
#include "stage.h"

#define Q "4d4f5a1c2b3e9f01:8a7b6c5d00000000"

/* A line of the log of a host, as it is read now. */
static struct raw_record line_of(struct stage *s, const char *id, enum raw_kind kind, const char *host, int64_t logged)
{
    struct raw_record record = record_of(s, id, RAW_DAEMON_LOG, kind);
    record.time_ms = logged;
    record.host = text(host);
    return record;
}

static void read_query(struct stage *s, const char *host, int64_t logged)
{
    struct raw_record start = line_of(s, Q, RAW_START, host, logged - 10), finish = line_of(s, Q, RAW_FINISH, host, logged);
    start.user = text("etl");
    start.sql = text("select a from ods.s");
    finish.status = text("OK");
    stage_feed(s, &start);
    stage_feed(s, &finish);
    stage_commit(s);
    assert_int_equal(s->event_count, 1);
}

static void read_table(struct stage *s, const char *host, int64_t logged)
{
    struct raw_record input = line_of(s, Q, RAW_INPUT, host, logged);
    str_t table = text("ods.late");
    input.tables = &table;
    input.table_count = 1;
    stage_feed(s, &input);
    stage_commit(s);
}

static void read_other(struct stage *s, const char *host, int64_t logged)
{
    struct raw_record start = line_of(s, "other", RAW_START, host, logged);
    start.sql = text("select 1");
    stage_feed(s, &start);
    stage_commit(s);
}

static void restore(struct stage *s)
{
    str_t reason;
    for (size_t i = 0; i < s->kept_count; i++)
        assert_true(joiner_restore(s->joiner, text(s->kept[i].id), buf_str(&s->kept[i].state), &reason));
}

/* Whoever keeps the states gives back what is due. */
static void give_back(struct stage *s)
{
    if (s->pages)
        restore(s);
}

/* The clock goes on, and there is more to read. */
static void wait_behind(struct stage *s, int64_t ms)
{
    for (int64_t until = s->now + ms; s->now < until;) {
        s->now += 10 * SECOND;
        give_back(s);
        normalizer_tick(s->n, s->joiner);
        stage_commit(s);
    }
}

static bool is_revised(const struct stage *s)
{
    return s->event_count == 2 && stage_last(s)->revision == 2 && stage_last(s)->input_count == 2;
}

static struct stage *new_stage(void **state)
{
    struct stage *s = stage_new();
    if (*(bool *)*state) { /* the states are kept elsewhere */
        normalizer_joiner_free(s->n, s->joiner);
        s->pages = true;
        s->joiner = normalizer_joiner(s->n, stage_output(s));
    }
    return s;
}

/* The process is away for a while. */
static void restart_after(struct stage *s, int64_t ms)
{
    normalizer_joiner_free(s->n, s->joiner);
    s->joiner = normalizer_joiner(s->n, stage_output(s));
    s->now += ms;
    restore(s);
}

static void slow_reading_waits_for_the_log(void **state)
{
    struct stage *s = new_stage(state);
    int64_t end = s->now;
    read_query(s, "h1", end);
    for (int i = 1; i <= 8; i++) { /* a minute of the log takes three of the clock */
        wait_behind(s, 3 * MINUTE);
        read_other(s, "h1", end + i * MINUTE / 2);
        if (i == 6)
            read_table(s, "h1", end + 3 * MINUTE);
        assert_int_equal(s->event_count, 1);
    }
    read_other(s, "h1", end + 5 * MINUTE);
    wait_behind(s, MINUTE);
    assert_true(is_revised(s));
    stage_free(s);
}

static void another_log_tells_nothing(void **state)
{
    struct stage *s = new_stage(state);
    int64_t end = s->now;
    read_query(s, "h1", end);
    read_other(s, "h2", end + HOUR);
    wait_behind(s, 10 * MINUTE);
    read_table(s, "h1", end + MINUTE);
    read_other(s, "h1", end + 6 * MINUTE);
    wait_behind(s, MINUTE);
    assert_true(is_revised(s));
    stage_free(s);
}

/* A reader that is behind on the log itself: what it told last was logged long before it was captured. */
static void a_silent_log_goes_on_with_the_clock(void **state)
{
    struct stage *s = new_stage(state);
    int64_t end = s->now;
    read_query(s, "h1", end);
    s->now += 10 * MINUTE;
    read_other(s, "h1", end + MINUTE); /* all that there is, but captured nine minutes late */
    joiner_all_read(s->joiner, s->now);
    wait_behind(s, MINUTE);
    read_table(s, "h1", end + 2 * MINUTE);
    assert_int_equal(s->event_count, 1);
    s->now += 3 * MINUTE;
    joiner_all_read(s->joiner, s->now);
    wait_behind(s, MINUTE);
    assert_true(is_revised(s));
    stage_free(s);
}

static void an_outage_ends_no_window(void **state)
{
    struct stage *s = new_stage(state);
    int64_t end = s->now;
    read_query(s, "h1", end);
    restart_after(s, 59 * MINUTE);
    wait_behind(s, 10 * SECOND);
    assert_int_equal(s->event_count, 1);
    read_table(s, "h1", end + MINUTE);
    read_other(s, "h1", end + 50 * MINUTE);
    wait_behind(s, MINUTE);
    assert_true(is_revised(s));
    stage_free(s);
}

static void after_an_outage_silence_is_enough(void **state)
{
    struct stage *s = new_stage(state);
    read_query(s, "h1", s->now);
    read_table(s, "h1", s->now);
    restart_after(s, 6 * MINUTE);
    joiner_all_read(s->joiner, s->now);
    wait_behind(s, 10 * SECOND);
    assert_true(is_revised(s));
    stage_free(s);
}

/* Nobody says that all was read: the wait has an end. */
static void not_for_ever(void **state)
{
    struct stage *s = new_stage(state);
    read_query(s, "h1", s->now);
    read_table(s, "h1", s->now);
    for (int i = 0; i < 12; i++) {
        assert_int_equal(s->event_count, 1);
        wait_behind(s, 5 * MINUTE);
        assert_true(joiner_is_waiting(s->joiner, s->now));
    }
    for (int i = 0; i < 6; i++) {
        wait_behind(s, MINUTE);
    }
    assert_true(is_revised(s));
    assert_false(joiner_is_waiting(s->joiner, s->now + HOUR));
    stage_free(s);
}

/* What was fed in a batch that is undone was not read. */
static void an_abort_forgets(void **state)
{
    struct stage *s = new_stage(state);
    int64_t end = s->now;
    read_query(s, "h1", end);
    wait_behind(s, 6 * MINUTE);
    struct raw_record other = line_of(s, "other", RAW_START, "h1", end + HOUR);
    stage_feed(s, &other);
    joiner_settle(s->joiner);
    joiner_abort(s->joiner);
    wait_behind(s, 2 * MINUTE);
    read_table(s, "h1", end + MINUTE);
    assert_int_equal(s->event_count, 1);
    stage_feed(s, &other);
    stage_commit(s);
    wait_behind(s, MINUTE);
    assert_true(is_revised(s));
    stage_free(s);
}

int main(void)
{
    static bool in_memory = false, elsewhere = true;
#define BOTH(test) cmocka_unit_test_prestate(test, &in_memory), cmocka_unit_test_prestate(test, &elsewhere)
    const struct CMUnitTest tests[] = {
        BOTH(slow_reading_waits_for_the_log),
        BOTH(another_log_tells_nothing),
        BOTH(a_silent_log_goes_on_with_the_clock),
        BOTH(an_outage_ends_no_window),
        BOTH(after_an_outage_silence_is_enough),
        BOTH(not_for_ever),
        BOTH(an_abort_forgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
