/* Packs texts and unpacks them; the one place that knows zstd. */
#ifndef COLLINE_RUN_PACK_H
#define COLLINE_RUN_PACK_H

#include "base/buf.h"

struct packer;

/* Keeps what packing needs from text to text; NULL when memory is out. */
struct packer *packer_new(void);
void packer_free(struct packer *packer);

/* Appends the packed text; the same text gives the same bytes. False when memory is out. */
bool pack(struct packer *packer, str_t text, struct buf *out);

/* Appends the text, at most `out`'s limit; false when the bytes are damaged or memory is out. */
bool unpack(struct packer *packer, str_t packed, struct buf *out);

#endif
