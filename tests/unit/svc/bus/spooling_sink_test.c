/* svc/bus/spooling_sink.h: who has which record when the receiver comes and goes. The receiver is a list that acknowledges when told to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bus/spooling_sink.h"
#include "support/spool_folder.h"

#include <stdlib.h>

enum {
    MOST = 64
};

/* Records by the first byte of their value, in the order in which they came. */
struct receiver {
    struct sink sink;
    uint64_t cookies[MOST];
    char got[MOST + 1];
    const char *kept[MOST]; /* where its sender keeps it; NULL: copied */
    size_t count, acknowledged, room;
    bool answers;
    int64_t *now;
};

static bool receive(struct sink *sink, str_t key, str_t value, uint64_t cookie)
{
    struct receiver *self = (struct receiver *)sink;
    (void)key;
    if (self->count == MOST || self->count - self->acknowledged >= self->room)
        return false;
    self->cookies[self->count] = cookie;
    self->got[self->count++] = value.ptr[0];
    return true;
}

static bool receive_kept(struct sink *sink, str_t key, str_t value, uint64_t cookie)
{
    struct receiver *self = (struct receiver *)sink;
    size_t at = self->count;
    if (!receive(sink, key, value, cookie))
        return false;
    self->kept[at] = value.ptr;
    return true;
}

/* What is borrowed must be what it was until it is acknowledged. */
static void answer(struct sink *sink, int timeout_ms)
{
    struct receiver *self = (struct receiver *)sink;
    (void)timeout_ms;
    while (self->answers && self->acknowledged < self->count) {
        size_t at = self->acknowledged++;
        assert_true(self->kept[at] == NULL || self->kept[at][0] == self->got[at]);
        self->sink.acked(self->sink.context, self->cookies[at]);
    }
}

static bool answer_all(struct sink *sink, int timeout_ms)
{
    struct receiver *self = (struct receiver *)sink;
    answer(sink, timeout_ms);
    *self->now += timeout_ms;
    return self->acknowledged == self->count;
}

static void forget(struct sink *sink)
{
    (void)sink;
}

static const struct sink_ops receiver_ops = {receive, answer, answer_all, forget, receive_kept};

struct stage {
    struct spool_folder folder;
    struct receiver receiver;
    struct sink *sink;
    char acked[MOST + 1];
    size_t acked_count;
};

static void note(void *context, uint64_t cookie)
{
    struct stage *stage = context;
    stage->acked[stage->acked_count++] = (char)cookie;
}

static void open_stage(struct stage *stage, bool answers)
{
    struct buf error;
    struct spooling_options options = {.spool = {.folder = stage->folder.path, .clock = clock_manual(&stage->folder.now), .log = stage->folder.log},
                                       .away_ms = 1000};
    stage->receiver = (struct receiver){.sink.ops = &receiver_ops, .answers = answers, .room = MOST, .now = &stage->folder.now};
    buf_init(&error, 0);
    stage->sink = spooling_sink_open(&stage->receiver.sink, &options, &error);
    assert_non_null(stage->sink);
    stage->sink->acked = note;
    stage->sink->context = stage;
}

static void send_text(struct stage *stage, const char *text)
{
    char value; /* the same place for all: nobody may keep to it */
    for (; *text != '\0'; text++) {
        value = *text;
        assert_true(sink_send(stage->sink, str_make(text, 1), str_make(&value, 1), (uint64_t)*text));
    }
}

/* Time passes and the sink works. */
static void pass(struct stage *stage, int64_t ms)
{
    stage->folder.now += ms;
    sink_poll(stage->sink, 0);
}

static void in_quiet_times_records_go_straight_through(void **state)
{
    (void)state;
    struct stage stage = {0};
    spool_folder_make(&stage.folder);
    open_stage(&stage, true);
    send_text(&stage, "abc");
    assert_string_equal(stage.acked, "");
    pass(&stage, 0);
    assert_string_equal(stage.acked, "abc");
    assert_string_equal(stage.receiver.got, "abc");
    pass(&stage, 5000);
    assert_false(spooling_sink_is_away(stage.sink));
    sink_close(stage.sink);
    spool_folder_remove(&stage.folder);
}

static void a_silent_receiver_gets_all_in_order_when_it_is_back(void **state)
{
    (void)state;
    struct stage stage = {0};
    spool_folder_make(&stage.folder);
    open_stage(&stage, false);
    send_text(&stage, "abc");
    pass(&stage, 999);
    assert_false(spooling_sink_is_away(stage.sink));
    pass(&stage, 1);
    assert_true(spooling_sink_is_away(stage.sink));
    send_text(&stage, "def");
    pass(&stage, 20);
    assert_string_equal(stage.acked, "abcdef"); /* they are on disk */
    assert_string_equal(stage.receiver.got, "abc");
    stage.receiver.answers = true;
    pass(&stage, 1);
    assert_string_equal(stage.acked, "abcdef");
    assert_false(spooling_sink_is_away(stage.sink));
    send_text(&stage, "g"); /* behind what is on disk */
    pass(&stage, 1);
    pass(&stage, 20);
    pass(&stage, 1);
    assert_string_equal(stage.receiver.got, "abcdefg");
    assert_string_equal(stage.acked, "abcdefg");
    assert_true(spooling_sink_is_drained(stage.sink));
    send_text(&stage, "h");
    assert_string_equal(stage.receiver.got, "abcdefgh");
    sink_close(stage.sink);
    spool_folder_remove(&stage.folder);
}

static void what_is_on_disk_is_sent_after_a_restart(void **state)
{
    (void)state;
    struct stage stage = {0};
    spool_folder_make(&stage.folder);
    open_stage(&stage, false);
    send_text(&stage, "a");
    pass(&stage, 1000);
    send_text(&stage, "bcd");
    assert_true(sink_flush(stage.sink, 1)); /* all are safe */
    assert_string_equal(stage.acked, "abcd");
    sink_close(stage.sink);
    open_stage(&stage, true);
    send_text(&stage, "e");
    pass(&stage, 20);
    pass(&stage, 20);
    assert_string_equal(stage.receiver.got, "abcde"); /* nobody knows whether a had arrived */
    assert_true(spooling_sink_is_drained(stage.sink));
    sink_close(stage.sink);
    spool_folder_remove(&stage.folder);
}

/* Acknowledged by some, before and after they are on disk, and before and after the spool's reader has passed over them. */
static void what_the_receiver_has_is_not_sent_again(void **state)
{
    (void)state;
    struct stage stage = {0};
    spool_folder_make(&stage.folder);
    open_stage(&stage, false);
    send_text(&stage, "abcd");
    pass(&stage, 1000);
    assert_true(spooling_sink_is_away(stage.sink));
    stage.receiver.sink.acked(stage.receiver.sink.context, stage.receiver.cookies[1]);
    stage.receiver.acknowledged = 1; /* in its count, b stands for a */
    pass(&stage, 1);
    assert_false(spooling_sink_is_away(stage.sink));
    assert_string_equal(stage.acked, ""); /* on disk, but not safe yet */
    pass(&stage, 20);
    assert_string_equal(stage.acked, "abcd");
    send_text(&stage, "e");
    pass(&stage, 20);
    pass(&stage, 1);
    assert_string_equal(stage.receiver.got, "abcde");
    assert_false(spooling_sink_is_drained(stage.sink));
    stage.receiver.sink.acked(stage.receiver.sink.context, stage.receiver.cookies[0]);
    stage.receiver.acknowledged = 2;
    stage.receiver.answers = true;
    pass(&stage, 1);
    assert_true(spooling_sink_is_drained(stage.sink));
    assert_string_equal(stage.acked, "abcde");
    sink_close(stage.sink);
    open_stage(&stage, true);
    pass(&stage, 20);
    assert_string_equal(stage.receiver.got, "");
    sink_close(stage.sink);
    spool_folder_remove(&stage.folder);
}

static void a_receiver_that_is_full_holds_up_and_loses_nothing(void **state)
{
    (void)state;
    struct stage stage = {0};
    spool_folder_make(&stage.folder);
    open_stage(&stage, false);
    stage.receiver.room = 2;
    send_text(&stage, "ab");
    assert_false(sink_send(stage.sink, STR("c"), STR("c"), 'c'));
    pass(&stage, 1000);
    send_text(&stage, "cdefg");
    pass(&stage, 20);
    assert_false(stage.sink->busy); /* nothing can be done while it is away */
    stage.receiver.answers = true;
    pass(&stage, 1);
    assert_true(stage.sink->busy);
    for (int i = 0; i < 4; i++)
        pass(&stage, 1);
    assert_false(stage.sink->busy);
    assert_string_equal(stage.receiver.got, "abcdefg");
    assert_true(spooling_sink_is_drained(stage.sink));
    sink_close(stage.sink);
    spool_folder_remove(&stage.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_quiet_times_records_go_straight_through),
        cmocka_unit_test(a_silent_receiver_gets_all_in_order_when_it_is_back),
        cmocka_unit_test(what_is_on_disk_is_sent_after_a_restart),
        cmocka_unit_test(what_the_receiver_has_is_not_sent_again),
        cmocka_unit_test(a_receiver_that_is_full_holds_up_and_loses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
