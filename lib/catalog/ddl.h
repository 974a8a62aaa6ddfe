/*
 * What the files that apply DDL share: the statement at hand, and columns made from definitions.
 */
#ifndef COLLINE_CATALOG_DDL_H
#define COLLINE_CATALOG_DDL_H

#include "catalog/layer.h"

struct ddl {
    struct catalog *catalog;
    const struct stmt *stmt;
    str_t text; /* that the statement's spans point into */
    str_t database;
    enum dialect dialect;
};

static inline struct arena *ddl_scratch(const struct ddl *ddl)
{
    return &ddl->catalog->scratch;
}

/* A column as its definition has it; its texts live as long as the statement. */
struct catalog_column ddl_column(const struct ddl *ddl, const struct column_def *def);

struct name ddl_table_name(const struct ddl *ddl, const struct qname *written);

/* Whether stored_as (format or handler class, folded) or the properties make a table Iceberg's and so on. */
enum table_storage ddl_storage(str_t stored_as);

/* CREATE TEMPORARY MACRO */
bool ddl_apply_macro(const struct ddl *ddl);

/* ALTER TABLE and ALTER VIEW. */
bool ddl_apply_alter(const struct ddl *ddl, const struct alter_stmt *alter);

#endif
