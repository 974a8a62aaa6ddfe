/* Inner to svc/config: what reading and checking share. */
#ifndef COLLINE_CONFIG_READ_H
#define COLLINE_CONFIG_READ_H

#include "config/table.h"

#include <stdarg.h>

/* Notes a mistake, or a warning, with its place. */
void config_note(struct config *config, struct config_place place, bool warning, const char *format,
                 ...) __attribute__((format(printf, 4, 5)));

/* What keys must agree on; fills what follows from others. */
void config_check(struct config *config);

#endif
