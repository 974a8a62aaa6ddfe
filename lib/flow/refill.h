/*
 * A document for one text made to serve another with the same lineage key.
 */
#ifndef COLLINE_FLOW_REFILL_H
#define COLLINE_FLOW_REFILL_H

#include "fingerprint/slots.h"
#include "lineage/document.h"

/*
 * The document of the second text of `map`: `made`, which was made for the first, with places, expressions and partition values filled in
 * anew. NULL when a piece has no counterpart, or when out of memory: then the text must be analysed by itself.
 * It lives in the map's arena and shares with `made` what does not depend on literals. The texts are as they were read: `made` must come of a
 * statement without variables.
 */
const struct doc_statement *document_refill(const struct slot_map *map, const struct doc_statement *made);

#endif
