/*
 * How the formats that go line by line read: the loop over the lines, and messages that span
 * several. All inline: a format's own function is called directly.
 */
#ifndef COLLINE_COLLECT_LINES_H
#define COLLINE_COLLECT_LINES_H

#include "collect/format.h"
#include "collect/line.h"

/* What a format was given to read. */
struct lines_input {
    str_t bytes;
    bool last; /* nothing will follow */
    const struct format_output *output;
};

/*
 * Takes what begins with the line at byte `at`; *next is behind that line, and is moved on when
 * more lines belong to it. False: it is not taken, for the receiver is full or its end is not there
 * yet.
 */
typedef bool lines_take(struct format *format, const struct lines_input *input, str_t line,
                        size_t at, size_t *next);

/* For `read` of the format's operations: gives how many bytes are done with. */
static inline size_t lines_read(struct format *format, str_t bytes, bool last,
                                const struct format_output *output, lines_take *take)
{
    const struct lines_input input = {.bytes = bytes, .last = last, .output = output};
    str_t line;
    size_t pos = 0, next;
    while (pos < bytes.len && line_or_rest(bytes, pos, last, &line, &next) &&
           take(format, &input, line, pos, &next))
        pos = next;
    return pos;
}

/*
 * Where the message whose first line ends at `next` ends: where the next one `begins`, or with all
 * bytes when nothing follows; 0 when that is not there yet. `lines` grows by the message's lines
 * behind its first.
 */
static inline size_t message_end(const struct lines_input *input, size_t next,
                                 bool (*begins)(str_t line), uint64_t *lines)
{
    while (next < input->bytes.len) {
        str_t line;
        size_t behind;
        bool whole = line_at(input->bytes, next, &line, &behind);
        if (begins(whole ? line : str_from(input->bytes, next)))
            return next;
        if (!whole)
            break;
        next = behind;
        ++*lines;
    }
    return input->last ? input->bytes.len : 0;
}

/* `first` widened to byte `end`, without the line breaks at its end. */
static inline str_t message_text(const struct lines_input *input, str_t first, size_t end)
{
    str_t text = str_make(first.ptr, (size_t)(input->bytes.ptr + end - first.ptr));
    while (text.len > 0 && (text.ptr[text.len - 1] == '\n' || text.ptr[text.len - 1] == '\r'))
        text.len--;
    return text;
}

#endif
