/* What the configuration says for the normalising stage. */
#ifndef COLLINE_CMD_STAGE_H
#define COLLINE_CMD_STAGE_H

#include "config/config.h"
#include "normalize/normalizer.h"

/*
 * The lists are allocated: stage_options_release. What ends queries in this configuration decides how long lineage and audit records wait
 * for something better.
 */
struct normalizer_options stage_options(const struct config *config, const struct clock *clock, struct log *log, struct metrics *metrics);
void stage_options_release(struct normalizer_options *options);

#endif
