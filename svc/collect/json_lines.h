/*
 * What the formats with one JSON object a line share: finding the lines, reading the JSON into an arena that is cleared for the next
 * one, lists for tables. A format gives one function: object → record.
 */
#ifndef COLLINE_COLLECT_JSON_LINES_H
#define COLLINE_COLLECT_JSON_LINES_H

#include "collect/format.h"
#include "collect/json_text.h"

struct json_lines;

/* Fills in the record from a line and its object; false with a code when it is not what it should be. */
typedef bool json_lines_fill(struct json_lines *lines, str_t line, const struct json *object, struct raw_record *record,
                             const char **code);

struct json_lines {
    struct format base;
    json_lines_fill *fill;
    enum raw_kind kind;
    struct arena arena;
    struct names inputs, outputs;
};

void json_lines_begin(struct format *format, json_lines_fill *fill, enum raw_kind kind);

/* For the format's table of operations. */
size_t json_lines_read(struct format *format, str_t bytes, bool last, const struct format_output *output);
void json_lines_release(struct format *format);

/* An engine's query id in lower case, in the arena; empty when it is none. */
str_t json_lines_id(struct json_lines *lines, str_t id);

#endif
