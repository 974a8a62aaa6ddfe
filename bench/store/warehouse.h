/*
 * An invented warehouse of any size with the shape of a real one: layers that feed each other, hubs that thousands read, tables of a few columns and of
 * thousands, names in words, comments in Chinese. A function of its seed: table i is always the same.
 *
 *   layer   share of the tables  reads
 *   ods     25 %                 nothing
 *   dim      5 %                 ods
 *   dwd     30 %                 ods, dim
 *   dws     25 %                 dwd, dim, dws
 *   ads     15 %                 dws, dwd, dim
 *
 * Besides, a chain of 21 tables of 25 columns, each column of 20 columns of the table before: a trace from its end meets 10,000 edges in 20 hops.
 */
#ifndef COLLINE_BENCH_WAREHOUSE_H
#define COLLINE_BENCH_WAREHOUSE_H

#include "base/buf.h"

enum { CHAIN_TABLES = 21, CHAIN_COLUMNS = 25, CHAIN_SOURCES = 20, SOURCES_MAX = 14 };

struct warehouse {
    uint32_t tables; /* without the chain */
    uint64_t seed;
    uint32_t variant; /* of the statements: others of the same tables */
};

struct table {
    uint32_t number;
    uint32_t columns, first_word;
    uint32_t sources[SOURCES_MAX];
    uint32_t source_count;
};

struct table warehouse_table(const struct warehouse *w, uint32_t number);

/* Appends `db.table`; numbers from w->tables on are the chain's. */
void warehouse_name(const struct warehouse *w, uint32_t number, struct buf *out);

/* Appends a column's name. */
void warehouse_column(const struct warehouse *w, const struct table *table, uint32_t column, struct buf *out);

/* Appends the DDL of a table as a saved catalog of it alone. */
void warehouse_catalog(const struct warehouse *w, uint32_t number, struct buf *out);

/*
 * Appends the statement of a lineage document that fills a table, and gives the number of its column edges; 0, with nothing appended, where the layer
 * has no sources. `most`: edges at most; 0: all.
 */
uint32_t warehouse_statement(const struct warehouse *w, uint32_t number, uint32_t most, struct buf *out);

/* Appends its SQL, shortened. */
void warehouse_sql(const struct warehouse *w, uint32_t number, int64_t day, struct buf *out);

#endif
