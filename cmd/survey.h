/* All that trace, impact and --against know: scripts and documents of the inputs → facts. */
#ifndef COLLINE_CMD_SURVEY_H
#define COLLINE_CMD_SURVEY_H

#include "facts.h"
#include "options.h"

struct survey {
    struct facts facts;
    size_t broken; /* statements */
    bool partly;   /* some input could not be read or analysed */
    bool quiet;    /* mistakes in scripts are not told */
};

void survey_init(struct survey *survey);
void survey_release(struct survey *survey);

/*
 * Reads scripts and documents. What the scripts create (tables, views) is known to all of them, after the options' catalogs. `cut` bytes
 * at the front of each path are replaced by `prefix` in names (NULL: names are paths).
 */
void survey_read(struct survey *survey, const struct options *options, const struct inputs *inputs, size_t cut, const char *prefix);

#endif
