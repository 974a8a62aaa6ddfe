/*
 * Any bytes are read as a profile log, whole and cut in two, to the same records; and, past the
 * base64 and the packing, as a profile's Thrift.
 */
#include "collect/format.h"
#include "collect/profile.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
    struct buf text;
    size_t base;
};

static bool take(void *context, struct raw_record *record, size_t at, size_t end)
{
    struct seen *seen = context;
    if (at >= end)
        abort();
    record->position.offset = seen->base + at;
    raw_write(&seen->text, record);
    return true;
}

static void refuse(void *context, const char *code, size_t at, size_t end)
{
    struct seen *seen = context;
    if (at >= end)
        abort();
    buf_add(&seen->text, str_make(code, strlen(code)));
    buf_add_number(&seen->text, seen->base + at);
}

/* The bytes up to `cut` first, then what was left of them with the rest. */
static struct buf read_all(str_t bytes, size_t cut)
{
    struct seen seen = {0};
    buf_init(&seen.text, 0);
    struct format *format = format_new(&profile_log_format, NULL);
    const struct format_output output = {take, refuse, &seen};
    if (format == NULL)
        abort();
    seen.base = format_read(format, str_make(bytes.ptr, cut), false, &output);
    str_t rest = str_make(bytes.ptr + seen.base, bytes.len - seen.base);
    if (format_read(format, rest, true, &output) != rest.len)
        abort();
    format_free(format);
    return seen.text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    str_t bytes = str_make((const char *)data, size);
    struct profile profile;
    if (profile_read(bytes, &profile) && profile.sql.len > size)
        abort();
    struct buf whole = read_all(bytes, 0), halves = read_all(bytes, size / 2);
    if (!str_eq(buf_str(&whole), buf_str(&halves)))
        abort();
    buf_release(&whole);
    buf_release(&halves);
    return 0;
}
