/* The states that a query goes through, and batches of changes to them. */
#include "normalize/joiner.h"

#include "normalize/entries.h"
#include "normalize/heard.h"
#include "normalize/join.h"
#include "normalize/markers.h"
#include "run/hash.h"

#include <stdlib.h>

enum {
    DAY_MS = 86400000,
    QUERY_ID_MAX = 256,
    HELD_MAX = 20000, /* open queries that stay in memory where somebody else keeps the states */
    WINDOWS_MAX = 12, /* so long a window may last, while its log is not read far enough */
    CLOCKS_MS = 1000, /* ends are told by other clocks than lines, and rounded */
    LOOKS = 8,        /* in the time of a window, at one that is longer */
    LOOK_LEAST_MS = 50
};

/* A query that the present batch works on. */
struct live {
    struct join join;
    struct entry *entry;
    bool forgotten;
    size_t encoded_at, encoded_len; /* after settling */
};

struct joiner {
    struct joiner_limits limits;
    struct joiner_output output;
    struct joiner_resolver resolver;
    struct joiner_counts counts;
    struct entries entries;
    struct markers markers; /* of done queries, where nobody else keeps them */
    struct arena batch;   /* lives and what they took in, until commit */
    struct arena scratch; /* of one event */
    VEC(struct live *) touched; /* in the batch's arena */
    struct buf encoded, fetched;
    struct heard heard;
    int64_t waited_at; /* when a window was looked at last that was not over, though its time was; 0: never */
    bool failed, retrying;
};

struct joiner *joiner_new(const struct joiner_limits *limits, const struct joiner_output *output)
{
    struct joiner *joiner = calloc(1, sizeof *joiner);
    if (joiner == NULL)
        return NULL;
    joiner->limits = *limits;
    joiner->output = *output;
    markers_init(&joiner->markers);
    arena_init(&joiner->batch, 0, NULL);
    arena_init(&joiner->scratch, 0, NULL);
    buf_init(&joiner->encoded, 0);
    buf_init(&joiner->fetched, 0);
    return joiner;
}

void joiner_free(struct joiner *joiner)
{
    if (joiner == NULL)
        return;
    entries_release(&joiner->entries);
    markers_release(&joiner->markers);
    heard_release(&joiner->heard);
    arena_release(&joiner->batch);
    arena_release(&joiner->scratch);
    buf_release(&joiner->encoded);
    buf_release(&joiner->fetched);
    free(joiner);
}

void joiner_set_resolver(struct joiner *joiner, const struct joiner_resolver *resolver)
{
    joiner->resolver = *resolver;
}

void *joiner_context(const struct joiner *joiner)
{
    return joiner->output.context;
}

bool joiner_is_retrying(const struct joiner *joiner)
{
    return joiner->retrying;
}

struct joiner_counts joiner_counts(const struct joiner *joiner)
{
    return joiner->counts;
}

bool joiner_is_well(const struct joiner *joiner)
{
    return !joiner->failed && !joiner->batch.failed && !joiner->encoded.failed;
}

int64_t joiner_state_due(str_t state)
{
    return join_encoded_due(state);
}

bool joiner_state_is_open(str_t state)
{
    return join_encoded_phase(state) <= JOIN_GRACE;
}

/* ---- entries ---------------------------------------------------------------------------------------------------- */

static void set_open(struct joiner *joiner, struct entry *entry, bool open)
{
    if (entry->open != open)
        joiner->counts.open += open ? 1 : (uint64_t)-1;
    entry->open = open;
}

static void drop_entry(struct joiner *joiner, struct entry *entry)
{
    set_open(joiner, entry, false);
    entries_remove(&joiner->entries, entry);
}

/* An entry with a committed state. */
static struct entry *add_committed(struct joiner *joiner, str_t id, str_t state)
{
    struct entry *entry = entries_add(&joiner->entries, id, join_encoded_due(state));
    if (entry == NULL || !entry_set_state(entry, state)) {
        joiner->failed = true;
        return NULL;
    }
    set_open(joiner, entry, joiner_state_is_open(state));
    return entry;
}

/* Whether a done query is now known by its marker alone. */
static bool keep_marker(struct joiner *joiner, str_t id, int64_t due)
{
    return joiner->output.get == NULL && markers_add(&joiner->markers, id, due);
}

/* A marker whose time is over becomes an entry again, which the batch forgets. */
static void on_marker_due(void *context, str_t id, int64_t due)
{
    struct joiner *joiner = context;
    const struct join join = {.phase = JOIN_DONE, .due = due, .revision = 1, .done_until = due};
    buf_clear(&joiner->fetched);
    join_encode(&joiner->fetched, &join);
    if (joiner->fetched.failed || add_committed(joiner, id, buf_str(&joiner->fetched)) == NULL)
        joiner->failed = true;
}

bool joiner_restore(struct joiner *joiner, str_t query_id, str_t state, str_t *reason)
{
    struct join join;
    arena_clear(&joiner->scratch);
    if (query_id.len == 0 || query_id.len > QUERY_ID_MAX || !join_decode(state, &join, &joiner->scratch)) {
        *reason = STR("the state of a query cannot be read");
        return false;
    }
    return entries_find(&joiner->entries, query_id) != NULL ||
           (join.phase == JOIN_DONE && keep_marker(joiner, query_id, join.due)) || add_committed(joiner, query_id, state) != NULL;
}

/* The entry of a query that has none: fetched or new. */
static struct entry *make_entry(struct joiner *joiner, str_t id, int64_t now_ms)
{
    buf_clear(&joiner->fetched);
    if (joiner->output.get != NULL && joiner->output.get(joiner->output.context, id, &joiner->fetched) &&
        joiner->fetched.len > 0)
        return add_committed(joiner, id, buf_str(&joiner->fetched));
    return entries_add(&joiner->entries, id, now_ms);
}

/* Opens the state for this batch; NULL when memory is out. */
static struct live *touch(struct joiner *joiner, struct entry *entry)
{
    if (entry->live != NULL)
        return entry->live;
    struct live *live = ARENA_NEW(&joiner->batch, struct live);
    struct live **place = live == NULL ? NULL : VEC_PUSH(&joiner->batch, &joiner->touched);
    if (place == NULL) {
        joiner->failed = true;
        return NULL;
    }
    *place = live;
    live->entry = entry;
    entry->live = live;
    str_t state = arena_copy(&joiner->batch, entry_state(entry)); /* the entry's bytes go when it is committed */
    if (entry->state_len > 0 && !join_decode(state, &live->join, &joiner->batch))
        live->join = (struct join){0}; /* restore has looked at it; what `get` gives may be broken: begun anew */
    return live;
}

static void set_due(struct joiner *joiner, struct live *live, int64_t due)
{
    live->join.due = due;
    if (due < live->entry->due)
        entries_set_due(&joiner->entries, live->entry, due); /* a later time is found when the earlier one comes */
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

/* Builds the event as it is now. Gives whether another catalog could make it better. */
static bool build(struct joiner *joiner, const struct live *live, struct event *event)
{
    arena_clear(&joiner->scratch);
    join_event(&live->join, entry_id(live->entry), event, &joiner->scratch);
    return joiner->resolver.resolve != NULL && joiner->resolver.resolve(joiner->resolver.context, event, &joiner->scratch);
}

static void emit(struct joiner *joiner, struct live *live, struct event *event, bool uncertain, int64_t now_ms)
{
    struct join *join = &live->join;
    event->revision = ++join->revision;
    if (join->first_event_time == 0)
        join->first_event_time = event->event_time;
    if (join->first_event_time / DAY_MS != event->event_time / DAY_MS)
        event->first_event_time = join->first_event_time;
    event->processing_time = now_ms;
    joiner->failed |= joiner->scratch.failed;
    joiner->counts.events += join->revision == 1;
    joiner->counts.revisions += join->revision > 1;
    joiner->counts.incomplete += event->incomplete;
    joiner->counts.failed += event->status == EVENT_ERROR || event->status == EVENT_CANCELLED || event->status == EVENT_RETRIED;
    join->improved = false;
    join->uncertain = uncertain;
    join->has_lineage = event->lineage.len > 0;
    join->lineage_hash = hash64(event->lineage, 0);
    joiner->output.emit(joiner->output.context, event);
}

/* After the last event of the window: what has all that a late record could bring is only marked. */
static void finish(struct joiner *joiner, struct live *live)
{
    struct join *join = &live->join;
    enum event_status status = join->numbers[JOIN_STATUS].rank == 0 ? EVENT_INCOMPLETE : (enum event_status)(join->numbers[JOIN_STATUS].value - 1);
    bool failed = status == EVENT_ERROR || status == EVENT_CANCELLED || status == EVENT_RETRIED;
    bool has_text = join_sql_quality(join) >= SQL_ONE_LINE;
    join->phase = has_text && (failed || join->has_lineage) ? JOIN_DONE : JOIN_KEPT;
    set_due(joiner, live, join->done_until);
}

static void first_event(struct joiner *joiner, struct live *live, int64_t now_ms)
{
    struct event event;
    bool uncertain = build(joiner, live, &event);
    emit(joiner, live, &event, uncertain, now_ms);
    live->join.done_until = now_ms + joiner->limits.done_ms;
    live->join.phase = JOIN_WINDOW;
    if (event.incomplete)
        finish(joiner, live);
    else
        set_due(joiner, live, now_ms + joiner->limits.revision_ms);
}

/* Whether all that was logged within the window has been read, of the logs that told of the query. */
static bool window_is_read(const struct joiner *joiner, const struct join *join, int64_t now_ms)
{
    int64_t window = joiner->limits.revision_ms, began = join->done_until - joiner->limits.done_ms;
    int64_t until = join->first_event_time + window - (window / 4 < CLOCKS_MS ? window / 4 : CLOCKS_MS);
    if (join->first_event_time == 0 || now_ms - began >= window * (1 + WINDOWS_MAX))
        return true;
    for (uint32_t i = 0; i < join->seen.count; i++)
        if (!heard_until(&joiner->heard, join->seen.items[i].source, join->seen.items[i].host, until, began + window))
            return false;
    return true;
}

static void end_window(struct joiner *joiner, struct live *live, int64_t now_ms)
{
    struct join *join = &live->join;
    struct event event;
    if (join->improved || join->uncertain) {
        bool uncertain = build(joiner, live, &event);
        if (join->improved || hash64(event.lineage, 0) != join->lineage_hash)
            emit(joiner, live, &event, uncertain, now_ms);
    }
    finish(joiner, live);
}

/* What came after the window: worth an event only where text, lineage or the end were missing. */
static void late_news(struct joiner *joiner, struct live *live, enum sql_quality quality, bool had_end, int64_t now_ms)
{
    struct join *join = &live->join;
    struct event event;
    bool uncertain = build(joiner, live, &event);
    bool better_text = quality < SQL_ONE_LINE && join_sql_quality(join) > quality;
    bool first_lineage = !join->has_lineage && event.lineage.len > 0;
    bool first_end = !had_end && join->numbers[JOIN_STATUS].rank > 0;
    if (!better_text && !first_lineage && !first_end)
        return;
    emit(joiner, live, &event, uncertain, now_ms);
    finish(joiner, live);
}

/* ---- records ---------------------------------------------------------------------------------------------------- */

/* A query without an end yet: the end may be this record. */
static void advance(struct joiner *joiner, struct live *live, enum join_ending ending, int64_t now_ms)
{
    struct join *join = &live->join;
    int64_t captured = join->captured_at < now_ms ? join->captured_at : now_ms; /* clocks may be wrong */
    if (ending == JOIN_END_SEEN || (ending == JOIN_WEAK_END && joiner->limits.grace_ms <= 0)) {
        first_event(joiner, live, now_ms);
    } else if (ending == JOIN_WEAK_END && join->phase == JOIN_OPEN) {
        join->phase = JOIN_GRACE;
        set_due(joiner, live, now_ms + joiner->limits.grace_ms);
    } else if (join->phase == JOIN_OPEN) {
        int64_t expiry = captured + joiner->limits.expiry_ms, least = now_ms + joiner->limits.revision_ms;
        set_due(joiner, live, expiry > least ? expiry : least); /* old records may be followed by their rest at once */
    }
}

static void take(struct joiner *joiner, struct live *live, const struct raw_record *record, int64_t now_ms)
{
    struct join *join = &live->join;
    enum sql_quality quality = join_sql_quality(join);
    bool had_end = join->numbers[JOIN_STATUS].rank > 0;
    bool news = join_merge(join, record, &joiner->batch);
    joiner->counts.duplicates += !news;
    if (join->phase <= JOIN_GRACE)
        advance(joiner, live, record_ending(record), now_ms);
    else if (join->phase == JOIN_WINDOW)
        join->improved |= news;
    else if (news)
        late_news(joiner, live, quality, had_end, now_ms);
}

/* Whether only the marker of a done query is left. */
static bool is_marker(const struct entry *entry)
{
    if (entry->live != NULL)
        return entry->live->join.phase == JOIN_DONE;
    return entry->state_len > 0 && join_encoded_phase(entry_state(entry)) == JOIN_DONE;
}

void joiner_feed(struct joiner *joiner, const struct raw_record *record, int64_t now_ms)
{
    joiner->counts.records++;
    heard_record(&joiner->heard, record, now_ms);
    if (record->query_id.len == 0 || record->query_id.len > QUERY_ID_MAX) {
        joiner->output.invalid(joiner->output.context, record, STR("query_id: empty, or longer than 256 bytes"));
        return;
    }
    struct entry *entry = entries_find(&joiner->entries, record->query_id);
    if (entry == NULL && markers_has(&joiner->markers, record->query_id)) {
        joiner->counts.late++;
        return;
    }
    if (entry == NULL)
        entry = make_entry(joiner, record->query_id, now_ms);
    if (entry == NULL) {
        joiner->failed = true;
        return;
    }
    struct live *live = is_marker(entry) && joiner->output.get == NULL ? NULL : touch(joiner, entry);
    joiner->counts.late += live == NULL || live->join.phase >= JOIN_KEPT;
    if (live != NULL && live->join.phase != JOIN_DONE)
        take(joiner, live, record, now_ms);
}

/* ---- time ------------------------------------------------------------------------------------------------------- */

static void forget(struct joiner *joiner, struct live *live)
{
    live->forgotten = true;
    entries_set_due(&joiner->entries, live->entry, INT64_MAX); /* it goes with the commit */
}

static int64_t look_pause(const struct joiner *joiner)
{
    int64_t pause = joiner->limits.revision_ms / LOOKS;
    return pause < LOOK_LEAST_MS ? LOOK_LEAST_MS : pause;
}

/* A window that is not read yet: looked at again later. Who keeps the states elsewhere finds it by its time there. */
static void look_again(struct joiner *joiner, struct live *live, int64_t now_ms)
{
    int64_t later = now_ms + look_pause(joiner);
    joiner->waited_at = now_ms;
    if (joiner->output.get != NULL)
        live->join.due = later;
    entries_set_due(&joiner->entries, live->entry, later);
}

static void become_due(struct joiner *joiner, struct live *live, int64_t now_ms)
{
    if (live->join.phase == JOIN_WINDOW && !window_is_read(joiner, &live->join, now_ms)) {
        look_again(joiner, live, now_ms);
        return;
    }
    switch (live->join.phase) {
    case JOIN_OPEN:
    case JOIN_GRACE:
        first_event(joiner, live, now_ms);
        break;
    case JOIN_WINDOW:
        end_window(joiner, live, now_ms);
        break;
    case JOIN_KEPT:
    case JOIN_DONE:
        forget(joiner, live);
        break;
    }
    if (!live->forgotten)
        entries_set_due(&joiner->entries, live->entry, live->join.due);
}

/* Gives when the next entry is due. */
static int64_t tick_entries(struct joiner *joiner, int64_t now_ms)
{
    for (;;) {
        struct entry *entry = entries_first(&joiner->entries);
        if (entry == NULL)
            return INT64_MAX;
        if (entry->due > now_ms)
            return entry->due;
        int64_t due = entry->live != NULL ? entry->live->join.due : join_encoded_due(entry_state(entry));
        if (due > now_ms) {
            entries_set_due(&joiner->entries, entry, due);
            continue;
        }
        struct live *live = touch(joiner, entry);
        if (live == NULL)
            return INT64_MAX;
        become_due(joiner, live, now_ms);
    }
}

int64_t joiner_tick(struct joiner *joiner, int64_t now_ms)
{
    int64_t markers = markers_sweep(&joiner->markers, now_ms, on_marker_due, joiner);
    int64_t entries = tick_entries(joiner, now_ms);
    return markers < entries ? markers : entries;
}

void joiner_all_read(struct joiner *joiner, int64_t at_ms)
{
    heard_all(&joiner->heard, at_ms);
}

bool joiner_is_waiting(const struct joiner *joiner, int64_t now_ms)
{
    return joiner->waited_at > 0 && now_ms - joiner->waited_at <= 2 * look_pause(joiner);
}

static void drain(struct joiner *joiner, struct live *live, int64_t now_ms)
{
    if (live->join.phase <= JOIN_GRACE)
        first_event(joiner, live, now_ms);
    if (live->join.phase == JOIN_WINDOW)
        end_window(joiner, live, now_ms);
    live->forgotten = true;
}

bool joiner_drain(struct joiner *joiner, int64_t now_ms, uint32_t most)
{
    uint32_t count = joiner->entries.count < most ? joiner->entries.count : most;
    struct entry **some = ARENA_ARRAY(&joiner->batch, struct entry *, count); /* the heap changes on the way */
    if (some == NULL || count == 0) /* nothing, or no memory, which the arena remembers */
        return false;
    memcpy(some, joiner->entries.heap, count * sizeof *some);
    for (uint32_t i = 0; i < count; i++) {
        struct live *live = touch(joiner, some[i]);
        if (live != NULL)
            drain(joiner, live, now_ms);
    }
    return joiner->entries.count > count;
}

/* ---- batches ---------------------------------------------------------------------------------------------------- */

static void settle(struct joiner *joiner, struct live *live)
{
    str_t id = entry_id(live->entry), before = entry_state(live->entry);
    live->encoded_at = joiner->encoded.len;
    if (live->forgotten) {
        if (before.len > 0)
            joiner->output.del(joiner->output.context, id);
        return;
    }
    join_encode(&joiner->encoded, &live->join);
    live->encoded_len = joiner->encoded.len - live->encoded_at;
    str_t state = str_make(joiner->encoded.ptr + live->encoded_at, live->encoded_len);
    if (!joiner->encoded.failed && !str_eq(state, before))
        joiner->output.put(joiner->output.context, id, state);
}

void joiner_settle(struct joiner *joiner)
{
    buf_clear(&joiner->encoded);
    for (uint32_t i = 0; i < joiner->touched.count; i++)
        settle(joiner, joiner->touched.items[i]);
}

/* The batch is over: the lives go, whatever became of them. */
static void end_batch(struct joiner *joiner)
{
    joiner->touched.items = NULL;
    joiner->touched.count = joiner->touched.capacity = 0;
    arena_clear(&joiner->batch);
    buf_clear(&joiner->encoded);
}

static void commit(struct joiner *joiner, struct live *live)
{
    struct entry *entry = live->entry;
    entry->live = NULL;
    bool open = live->join.phase <= JOIN_GRACE;
    bool kept_elsewhere = joiner->output.get != NULL && (!open || joiner->entries.count > HELD_MAX);
    bool marked = !live->forgotten && live->join.phase == JOIN_DONE && keep_marker(joiner, entry_id(entry), live->join.due);
    if (live->forgotten || kept_elsewhere || marked) {
        drop_entry(joiner, entry);
        return;
    }
    set_open(joiner, entry, open);
    if (!entry_set_state(entry, str_make(joiner->encoded.ptr + live->encoded_at, live->encoded_len)))
        joiner->failed = true;
}

void joiner_commit(struct joiner *joiner)
{
    for (uint32_t i = 0; i < joiner->touched.count; i++)
        commit(joiner, joiner->touched.items[i]);
    end_batch(joiner);
    joiner->retrying = false;
}

void joiner_abort(struct joiner *joiner)
{
    for (uint32_t i = 0; i < joiner->touched.count; i++) {
        struct entry *entry = joiner->touched.items[i]->entry;
        entry->live = NULL;
        if (entry->state_len == 0)
            drop_entry(joiner, entry);
        else
            entries_set_due(&joiner->entries, entry, join_encoded_due(entry_state(entry)));
    }
    heard_forget(&joiner->heard); /* what was fed is fed again */
    end_batch(joiner);
    joiner->failed = false;
    joiner->retrying = true;
}
