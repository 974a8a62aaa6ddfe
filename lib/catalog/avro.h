/*
 * Avro schemas that stand in a table's properties: the record's fields are the table's columns.
 */
#ifndef COLLINE_CATALOG_AVRO_H
#define COLLINE_CATALOG_AVRO_H

#include "catalog/catalog.h"

/* Columns of the record that the JSON text describes; 0 when it is no such schema, or when out of memory. */
uint32_t avro_columns(struct arena *arena, str_t schema, struct catalog_column **out);

#endif
