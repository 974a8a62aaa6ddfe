/* From the state into the store: how it ends when there is much to load still. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "load/feed.h"
#include "load/pace.h"
#include "normalize/state_db.h"

#include <stdio.h>
#include <stdlib.h>

enum { EVENTS = 30000 };

struct setting {
    char folder[64], state[96], store[96];
    struct log *log;
    struct metrics *metrics;
    _Atomic int64_t taken;
};

static str_t text(const char *text)
{
    return str_make(text, strlen(text));
}

static void note_taken(void *context, int64_t number)
{
    ((struct setting *)context)->taken = number;
}

static void add_event(struct state_db *db, int number)
{
    char id[32];
    struct buf json;
    buf_init(&json, 0);
    snprintf(id, sizeof id, "q%d", number);
    struct event event = event_empty();
    struct event_source source = {.source = RAW_DAEMON_LOG, .host = STR("h"), .kinds = 1};
    event.query_id = text(id);
    event.revision = 1;
    event.engine = STR("impala");
    event.status = EVENT_OK;
    event.is_valid = true;
    event.sources = &source;
    event.source_count = 1;
    event.event_time = event.timestamp = event.processing_time = 1700000000000 + number;
    event_write(&json, &event);
    assert_true(state_db_add_event(db, buf_str(&json)));
    buf_release(&json);
}

static int set_up(void **state)
{
    struct setting *s = calloc(1, sizeof *s);
    struct buf reason;
    const struct clock clock = clock_system();
    const struct log_options quiet = {.level = LOG_LEVEL_ERROR};
    buf_init(&reason, 0);
    strcpy(s->folder, "/tmp/colline-feed-XXXXXX");
    assert_non_null(mkdtemp(s->folder));
    snprintf(s->state, sizeof s->state, "%s/state.db", s->folder);
    snprintf(s->store, sizeof s->store, "%s/colline.db", s->folder);
    s->log = log_open(&quiet, &clock);
    s->metrics = metrics_new();
    struct state_db *db = state_db_open(s->state, &reason);
    assert_non_null(db);
    assert_true(state_db_begin(db));
    for (int i = 0; i < EVENTS; i++)
        add_event(db, i);
    assert_true(state_db_commit(db));
    state_db_close(db);
    buf_release(&reason);
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct setting *s = *state;
    char command[96];
    metrics_free(s->metrics);
    log_close(s->log);
    snprintf(command, sizeof command, "rm -rf %s", s->folder);
    assert_int_equal(system(command), 0);
    free(s);
    return 0;
}

static struct feed *start(struct setting *s)
{
    struct buf reason;
    buf_init(&reason, 0);
    const struct feed_options options = {
        .state = s->state,
        .store = text(s->store),
        .batch = 20000,
        .batch_wait_ms = 200,
        .clock = clock_system(),
        .log = s->log,
        .metrics = s->metrics,
        .taken = note_taken,
        .context = s,
    };
    struct feed *feed = feed_start(&options, &reason);
    if (feed == NULL)
        fail_msg("%.*s", (int)reason.len, reason.ptr);
    buf_release(&reason);
    return feed;
}

static int64_t count_stored(const struct setting *s)
{
    struct buf reason;
    buf_init(&reason, 0);
    const struct store_options options = {.address = text(s->store), .access = DB_READ};
    struct store *store = store_open(&options, &reason);
    assert_non_null(store);
    struct db_query *q = db_query(store_db(store), "select count(*) from execution");
    assert_true(db_step(q));
    int64_t count = db_int(q, 0);
    db_done(q);
    store_close(store);
    buf_release(&reason);
    return count;
}

/* The batch in hand and one more, though there is more to load; the next start loads the rest, each once. */
static void test_stop_leaves_the_rest(void **state)
{
    struct setting *s = *state;
    for (int round = 0; round < 3; round++) {
        int64_t before = s->taken;
        assert_true(feed_stop(start(s), false));
        assert_true(s->taken > before);
        assert_true(s->taken < EVENTS);
        assert_int_equal(count_stored(s), s->taken);
    }
    assert_true(feed_stop(start(s), true));
    assert_int_equal(s->taken, EVENTS);
    assert_int_equal(count_stored(s), EVENTS);
}

static void test_drain_loads_all(void **state)
{
    struct setting *s = *state;
    assert_true(feed_stop(start(s), true));
    assert_int_equal(count_stored(s), EVENTS);
}

static void test_pace(void **state)
{
    (void)state;
    struct pace pace = pace_of(20000);
    assert_int_equal(pace.now, PACE_FIRST);
    pace_took(&pace, PACE_FIRST - 1, 1); /* not all it could take: nothing is known of more */
    assert_int_equal(pace.now, PACE_FIRST);
    for (int i = 0; i < 20; i++)
        pace_took(&pace, pace.now, PACE_QUICK_MS - 1);
    assert_int_equal(pace.now, 20000);
    pace_took(&pace, pace.now, PACE_SLOW_MS);
    assert_int_equal(pace.now, 20000);
    for (int i = 0; i < 20; i++)
        pace_took(&pace, 1, PACE_SLOW_MS + 1);
    assert_in_range(pace.now, 1, PACE_LEAST);
    pace = pace_of(10);
    pace_took(&pace, 10, 1);
    assert_int_equal(pace.now, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_stop_leaves_the_rest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_drain_loads_all, set_up, tear_down),
        cmocka_unit_test(test_pace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
