/* Base64 (RFC 4648, with padding), for bytes that no text can hold. */
#ifndef COLLINE_RECORD_BASE64_H
#define COLLINE_RECORD_BASE64_H

#include "base/buf.h"

void add_base64(struct buf *out, str_t bytes);

/* Appends the bytes; false, with nothing appended, when the text is no base64. Padding may be left
 * out. */
bool base64_decode(struct buf *out, str_t text);

#endif
