/* Which source is written in which format, and what making and freeing one takes. */
#include "collect/format.h"

#include <stdlib.h>

const struct format_ops *format_of_source(enum raw_source source)
{
    static const struct format_ops *const formats[] = {
        &daemon_log_format, &glog_format, &lineage_log_format, &audit_log_format, &profile_log_format, &hive_hook_format, &hive_log_format,
    };
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i]->source == source)
            return formats[i];
    return NULL;
}

struct format *format_new(const struct format_ops *ops, const struct zone *zone)
{
    struct format *format = ops == NULL ? NULL : calloc(1, ops->size);
    if (format == NULL)
        return NULL;
    format->ops = ops;
    format->zone = zone;
    ops->begin(format);
    return format;
}

void format_free(struct format *format)
{
    if (format == NULL)
        return;
    format->ops->release(format);
    free(format);
}
