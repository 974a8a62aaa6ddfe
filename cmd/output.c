/* Gathering output. */
#include "output.h"

#include <unistd.h>

enum {
    ENOUGH = 64 * 1024
};

void output_init(struct output *output)
{
    buf_init(&output->pending, 0);
}

void output_flush(struct output *output)
{
    write_stdout(buf_str(&output->pending));
    buf_clear(&output->pending);
}

void output_add(struct output *output, str_t bytes)
{
    if (bytes.len >= ENOUGH) {
        output_flush(output);
        write_stdout(bytes);
        return;
    }
    buf_add(&output->pending, bytes);
    if (output->pending.failed)
        need(NULL);
    if (output->pending.len >= ENOUGH)
        output_flush(output);
}

void output_message(struct output *output, str_t message)
{
    if (message.len == 0)
        return;
    output_flush(output);
    if (!write_all(STDERR_FILENO, message))
        return;
}

void output_release(struct output *output)
{
    output_flush(output);
    buf_release(&output->pending);
}
