/* Two sets of facts side by side: which edges a change adds, removes or changes. */
#ifndef COLLINE_CMD_COMPARE_H
#define COLLINE_CMD_COMPARE_H

#include "base/buf.h"
#include "base/grid.h"
#include "facts.h"

struct comparison_result {
    size_t added, removed, changed;
    size_t broken_readers; /* columns that lost a source and that others read */
};

struct comparison_result compare_facts(const struct facts *old, const struct facts *new, struct buf *out, const struct look *look);

#endif
