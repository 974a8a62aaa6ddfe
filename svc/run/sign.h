/* Signatures that receivers of alarms ask for: HMAC-SHA256, by the one file that includes the cryptographic library. */
#ifndef COLLINE_RUN_SIGN_H
#define COLLINE_RUN_SIGN_H

#include "base/buf.h"

/*
 * DingTalk: `&timestamp=MS&sign=…` is appended to the address, the signature being that of "MS\nSECRET" with the secret, in base64, with URL escapes. `?`
 * where the address has no arguments yet.
 */
void sign_dingtalk(struct buf *url, str_t secret, int64_t at_ms);

#endif
