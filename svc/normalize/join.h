/*
 * What is known of one query: the merge of its raw records. Every field holds the best value told so far with the rank of who told it,
 * every list the union; both are the same whatever the order of the records, and a record merged twice changes nothing.
 */
#ifndef COLLINE_NORMALIZE_JOIN_H
#define COLLINE_NORMALIZE_JOIN_H

#include "normalize/names.h"
#include "record/event.h"

enum join_text {
    JOIN_CLUSTER,
    JOIN_USER,
    JOIN_DATABASE,
    JOIN_SESSION,
    JOIN_TYPE, /* of the statement, as the source calls it */
    JOIN_ERROR,
    JOIN_SQL,
    JOIN_GRAPH,
    JOIN_FILE, /* of a folder of SQL */
    JOIN_TEXTS
};

enum join_number {
    JOIN_STATUS, /* enum event_status + 1 */
    JOIN_START,
    JOIN_END,
    JOIN_DURATION, /* ms + 1 */
    JOIN_NUMBERS
};

enum join_set { JOIN_INPUTS, JOIN_OUTPUTS, JOIN_PATHS, JOIN_SETS };

/* Larger numbers are no times: they are passed over, so that sums stay in range. */
#define JOIN_NUMBER_MAX ((int64_t)1 << 53)

/* Rank 0: nothing told. */
struct join_text_value {
    str_t text;
    uint8_t rank;
};

struct join_number_value {
    int64_t value;
    uint8_t rank;
};

struct join_seen {
    struct event_source *items; /* in the order of source, host */
    uint32_t count, capacity;
};

enum join_phase {
    JOIN_OPEN,
    JOIN_GRACE,  /* an end was told by a record that a better one may follow */
    JOIN_WINDOW, /* the first event is out, improvements are gathered */
    JOIN_KEPT,   /* done, but text or lineage were missing: all is kept, in case they come */
    JOIN_DONE    /* only the marker */
};

struct join {
    enum join_phase phase;
    uint32_t revision;     /* of the last event; 0: none yet */
    int64_t due;           /* ms: when the phase ends */
    int64_t done_until;    /* ms: when the marker is forgotten; 0 before the first event */
    bool improved;         /* something was told since the last event */
    bool uncertain;        /* another catalog could make the last event better */
    bool has_lineage;      /* in the last event */
    uint64_t lineage_hash; /* of the last event */

    struct join_text_value texts[JOIN_TEXTS];
    struct join_number_value numbers[JOIN_NUMBERS];
    struct name_list sets[JOIN_SETS];
    struct join_seen seen;
    int64_t first_event_time;      /* event_time of revision 1; 0 before it */
    int64_t first_time, last_time; /* of the lines; 0 unknown */
    int64_t captured_at;           /* the latest */
    bool live;                     /* at least one record is no backfill */
};

/* How an SQL text ranks, before who told it. */
enum sql_quality { SQL_CUT_ONE_LINE = 1, SQL_CUT, SQL_ONE_LINE, SQL_FULL };

enum {
    SQL_QUALITY_SHIFT = 4
};

static inline enum sql_quality join_sql_quality(const struct join *join)
{
    return (enum sql_quality)(join->texts[JOIN_SQL].rank >> SQL_QUALITY_SHIFT);
}

enum join_ending { JOIN_NO_END, JOIN_WEAK_END, JOIN_END_SEEN };

/* Whether a record tells that its query ended. */
enum join_ending record_ending(const struct raw_record *record);

/*
 * Takes in a record, copying what it keeps into the arena. Gives whether it told anything new that an event shows. captured_at is not
 * among that.
 */
bool join_merge(struct join *join, const struct raw_record *record, struct arena *arena);

/* The event, as far as the records tell it: what joiner_resolver gets. Texts are the join's, lists live in the arena. */
void join_event(const struct join *join, str_t query_id, struct event *event, struct arena *arena);

/* The state as bytes, and back. Texts of what is read are slices of the bytes. */
void join_encode(struct buf *out, const struct join *join);
bool join_decode(str_t bytes, struct join *join, struct arena *arena);

/* Of encoded bytes, without reading the rest; 0 of bytes that are none. */
int64_t join_encoded_due(str_t bytes);
enum join_phase join_encoded_phase(str_t bytes);

#endif
