/*
 * The state of a query as bytes: what open joins and done markers are kept as.
 *
 *     state: version phase due:8 revision done_until [rest]          numbers are varints, 7 bits a byte, low ones first
 *     rest:  flags lineage_hash texts numbers sets seen times        a marker of a done query has none
 */
#include "normalize/join.h"

enum {
    STATE_VERSION = 2, /* 1 had no first_event_time */
    HEAD_BYTES = 10,
    FLAG_IMPROVED = 1,
    FLAG_UNCERTAIN = 2,
    FLAG_LINEAGE = 4,
    FLAG_LIVE = 8
};

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static void put_number(struct buf *out, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        buf_add_char(out, (char)(uint8_t)(number | 0x80));
    buf_add_char(out, (char)(uint8_t)number);
}

static void put_text(struct buf *out, str_t text)
{
    put_number(out, text.len);
    buf_add(out, text);
}

static void put_fixed(struct buf *out, uint64_t number)
{
    for (unsigned i = 0; i < 8; i++)
        buf_add_char(out, (char)(uint8_t)(number >> 8 * i));
}

/* Only fields that are known, each with its place in the enum; the number of fields ends the list. */
static void put_values(struct buf *out, const struct join *join)
{
    for (uint32_t i = 0; i < JOIN_TEXTS; i++)
        if (join->texts[i].rank > 0) {
            put_number(out, i);
            buf_add_char(out, (char)join->texts[i].rank);
            put_text(out, join->texts[i].text);
        }
    put_number(out, JOIN_TEXTS);
    for (uint32_t i = 0; i < JOIN_NUMBERS; i++)
        if (join->numbers[i].rank > 0) {
            put_number(out, i);
            buf_add_char(out, (char)join->numbers[i].rank);
            put_number(out, (uint64_t)join->numbers[i].value);
        }
    put_number(out, JOIN_NUMBERS);
}

static void put_lists(struct buf *out, const struct join *join)
{
    for (uint32_t i = 0; i < JOIN_SETS; i++) {
        put_number(out, join->sets[i].count);
        for (uint32_t k = 0; k < join->sets[i].count; k++)
            put_text(out, join->sets[i].items[k]);
    }
    put_number(out, join->seen.count);
    for (uint32_t i = 0; i < join->seen.count; i++) {
        put_number(out, join->seen.items[i].source);
        put_number(out, join->seen.items[i].kinds);
        put_text(out, join->seen.items[i].host);
    }
}

void join_encode(struct buf *out, const struct join *join)
{
    buf_add_char(out, STATE_VERSION);
    buf_add_char(out, (char)join->phase);
    put_fixed(out, (uint64_t)join->due);
    put_number(out, join->revision);
    put_number(out, (uint64_t)join->done_until);
    if (join->phase == JOIN_DONE)
        return;
    put_number(out, (join->improved ? FLAG_IMPROVED : 0u) | (join->uncertain ? FLAG_UNCERTAIN : 0u) |
                        (join->has_lineage ? FLAG_LINEAGE : 0u) | (join->live ? FLAG_LIVE : 0u));
    put_fixed(out, join->lineage_hash);
    put_values(out, join);
    put_lists(out, join);
    put_number(out, (uint64_t)join->first_time);
    put_number(out, (uint64_t)join->last_time);
    put_number(out, (uint64_t)join->captured_at);
    put_number(out, (uint64_t)join->first_event_time);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

struct state_reader {
    const char *at, *end;
    struct arena *arena;
    bool bad; /* stays */
    uint8_t version;
};

static uint8_t get_byte(struct state_reader *r)
{
    if (r->at == r->end) {
        r->bad = true;
        return 0;
    }
    return (uint8_t)*r->at++;
}

static uint64_t get_number(struct state_reader *r)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = get_byte(r);
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
    r->bad = true;
    return 0;
}

static int64_t get_time(struct state_reader *r)
{
    uint64_t number = get_number(r);
    r->bad |= number > JOIN_NUMBER_MAX;
    return r->bad ? 0 : (int64_t)number;
}

static uint64_t get_fixed(struct state_reader *r)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < 8; i++)
        number |= (uint64_t)get_byte(r) << 8 * i;
    return number;
}

static str_t get_text(struct state_reader *r)
{
    uint64_t len = get_number(r);
    if (r->bad || len > (uint64_t)(r->end - r->at)) {
        r->bad = true;
        return STR("");
    }
    str_t text = str_make(r->at, len);
    r->at += len;
    return text;
}

/* A count of things of which each takes at least a byte. */
static uint32_t get_count(struct state_reader *r)
{
    uint64_t count = get_number(r);
    r->bad |= count > (uint64_t)(r->end - r->at);
    return r->bad ? 0 : (uint32_t)count;
}

static void get_values(struct state_reader *r, struct join *join)
{
    for (;;) {
        uint64_t field = get_number(r);
        r->bad |= field > JOIN_TEXTS;
        if (r->bad || field == JOIN_TEXTS)
            break;
        uint8_t rank = get_byte(r);
        join->texts[field] = (struct join_text_value){get_text(r), rank};
    }
    for (;;) {
        uint64_t field = get_number(r);
        r->bad |= field > JOIN_NUMBERS;
        if (r->bad || field == JOIN_NUMBERS)
            break;
        uint8_t rank = get_byte(r);
        join->numbers[field] = (struct join_number_value){get_time(r), rank};
        r->bad |= rank == 0 || (field == JOIN_STATUS && join->numbers[field].value > EVENT_STATUS_COUNT) || join->numbers[field].value == 0;
    }
}

static void get_names(struct state_reader *r, struct name_list *names)
{
    uint32_t count = get_count(r);
    if (count == 0)
        return;
    names->items = ARENA_ARRAY(r->arena, str_t, count);
    if (names->items == NULL) {
        r->bad = true;
        return;
    }
    names->count = names->capacity = count;
    for (uint32_t i = 0; i < count; i++)
        names->items[i] = get_text(r);
}

static void get_seen(struct state_reader *r, struct join_seen *seen)
{
    uint32_t count = get_count(r);
    if (count == 0)
        return;
    seen->items = ARENA_ARRAY(r->arena, struct event_source, count);
    if (seen->items == NULL) {
        r->bad = true;
        return;
    }
    seen->count = seen->capacity = count;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t source = get_number(r), kinds = get_number(r);
        r->bad |= source >= RAW_SOURCE_COUNT || kinds >> RAW_KIND_COUNT != 0;
        seen->items[i] = (struct event_source){r->bad ? RAW_DAEMON_LOG : (enum raw_source)source, get_text(r), r->bad ? 0 : (uint32_t)kinds};
    }
}

static void get_head(struct state_reader *r, struct join *join)
{
    r->version = get_byte(r);
    r->bad |= r->version == 0 || r->version > STATE_VERSION;
    uint8_t phase = get_byte(r);
    r->bad |= phase > JOIN_DONE;
    join->phase = r->bad ? JOIN_OPEN : (enum join_phase)phase;
    join->due = (int64_t)get_fixed(r);
    join->revision = (uint32_t)get_number(r);
    join->done_until = get_time(r);
}

bool join_decode(str_t bytes, struct join *join, struct arena *arena)
{
    *join = (struct join){0};
    struct state_reader r = {bytes.ptr, bytes.ptr + bytes.len, arena, false, 0};
    get_head(&r, join);
    if (!r.bad && join->phase != JOIN_DONE) {
        uint64_t flags = get_number(&r);
        join->improved = flags & FLAG_IMPROVED;
        join->uncertain = flags & FLAG_UNCERTAIN;
        join->has_lineage = flags & FLAG_LINEAGE;
        join->live = flags & FLAG_LIVE;
        join->lineage_hash = get_fixed(&r);
        get_values(&r, join);
        for (uint32_t i = 0; i < JOIN_SETS; i++)
            get_names(&r, &join->sets[i]);
        get_seen(&r, &join->seen);
        join->first_time = get_time(&r);
        join->last_time = get_time(&r);
        join->captured_at = get_time(&r);
        if (r.version > 1)
            join->first_event_time = get_time(&r);
    }
    return !r.bad && r.at == r.end;
}

int64_t join_encoded_due(str_t bytes)
{
    struct state_reader r = {bytes.ptr, bytes.ptr + bytes.len, NULL, bytes.len < HEAD_BYTES, 0};
    if (r.bad)
        return 0;
    r.at += 2;
    return (int64_t)get_fixed(&r);
}

enum join_phase join_encoded_phase(str_t bytes)
{
    return bytes.len < HEAD_BYTES || (uint8_t)bytes.ptr[1] > JOIN_DONE ? JOIN_OPEN : (enum join_phase)bytes.ptr[1];
}
