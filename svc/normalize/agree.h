/* Whether our edges are those that the engine logged. Both are kept; that they differ is counted and said. */
#ifndef COLLINE_NORMALIZE_AGREE_H
#define COLLINE_NORMALIZE_AGREE_H

#include "normalize/lineage.h"

struct agreement {
    bool compared; /* false: one of both has no edges, or the engine's record cannot be read */
    uint32_t both, only_engine, only_ours; /* edges from a source column to a target column */
};

/* `graph` is the engine's record: {"edges":…,"vertices":…}. Ours is read as the engine reads. */
struct agreement agreement_of(struct space *space, const struct lineage_text *text, str_t graph, struct arena *arena);

#endif
