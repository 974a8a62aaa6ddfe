/*
 * What catalogs say of datasets. A catalog is loaded every day and rarely says anything new, so of those that say the same one behind the other only the
 * first and the last are definitions (definitions.h). What each of them said is kept beside it in little room, so that one that comes late finds its place.
 */
#ifndef COLLINE_STORE_CATALOGS_H
#define COLLINE_STORE_CATALOGS_H

#include "store/definitions.h"

/* Puts a catalog's definition. Gives the dataset, 0 after a failure; *changed: its definitions are others now. */
int64_t catalog_put(struct idents *idents, const struct definition *definition, bool *changed);

#endif
