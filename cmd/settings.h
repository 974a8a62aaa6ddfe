/* The configuration file that a command works by: found, read, its mistakes told. */
#ifndef COLLINE_CMD_SETTINGS_H
#define COLLINE_CMD_SETTINGS_H

#include "config/config.h"

/* `given` (the value of -c), else $COLLINE_CONFIG, else /etc/colline/colline.yaml. */
const char *settings_path(const char *given);

/*
 * Initialises and reads; messages go to standard error. STATUS_DONE or STATUS_USAGE. The configuration must be released by
 * config_release in both cases.
 */
int settings_read(struct config *config, const char *given);

/* The same, with all keys at their defaults where no configuration is named and none lies at its usual place. */
int settings_read_or_default(struct config *config, const char *given);

/* The namespaces of the clusters, each once; room for one a cluster. Gives how many. */
size_t settings_spaces(const struct config *config, str_t *spaces);

#endif
