/* Small helps for formats that carry JSON: members as numbers, pieces of the text as they stand, the tables of a lineage graph. */
#ifndef COLLINE_COLLECT_JSON_TEXT_H
#define COLLINE_COLLECT_JSON_TEXT_H

#include "base/json.h"
#include "collect/line.h"
#include "record/raw.h"

/* The member as a whole number; false when it is none or does not fit. */
bool json_member_integer(const struct json *object, str_t key, int64_t *number);

/* The member as seconds since 1970, in milliseconds; nothing is changed when it is none. */
void json_member_seconds(const struct json *object, str_t key, int64_t *ms);

/* The text of the value that begins at byte `at` of valid JSON. */
str_t json_slice(str_t text, size_t at);

/*
 * Where a balanced object that begins at bytes.ptr[0] == '{' ends. 0: the bytes end before it does. The text is not checked otherwise.
 */
size_t json_object_length(str_t bytes);

/* `{"edges":…,"vertices":…}` of an engine's lineage record, as they stand; empty when one is missing. */
str_t graph_text(struct arena *arena, str_t text, const struct json *record);

/* The tables that the graph's edges read and write, each once. False when memory is out. */
bool graph_tables(struct arena *arena, const struct json *record, struct names *inputs, struct names *outputs);

/* The lists become the record's, on loan. */
void record_tables(struct raw_record *record, const struct names *inputs, const struct names *outputs);

#endif
