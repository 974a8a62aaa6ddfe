/* One event a line, or the result of a check. */
#include "load/lines.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    BATCH_DEFAULT = 20000,
    BATCH_BYTES = 64 * 1024 * 1024,
    TOLD_MAX = 20 /* bad lines that are told one by one */
};

struct line_loader {
    struct line_loader_options options;
    struct arena arena;
    uint64_t line, unreadable;
};

struct line_loader *line_loader_new(const struct line_loader_options *options)
{
    struct line_loader *loader = calloc(1, sizeof *loader);
    if (loader == NULL)
        return NULL;
    loader->options = *options;
    if (loader->options.batch == 0)
        loader->options.batch = BATCH_DEFAULT;
    arena_init(&loader->arena, 0, NULL);
    return loader;
}

void line_loader_free(struct line_loader *loader)
{
    if (loader == NULL)
        return;
    arena_release(&loader->arena);
    free(loader);
}

/* True: a bad line is passed over. The log tells what is about one thing once only, so each line is a thing. */
static bool tell(struct line_loader *loader, const char *what, str_t reason)
{
    char place[256];
    loader->unreadable++;
    if (loader->unreadable > TOLD_MAX)
        return true;
    (void)snprintf(place, sizeof place, "%.200s:%llu", loader->options.name, (unsigned long long)loader->line);
    log_say(loader->options.log, LOG_LEVEL_WARNING, "load.unreadable", str_make(place, strlen(place)), "no %s: %.*s", what, (int)reason.len, reason.ptr);
    return true;
}

/* What is no event, for that reason. */
static bool take_check(struct line_loader *loader, str_t line, str_t *reason)
{
    struct quality_check check;
    struct applier *applier = loader->options.applier;
    if (!quality_is_meant(line))
        return tell(loader, "event", *reason);
    if (!quality_read(line, &loader->arena, &check, reason))
        return tell(loader, "result of a check", *reason);
    if (check.name_space.len == 0)
        check.name_space = loader->options.name_space;
    return applier_add_check(applier, &check) || (applier_commit(applier) && applier_add_check(applier, &check));
}

bool line_loader_give(struct line_loader *loader, str_t line)
{
    struct event event;
    str_t reason = STR("");
    struct applier *applier = loader->options.applier;
    if ((applier_count(applier) >= loader->options.batch || applier_bytes(applier) >= BATCH_BYTES) && !applier_commit(applier))
        return false;
    loader->line++;
    if (line.len > 0 && line.ptr[line.len - 1] == '\r')
        line.len--;
    if (line.len == 0)
        return true;
    arena_clear(&loader->arena);
    if (!event_read(line, &loader->arena, &event, &reason))
        return take_check(loader, line, &reason);
    return applier_add(applier, &event) || (applier_commit(applier) && applier_add(applier, &event));
}

bool line_loader_flush(struct line_loader *loader)
{
    return applier_commit(loader->options.applier);
}

bool line_loader_finish(struct line_loader *loader)
{
    if (loader->unreadable > TOLD_MAX)
        log_say(loader->options.log, LOG_LEVEL_WARNING, "load.unreadable", STR(""), "%s: %llu lines were neither events nor results of checks", loader->options.name,
                (unsigned long long)loader->unreadable);
    return applier_commit(loader->options.applier);
}

uint64_t line_loader_unreadable(const struct line_loader *loader)
{
    return loader->unreadable;
}
