/* A statement that does not parse, for a person: place, what was expected, and the line with a caret. */
#ifndef COLLINE_CMD_REPORT_H
#define COLLINE_CMD_REPORT_H

#include "base/buf.h"
#include "cmd.h"

/* `text` is what the statement's places point into; `name` its file. */
void report_error(struct buf *out, colline_analyzer *an, str_t name, str_t text, const colline_statement *st);

#endif
