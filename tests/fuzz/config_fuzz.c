/* Any bytes are a configuration or are refused with a message; a good one is printed, and read back
 * to the same. */
#include "config/config.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every variable is set. */
static const char *environment(const char *name)
{
    return strncmp(name, "COLLINE_", 8) == 0 ? NULL : "x";
}

static bool read_and_print(str_t text, struct buf *out)
{
    struct config config;
    config_init(&config);
    config.environment = environment;
    bool good = config_read(&config, STR("f"), text);
    if (good)
        config_write(&config, out);
    else
        config_write_messages(&config, out);
    if (out->len == 0)
        abort();
    config_release(&config);
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf first, second;
    buf_init(&first, 0);
    buf_init(&second, 0);
    if (read_and_print(str_make((const char *)data, size), &first))
        if (!read_and_print(buf_str(&first), &second) || !str_eq(buf_str(&first), buf_str(&second)))
            abort();
    buf_release(&first);
    buf_release(&second);
    return 0;
}
