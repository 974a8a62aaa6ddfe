/* One dataset, all that is known of it. */
#ifndef COLLINE_ASK_TABLE_H
#define COLLINE_ASK_TABLE_H

#include "ask/history.h"

struct ask_reach {
    int64_t direct, total;
    bool exact;
};

struct ask_use_day {
    int64_t day, reads, writes, users;
};

struct ask_run {
    int64_t time; /* 0: there is none */
    str_t user, query_id, engine, operation, status;
};

struct ask_table {
    struct ask_dataset dataset;
    str_t view_text, location;
    int64_t first_seen, last_seen;
    struct ask_reach up, down;
    int64_t reads, writes; /* of 30 days */
    struct ask_run last_write, last_failure;
    bool has_usual_time;
    int64_t usual_from, usual_to, usual_share; /* minutes of the day; share in hundredths */
    struct ask_use_day *days;
    uint32_t day_count;
    struct ask_rename renamed_to,
        renamed_from;  /* an empty name: none; `to` only while it is gone */
    int64_t checks[4]; /* how many have which status, as in the store; the first is nothing */
    str_t uncertain;   /* codes of the statements that write it, with commas between */
};

/* `count_to`: how far the totals are counted. False when there is no such dataset. */
bool ask_table(struct ask *ask, int64_t dataset, uint32_t count_to, struct ask_table *table);

/* The last query that was to write it and failed. */
struct ask_run ask_last_failure(struct ask *ask, int64_t dataset);

#endif
