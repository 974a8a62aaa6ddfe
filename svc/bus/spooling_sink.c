/*
 * The sink with a spool. The receiver sees cookies with one bit more: the lowest says whether the record came from the spool, by its sequence
 * number, or straight from the sender, by its number in `held`.
 *
 * To keep the order, a record goes straight to the receiver only when the receiver acknowledges and all of the spool was sent on. When it goes
 * away, what it has straight from the sender is stored first, before anything newer: else one record that nobody acknowledges would hold up
 * its sender for ever, however much room the disk has. The receiver still has those, so the spool's reader passes over them.
 */
#include "bus/spooling_sink.h"

#include "bus/held.h"

#include <stdlib.h>

enum {
    AWAY_MS = 3000,
    SYNC_MS = 20, /* appended records wait at most so long for the disk */
    RESEND = 5000 /* records sent on in one poll */
};

struct spooling_sink {
    struct sink sink;
    struct sink *receiver;
    struct spool *spool;
    struct clock clock;
    struct log *log;
    int64_t away_ms;
    uint64_t outside; /* records that the receiver has and has not acknowledged */
    uint64_t live;    /* of them, those that are not in the spool */
    struct held held; /* those that went straight to it */
    uint64_t store_next, pass_next; /* numbers in `held`: stored, and passed over, up to there */
    int64_t heard_at; /* last acknowledgement, or when the first record went out after a silence */
    int64_t appended_at; /* first record since the last sync; -1: none */
    bool heard; /* something was acknowledged since heard_at was set */
    bool away;
    struct metric *away_now;
};

static struct spooling_sink *spooling_sink_of(const struct sink *sink)
{
    return (struct spooling_sink *)(uintptr_t)sink;
}

bool spooling_sink_is_away(const struct sink *sink)
{
    return spooling_sink_of(sink)->away;
}

bool spooling_sink_is_drained(const struct sink *sink)
{
    return spool_is_empty(spooling_sink_of(sink)->spool);
}

static void set_away(struct spooling_sink *self, bool away)
{
    if (self->away == away)
        return;
    self->away = away;
    metric_set(self->away_now, away);
    if (away)
        log_say(self->log, LOG_LEVEL_WARNING, "sink.away", STR(""), "nothing was acknowledged for %lld ms: records go to the spool",
                (long long)self->away_ms);
    else
        log_say(self->log, LOG_LEVEL_INFO, "sink.away", STR(""), "the receiver is back");
}

/* Once for many acknowledgements. */
static void note_hearing(struct spooling_sink *self)
{
    if (!self->heard)
        return;
    self->heard = false;
    self->heard_at = clock_steady(&self->clock);
    set_away(self, false);
}

static void tell_sender(struct spooling_sink *self, uint64_t cookie)
{
    if (self->sink.acked != NULL)
        self->sink.acked(self->sink.context, cookie);
}

/* A record that went straight to the receiver is acknowledged. */
static void take_back_held(struct spooling_sink *self, uint64_t number)
{
    struct held_record *record = held_find(&self->held, number);
    if (record == NULL)
        return;
    const struct held_record was = *record;
    record->state = HELD_ANSWERED;
    if (was.state != HELD_STORED)
        held_drop(&self->held, number);
    if (was.state == HELD_LIVE) {
        self->live--;
        tell_sender(self, was.cookie);
    } else if (was.state == HELD_PASSED) {
        spool_done(self->spool, was.sequence);
    }
}

/* From the receiver. */
static void take_acknowledgement(void *context, uint64_t tagged)
{
    struct spooling_sink *self = context;
    self->outside--;
    self->heard = true;
    if (tagged & 1)
        spool_done(self->spool, tagged >> 1);
    else
        take_back_held(self, tagged >> 1);
}

/* Lets the receiver work; what it acknowledges shows that it is there. */
static void ask_receiver(struct spooling_sink *self, bool flush, int timeout_ms)
{
    if (flush)
        sink_flush(self->receiver, timeout_ms);
    else
        sink_poll(self->receiver, timeout_ms);
    note_hearing(self);
}

/* From the spool. */
static void take_stored(void *context, uint64_t cookie)
{
    tell_sender(context, cookie);
}

static bool hand_on(struct spooling_sink *self, str_t key, str_t value, uint64_t tagged)
{
    self->outside++; /* before, for a record may be acknowledged at once */
    if (self->outside == 1)
        self->heard_at = clock_steady(&self->clock);
    if (tagged & 1 ? sink_send(self->receiver, key, value, tagged) : sink_send_kept(self->receiver, key, value, tagged))
        return true;
    self->outside--;
    return false;
}

static bool hand_on_straight(struct spooling_sink *self, str_t key, str_t value, uint64_t cookie)
{
    uint64_t number = self->held.next;
    const struct held_record *record = held_add(&self->held, key, value, cookie);
    if (record == NULL)
        return false;
    self->live++;
    if (hand_on(self, key, held_value(record), number << 1))
        return true;
    self->live--;
    held_drop(&self->held, number);
    return false;
}

static bool append(struct spooling_sink *self, str_t key, str_t value, uint64_t cookie)
{
    if (!spool_append(self->spool, key, value, cookie))
        return false;
    if (self->appended_at < 0)
        self->appended_at = clock_steady(&self->clock);
    return true;
}

/* What only the receiver has, oldest first; false when the spool takes not all of it now. */
static bool store_live(struct spooling_sink *self)
{
    for (; self->store_next < self->held.next; self->store_next++) {
        struct held_record *record = held_find(&self->held, self->store_next);
        if (record == NULL || record->state != HELD_LIVE)
            continue;
        if (!append(self, held_key(record), held_value(record), record->cookie))
            return false;
        record->sequence = spool_last(self->spool);
        record->state = HELD_STORED;
        self->live--;
    }
    return true;
}

static bool spooling_send(struct sink *sink, str_t key, str_t value, uint64_t cookie)
{
    struct spooling_sink *self = spooling_sink_of(sink);
    if (self->away)
        return store_live(self) && append(self, key, value, cookie);
    if (spool_has_unread(self->spool))
        return append(self, key, value, cookie);
    return hand_on_straight(self, key, value, cookie);
}

static void sync_when_due(struct spooling_sink *self, bool now)
{
    if (self->appended_at < 0 || (!now && clock_steady(&self->clock) - self->appended_at < SYNC_MS))
        return;
    if (spool_sync(self->spool))
        self->appended_at = -1;
}

/* Whether the spool's next record is one that the receiver has already; then it is passed over. */
static bool pass_over(struct spooling_sink *self, uint64_t sequence)
{
    struct held_record *record = NULL;
    while (self->pass_next < self->store_next) {
        record = held_find(&self->held, self->pass_next);
        if (record != NULL && (record->state == HELD_STORED || record->state == HELD_ANSWERED))
            break;
        self->pass_next++;
    }
    if (self->pass_next == self->store_next || record == NULL || record->sequence != sequence)
        return false;
    bool answered = record->state == HELD_ANSWERED;
    record->state = HELD_PASSED;
    spool_advance(self->spool);
    if (answered) {
        spool_done(self->spool, sequence);
        held_drop(&self->held, self->pass_next);
    }
    return true;
}

/* While the receiver is away, what it has already tells when it is back. */
static void send_on(struct spooling_sink *self)
{
    struct spool_record record;
    for (int i = 0; i < RESEND && !self->away && spool_peek(self->spool, &record); i++) {
        if (pass_over(self, record.sequence))
            continue;
        if (!hand_on(self, record.key, record.value, record.sequence << 1 | 1))
            return;
        spool_advance(self->spool);
    }
}

static void spooling_poll(struct sink *sink, int timeout_ms)
{
    struct spooling_sink *self = spooling_sink_of(sink);
    if (self->appended_at >= 0 && timeout_ms > SYNC_MS)
        timeout_ms = SYNC_MS;
    sync_when_due(self, false);
    if (spool_has_unread(self->spool)) {
        send_on(self);
        if (!self->away && timeout_ms > 1)
            timeout_ms = 1;
    }
    ask_receiver(self, false, timeout_ms);
    if (self->outside > 0 && clock_steady(&self->clock) - self->heard_at >= self->away_ms)
        set_away(self, true);
    if (self->away)
        store_live(self);
    sink->busy = !self->away && spool_has_unread(self->spool);
}

static bool spooling_flush(struct sink *sink, int timeout_ms)
{
    struct spooling_sink *self = spooling_sink_of(sink);
    int64_t until = clock_steady(&self->clock) + timeout_ms;
    sync_when_due(self, true);
    spooling_poll(sink, 0);
    for (int64_t left = timeout_ms; left > 0 && (self->live > 0 || self->appended_at >= 0); left = until - clock_steady(&self->clock)) {
        ask_receiver(self, true, left < SYNC_MS ? (int)left : SYNC_MS);
        sync_when_due(self, true);
        spooling_poll(sink, 0);
    }
    return self->live == 0 && self->appended_at < 0;
}

static void spooling_close(struct sink *sink)
{
    struct spooling_sink *self = spooling_sink_of(sink);
    self->receiver->acked = NULL;
    sink_close(self->receiver);
    spool_close(self->spool);
    held_release(&self->held);
    free(self);
}

static const struct sink_ops spooling_ops = {spooling_send, spooling_poll, spooling_flush, spooling_close, NULL};

struct sink *spooling_sink_open(struct sink *receiver, const struct spooling_options *options, struct buf *error)
{
    struct spooling_sink *self = calloc(1, sizeof *self);
    struct spool_options of_spool = options->spool;
    of_spool.stored = take_stored;
    of_spool.context = self;
    struct spool *spool = self == NULL ? NULL : spool_open(&of_spool, error);
    if (spool == NULL) {
        sink_close(receiver);
        free(self);
        return NULL;
    }
    *self = (struct spooling_sink){.sink.ops = &spooling_ops, .receiver = receiver, .spool = spool, .clock = of_spool.clock, .log = of_spool.log,
                                   .away_ms = options->away_ms > 0 ? options->away_ms : AWAY_MS, .appended_at = -1};
    held_init(&self->held);
    self->store_next = self->pass_next = self->held.next;
    self->away_now = metrics_gauge(of_spool.metrics, "colline_sink_away", "1 while records go to the spool, for the receiver is away.",
                                   METRIC_NO_LABELS);
    receiver->acked = take_acknowledgement;
    receiver->context = self;
    return &self->sink;
}
