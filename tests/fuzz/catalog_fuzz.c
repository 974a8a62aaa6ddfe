/* Any JSON loads or is refused; what loads is saved and loads again to the same bytes. */
#include <stdlib.h>

#include "catalog/catalog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool load_and_save(str_t json, struct buf *out)
{
    str_t message;
    size_t where;
    struct catalog *catalog = catalog_new(NULL, 0, NULL);
    bool loaded = catalog_load(catalog, json, &message, &where);
    if (loaded)
        catalog_save(catalog, out);
    else if (message.len == 0 || where > json.len)
        abort();
    catalog_free(catalog);
    return loaded;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf first, second;
    buf_init(&first, 0);
    buf_init(&second, 0);
    if (load_and_save(str_make((const char *)data, size), &first)) {
        if (!load_and_save(buf_str(&first), &second) || !str_eq(buf_str(&first), buf_str(&second)))
            abort();
    }
    buf_release(&first);
    buf_release(&second);
    return 0;
}
