/* See formats.h. */
#include "support/formats.h"

#include <stdio.h>
#include <stdlib.h>

struct receiver {
    struct buf *out;
    bool refuse, full;
};

static bool take(void *context, struct raw_record *record, size_t at, size_t end)
{
    struct receiver *receiver = context;
    (void)at;
    (void)end;
    receiver->full = receiver->refuse && !receiver->full;
    if (receiver->full)
        return false;
    raw_write(receiver->out, record);
    buf_add_char(receiver->out, '\n');
    return true;
}

static void failed(void *context, const char *code, size_t at, size_t end)
{
    const struct receiver *receiver = context;
    (void)at;
    (void)end;
    BUF_ADD(receiver->out, "failed ");
    buf_add(receiver->out, str_make(code, strlen(code)));
    buf_add_char(receiver->out, '\n');
}

void formats_run(struct format *format, str_t text, size_t piece, bool refuse, struct buf *out)
{
    struct receiver receiver = {out, refuse, false};
    const struct format_output output = {take, failed, &receiver};
    size_t done = 0, given = piece == 0 || piece > text.len ? text.len : piece;
    for (;;) {
        bool last = given == text.len;
        size_t taken = format_read(format, str_make(text.ptr + done, given - done), last, &output);
        if (taken > given - done)
            abort();
        done += taken;
        if (receiver.full)
            continue;
        if (last)
            break;
        given = given + piece > text.len ? text.len : given + piece;
    }
    if (done != text.len)
        abort();
}

static void compare(str_t got, const char *expected, size_t piece)
{
    if (str_eq(got, str_make(expected, strlen(expected))))
        return;
    fprintf(stderr, "in pieces of %zu:\n--- got\n%.*s--- expected\n%s", piece, (int)got.len, got.ptr, expected);
    abort();
}

void formats_check(const struct format_ops *ops, const struct zone *zone, const char *file_name, str_t text,
                   size_t most, const char *expected)
{
    const struct format_file file = {STR("h1"), str_make(file_name, strlen(file_name)), 0};
    for (size_t piece = 0; piece <= most; piece++) {
        struct format *format = format_new(ops, zone);
        struct buf out;
        if (format == NULL)
            abort();
        buf_init(&out, 0);
        format_file(format, &file);
        formats_run(format, text, piece, piece % 2 == 1, &out);
        compare(buf_str(&out), expected, piece);
        buf_release(&out);
        format_free(format);
    }
}
