/*
 * The catalogs of `-c FILE` and `-c NAME=FILE`. Each distinct set of names asked for is loaded once and shared by all threads.
 */
#ifndef COLLINE_CMD_CATALOGS_H
#define COLLINE_CMD_CATALOGS_H

#include "input.h"

struct catalogs;

struct catalogs *catalogs_new(struct dialect_choice choice);
void catalogs_free(struct catalogs *catalogs);

/* Takes an option's value: FILE or NAME=FILE, where FILE is DDL, a saved catalog, or a folder of them. */
void catalogs_add(struct catalogs *catalogs, const char *value);

/*
 * The catalog of all unnamed files and of the named ones; complains of what cannot be read, once. NULL when a name is unknown, which
 * is *unknown then. May be called by several threads.
 */
const colline_catalog *catalogs_get(struct catalogs *catalogs, const str_t *names, size_t count, str_t *unknown);

/* Whether something could not be read. */
bool catalogs_partly(const struct catalogs *catalogs);

/* Adds DDL, a saved catalog, or a folder of them, to a catalog; complains and returns false where something is wrong with it. */
bool catalog_read(colline_catalog *catalog, const char *path, struct dialect_choice choice);

/* Adds the DDL that a shell script hands to its clients, as far as it can be seen. */
void catalog_read_shell(colline_catalog *catalog, str_t text);

#endif
