/* Comparing catalogs, for `colline catalog diff`. */
#ifndef COLLINE_CMD_CATALOG_CMD_H
#define COLLINE_CMD_CATALOG_CMD_H

#include "base/grid.h"
#include "cmd.h"

/* Writes what was added (+), removed (-) and changed (~), in the order of names; true where there is any difference. */
bool catalog_compare(const colline_catalog *old, const colline_catalog *new, struct buf *out, const struct look *look);

#endif
