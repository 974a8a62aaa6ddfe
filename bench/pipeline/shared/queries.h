/*
 * Queries that do not exist: what a warehouse's daemon would log of them, as lines and as raw records. The number of a query tells all about it:
 * its id, one of so many fingerprints, and the literals of its text, which differ from query to query.
 */
#ifndef COLLINE_BENCH_QUERIES_H
#define COLLINE_BENCH_QUERIES_H

#include "record/raw.h"

enum {
    QUERY_KINDS = 5, /* START, INPUT, OUTPUT, SCAN, FINISH: one line and one record each */
    QUERY_ID_LEN = 33
};

struct query {
    uint32_t number;
    char id[QUERY_ID_LEN + 1];
    char sql[1024], input[32], output[32], path[96]; /* no output: it only reads */
};

/* `literal` goes into the text: with the same one, texts of a fingerprint are the same. */
void query_make(struct query *query, uint32_t number, uint32_t fingerprints, uint32_t literal);

/* The number of a query by its id; UINT32_MAX of what is none. */
uint32_t query_number(str_t id);

/* Appends the line of a kind, with its time. */
void query_line(struct buf *out, const struct query *query, enum raw_kind kind, int64_t time_ms);

/* Appends the raw record of a kind as JSON, as capture makes it of the line. */
void query_record(struct buf *out, const struct query *query, enum raw_kind kind, int64_t time_ms);

#endif
