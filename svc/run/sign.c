/* Over nettle. */
#include "run/sign.h"

#include <nettle/base64.h>
#include <nettle/hmac.h>
#include <stdio.h>

static void add_escaped(struct buf *url, str_t text)
{
    for (size_t i = 0; i < text.len; i++) {
        char escape[4];
        char c = text.ptr[i];
        if (c != '+' && c != '/' && c != '=') {
            buf_add_char(url, c);
            continue;
        }
        (void)snprintf(escape, sizeof escape, "%%%02X", (unsigned)c);
        buf_add(url, str_make(escape, 3));
    }
}

static void hmac(str_t key, str_t text, uint8_t digest[SHA256_DIGEST_SIZE])
{
    struct hmac_sha256_ctx context;
    hmac_sha256_set_key(&context, key.len, (const uint8_t *)key.ptr);
    hmac_sha256_update(&context, text.len, (const uint8_t *)text.ptr);
    hmac_sha256_digest(&context, SHA256_DIGEST_SIZE, digest);
}

void sign_dingtalk(struct buf *url, str_t secret, int64_t at_ms)
{
    char time[24], encoded[BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE)];
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct buf text;
    int len = snprintf(time, sizeof time, "%lld", (long long)at_ms);
    str_t timestamp = str_make(time, len > 0 ? (size_t)len : 0);
    buf_init(&text, 0);
    buf_add(&text, timestamp);
    buf_add_char(&text, '\n');
    buf_add(&text, secret);
    hmac(secret, buf_str(&text), digest);
    base64_encode_raw(encoded, sizeof digest, digest);
    buf_add(url, str_find(buf_str(url), '?', 0) < url->len ? STR("&timestamp=") : STR("?timestamp="));
    buf_add(url, timestamp);
    BUF_ADD(url, "&sign=");
    add_escaped(url, str_make(encoded, sizeof encoded));
    url->failed |= text.failed;
    buf_release(&text);
}
