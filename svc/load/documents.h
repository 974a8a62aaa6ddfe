/* Lineage documents into the store: statements that stand in scripts, whether they ran or not. What a script held before is replaced. */
#ifndef COLLINE_LOAD_DOCUMENTS_H
#define COLLINE_LOAD_DOCUMENTS_H

#include "store/apply.h"

/* The text of a script, appended; false when it cannot be had, then the statements are kept without their text. */
typedef bool (*script_text)(void *context, str_t id, struct buf *out);

struct document_options {
    struct applier *applier;
    str_t name_space;
    script_text text; /* may be NULL */
    void *context;
};

struct document_counts {
    uint64_t scripts, statements;
};

/* One document as JSON. False when it is none, or cannot be committed (applier_message). */
bool document_load(const struct document_options *options, str_t json, struct document_counts *counts);

/* What a catalog says: DDL read as Hive's or Impala's, or a saved catalog; as it was at `at`. False when it cannot be read or memory is out. */
struct load_catalog_options {
    struct applier *applier;
    str_t source; /* its file */
    str_t name_space;
    bool impala;
    int64_t at;
};

bool load_saved_catalog(const struct load_catalog_options *options, str_t text, uint64_t *tables);

/*
 * The same of a file, as it was when it was last changed; `.impala.sql` is Impala's. Loaded once: not again until it changes. False with the reason
 * appended.
 */
bool load_catalog_file(struct applier *applier, str_t name_space, str_t path, uint64_t *tables, struct buf *reason);

/* Several files, each into each of the namespaces. */
struct load_catalogs {
    const str_t *files, *spaces;
    size_t file_count, space_count;
};

bool load_catalog_files(struct applier *applier, const struct load_catalogs *catalogs, struct buf *reason);

#endif
