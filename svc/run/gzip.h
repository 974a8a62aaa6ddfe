/* Unpacks what zlib or gzip packed, and packs; the one place that knows zlib. */
#ifndef COLLINE_RUN_GZIP_H
#define COLLINE_RUN_GZIP_H

#include "base/buf.h"

struct inflate;

/* Takes zlib and gzip streams, and several gzip members one behind the other. NULL when memory is
 * out. */
struct inflate *inflate_open(void);
void inflate_close(struct inflate *inflate);

/* Takes bytes from the front of *packed and makes at most `size`; false when the stream is damaged.
 */
bool inflate_some(struct inflate *inflate, str_t *packed, char *to, size_t size, size_t *made);

/* Whether the bytes so far end with a stream. */
bool inflate_at_end(const struct inflate *inflate);

/* All of a stream at once, appended to `out`, whose limit bounds it; false when it is damaged, cut,
 * or too large. */
bool inflate_whole(str_t packed, struct buf *out);

/* Appends the bytes as one gzip member; false when memory is out or they are over 1 GiB. */
bool gzip_pack(str_t bytes, struct buf *out);

#endif
