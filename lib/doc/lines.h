/*
 * Bytes of a text → line and column, in time that grows with the text once and not with every question: the cursor remembers the
 * last place, and a mark (the statement's start) to go back to.
 */
#ifndef COLLINE_DOC_LINES_H
#define COLLINE_DOC_LINES_H

#include "base/str.h"

struct line_place {
    size_t at;
    size_t line_start;
    uint32_t line; /* from 1 */
};

struct line_cursor {
    str_t text;
    struct line_place mark, last;
};

struct line_column {
    uint32_t line, column; /* from 1; the column in bytes */
};

void lines_init(struct line_cursor *cursor, str_t text);

/* Lines are counted from here on, where a line begins; questions before it are answered from the text's start. */
void lines_start(struct line_cursor *cursor, size_t at, uint32_t line);

/* Moves the mark: questions before it are answered from the text's start. */
void lines_mark(struct line_cursor *cursor, size_t at);

struct line_column lines_find(struct line_cursor *cursor, size_t at);

#endif
