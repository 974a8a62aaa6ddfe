/*
 * What clients print for SHOW CREATE TABLE, table after table, into one file: statements without
 * `;`, headings, and frames of + - and |. It becomes DDL; every line stays the line that it was.
 */
#ifndef COLLINE_CMD_DUMP_H
#define COLLINE_CMD_DUMP_H

#include "base/buf.h"

/* Adds the DDL to `out`; false where the text is no such dump, and stands for itself. */
bool dump_read(str_t text, struct buf *out);

#endif
