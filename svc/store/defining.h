/* What one transaction says of what datasets look like: queries of DDL and catalogs are kept first, then all datasets that they are about are run. */
#ifndef COLLINE_STORE_DEFINING_H
#define COLLINE_STORE_DEFINING_H

#include "store/batch.h"
#include "store/shares.h"

struct defining {
    struct store *store;
    struct idents *idents;
    struct known *known;
    struct shares *shares;
    struct pair_map due, next; /* datasets to be run: now, and after those */
};

void defining_init(struct defining *defining, struct store *store, struct known *known, struct shares *shares);
void defining_release(struct defining *defining);
void defining_begin(struct defining *defining); /* of a transaction */

/* The DDL of a query that succeeded; of one that was `found` in the store, in place of what it said before. False after a failure. */
bool defining_query(struct defining *defining, const struct pending *p, bool found);

bool defining_catalog(struct defining *defining, const struct definition *definition);

/* Once behind all of them. */
bool defining_run(struct defining *defining);

#endif
