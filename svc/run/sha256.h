/* SHA-256 (FIPS 180-4), by which secrets are kept. */
#ifndef COLLINE_RUN_SHA256_H
#define COLLINE_RUN_SHA256_H

#include "base/str.h"

/* Writes 64 hexadecimal digits and a NUL. */
void sha256_hex(str_t bytes, char hex[65]);

#endif
