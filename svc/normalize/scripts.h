/*
 * A file of SQL is one raw record, but its statements are queries of their own: the record is split, each statement with lineage or DDL
 * under the id of the file and its number, `id#3`, in the database that the script had reached. The file is their session.
 */
#ifndef COLLINE_NORMALIZE_SCRIPTS_H
#define COLLINE_NORMALIZE_SCRIPTS_H

#include "normalize/spaces.h"
#include "record/raw.h"

struct script_part {
    str_t query_id, sql, database;
};

/*
 * The statements of a script that are worth an event, in the arena; texts are slices of the record's. Gives how many; 0 when the record is
 * better taken whole, for it holds one statement or none.
 */
size_t script_split(struct space *space, const struct raw_record *record, struct script_part **parts, struct arena *arena);

/* Whether a file is Impala's by its path: a folder or an ending names it. */
bool script_is_impala(str_t file);

#endif
