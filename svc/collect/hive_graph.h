/* The object that Hive's LineageLogger writes, as a raw record. */
#ifndef COLLINE_COLLECT_HIVE_GRAPH_H
#define COLLINE_COLLECT_HIVE_GRAPH_H

#include "collect/json_text.h"
#include "record/raw.h"

/* What the last record borrows from. */
struct hive_graph {
    struct arena arena;
    struct names inputs, outputs;
};

void hive_graph_init(struct hive_graph *graph);
void hive_graph_release(struct hive_graph *graph);

/*
 * Fills a LINEAGE record, but for its id and the time of its line, from the object's text; false with a code when it is not what it should
 * be. What the record borrows is valid until the next call.
 */
bool hive_graph_fill(struct hive_graph *graph, str_t text, struct raw_record *record, const char **code);

/* The stand-in for a query id, which the object does not carry: a hash of where and when it was written and of itself. Empty: no memory. */
str_t hive_graph_id(struct buf *id, str_t host, str_t time, str_t thread, str_t object);

#endif
