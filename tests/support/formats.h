/* Runs a log format over a text and writes each record as JSON, one a line, failures as `failed CODE`; however the text is cut into pieces. */
#ifndef COLLINE_TESTS_FORMATS_H
#define COLLINE_TESTS_FORMATS_H

#include "base/buf.h"
#include "collect/format.h"

/* `piece` bytes come at a time, 0: all at once. `refuse`: the receiver is full each other time. */
void formats_run(struct format *format, str_t text, size_t piece, bool refuse, struct buf *out);

/* Fails the test unless the text gives these lines, in pieces of every size up to `most` and with a receiver that is often full. Frees the format. */
void formats_check(const struct format_ops *ops, const struct zone *zone, const char *file_name, str_t text,
                   size_t most, const char *expected);

#endif
