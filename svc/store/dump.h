/*
 * The store as text that tells two stores apart: natural keys in byte order, no identifiers, no times of loading, nothing of which one sample stands for
 * others. Stores that were loaded with the same events give the same bytes, whatever the order, the repetitions and the database.
 */
#ifndef COLLINE_STORE_DUMP_H
#define COLLINE_STORE_DUMP_H

#include "store/store.h"

/* Takes a line with its line break; false stops the dump. */
typedef bool (*dump_write)(void *context, str_t line);

/* False when it was stopped, or the database failed (db_failed). */
bool store_dump(struct store *store, dump_write write, void *context);

#endif
