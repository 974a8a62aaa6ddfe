/*
 * What holds for every log format: any bytes, in pieces of any size, with a receiver that is often full, give the same records in the same
 * order as all at once; nothing is taken that was not given; each record is one that the schema allows once the reader has filled in its part.
 */
#ifndef COLLINE_FUZZ_FORMAT_TARGET_H
#define COLLINE_FUZZ_FORMAT_TARGET_H

#include "collect/format.h"
#include "collect/privacy.h"

#include <stdio.h>
#include <stdlib.h>

static void fuzz_fail(const char *what, str_t first, str_t second)
{
    fprintf(stderr, "%s\n%.*s\n---\n%.*s\n", what, (int)first.len, first.ptr, (int)second.len, second.ptr);
    abort();
}

struct fuzz_receiver {
    struct buf *out;
    bool refuse, full;
    size_t given; /* bytes that the format has */
};

static bool fuzz_take(void *context, struct raw_record *record, size_t at, size_t end)
{
    struct fuzz_receiver *receiver = context;
    struct arena arena;
    str_t reason;
    if (at >= end || end > receiver->given)
        abort();
    receiver->full = receiver->refuse && !receiver->full;
    if (receiver->full)
        return false;
    arena_init(&arena, 0, NULL);
    raw_write(receiver->out, record);
    buf_add_char(receiver->out, '\n');
    record->captured_at = 1;
    if (!raw_validate(record, &arena, &reason))
        fuzz_fail("invalid", buf_str(receiver->out), reason);
    if (!privacy_apply(SQL_TEXT_REDACTED, record, &arena) || !raw_validate(record, &arena, &reason))
        fuzz_fail("invalid when redacted", buf_str(receiver->out), reason);
    arena_release(&arena);
    return true;
}

static void fuzz_failed(void *context, const char *code, size_t at, size_t end)
{
    const struct fuzz_receiver *receiver = context;
    (void)code;
    if (at >= end || end > receiver->given)
        abort();
}

static void fuzz_run(const struct format_ops *ops, str_t text, size_t piece, bool refuse, struct buf *out)
{
    struct fuzz_receiver receiver = {.out = out, .refuse = refuse};
    const struct format_output output = {fuzz_take, fuzz_failed, &receiver};
    const struct format_file file = {STR("h"), STR("impalad.h.u.log.INFO.20260315-142200.1"), 0};
    struct format *format = format_new(ops, NULL);
    format_file(format, &file);
    for (size_t done = 0, given = piece < text.len ? piece : text.len;;) {
        /* A copy of exactly these bytes, so that reading behind them is seen. */
        receiver.given = given - done;
        char *bytes = malloc(receiver.given + 1);
        if (receiver.given > 0)
            memcpy(bytes, text.ptr + done, receiver.given);
        char *exact = realloc(bytes, receiver.given > 0 ? receiver.given : 1);
        bool last = given == text.len;
        size_t taken = format_read(format, str_make(exact, receiver.given), last, &output);
        free(exact);
        if (taken > given - done)
            abort();
        done += taken;
        if (receiver.full)
            continue;
        if (last && done != text.len)
            abort();
        if (last)
            break;
        given = given + piece < text.len ? given + piece : text.len;
    }
    format_free(format);
}

static int fuzz_format(const struct format_ops *ops, const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    str_t text = str_make((const char *)data + 1, size - 1);
    struct buf whole, pieces;
    buf_init(&whole, 0);
    buf_init(&pieces, 0);
    fuzz_run(ops, text, size, false, &whole);
    fuzz_run(ops, text, (size_t)data[0] % 64 + 1, data[0] >= 128, &pieces);
    if (!str_eq(buf_str(&whole), buf_str(&pieces)))
        fuzz_fail("pieces give something else", buf_str(&whole), buf_str(&pieces));
    buf_release(&whole);
    buf_release(&pieces);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
