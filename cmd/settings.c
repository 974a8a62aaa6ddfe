/* Finding and reading the configuration. */
#include "settings.h"

#include "cmd.h"

#include <stdlib.h>
#include <unistd.h>

const char *settings_path(const char *given)
{
    const char *named = getenv("COLLINE_CONFIG");
    if (given != NULL)
        return given;
    return named != NULL && named[0] != '\0' ? named : "/etc/colline/colline.yaml";
}

static int finish(const struct config *config, bool good)
{
    struct buf messages;
    buf_init(&messages, 0);
    config_write_messages(config, &messages);
    write_all(STDERR_FILENO, buf_str(&messages));
    buf_release(&messages);
    return good ? STATUS_DONE : STATUS_USAGE;
}

int settings_read(struct config *config, const char *given)
{
    config_init(config);
    bool good = config_read_file(config, settings_path(given));
    return finish(config, good);
}

int settings_read_or_default(struct config *config, const char *given)
{
    const char *named = getenv("COLLINE_CONFIG"), *path = settings_path(given);
    if (given != NULL || (named != NULL && named[0] != '\0') || access(path, F_OK) == 0)
        return settings_read(config, given);
    config_init(config);
    bool good = config_read(config, STR("defaults"), STR(""));
    return finish(config, good);
}

size_t settings_spaces(const struct config *config, str_t *spaces)
{
    size_t count = 0;
    for (uint32_t i = 0; i < config->clusters.count; i++) {
        const struct config_cluster *cluster = &config->clusters.items[i];
        str_t space = cluster->name_space.len > 0 ? cluster->name_space : cluster->name;
        size_t k = 0;
        while (k < count && !str_eq(spaces[k], space))
            k++;
        if (k == count)
            spaces[count++] = space;
    }
    return count;
}
