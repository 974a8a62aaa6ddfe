/* What the files of the store share; nobody else includes it. */
#ifndef COLLINE_STORE_INNER_H
#define COLLINE_STORE_INNER_H

#include "run/pack.h"
#include "store/store.h"

struct store {
    struct db *db;
    struct packer *packer;
    struct buf packed; /* scratch */
};

/* A writing transaction; one writer at a time, also of a server. */
bool store_begin_write(struct db *db);

#endif
