/*
 * Words of the catalog's JSON form, in both directions.
 */
#ifndef COLLINE_CATALOG_JSON_NAMES_H
#define COLLINE_CATALOG_JSON_NAMES_H

#include "catalog/catalog.h"

enum {
    CATALOG_VERSION = 1 /* members are added within it, never renamed */
};

static const str_t catalog_kind_names[] = {[TABLE_BASE] = {"table", 5},
                                           [TABLE_VIEW] = {"view", 4},
                                           [TABLE_MATERIALIZED_VIEW] = {"materialized_view", 17}};

static const str_t catalog_storage_names[] = {[STORAGE_HDFS] = {"hdfs", 4},
                                              [STORAGE_ICEBERG] = {"iceberg", 7},
                                              [STORAGE_KUDU] = {"kudu", 4},
                                              [STORAGE_HBASE] = {"hbase", 5},
                                              [STORAGE_OTHER] = {"other", 5}};

static const str_t catalog_dialect_names[] = {[DIALECT_HIVE] = {"hive", 4}, [DIALECT_IMPALA] = {"impala", 6}};

static inline str_t table_kind_name(enum table_kind kind)
{
    return catalog_kind_names[kind];
}

static inline str_t table_storage_name(enum table_storage storage)
{
    return catalog_storage_names[storage];
}

static inline str_t dialect_name(enum dialect dialect)
{
    return catalog_dialect_names[dialect];
}

/* The place of a word in a list; `count` when it is not there. */
static inline size_t find_word(const str_t *words, size_t count, str_t word)
{
    size_t i = 0;
    while (i < count && !str_eq(words[i], word))
        i++;
    return i;
}

#endif
