/*
 * The collector of SQL files: each script in the source's folders and patterns is one QUERY record, once per content. A script that changes
 * gives a new record; the same content again, under whatever name, none. Its id is a hash of the content.
 */
#ifndef COLLINE_COLLECT_SQL_FOLDER_H
#define COLLINE_COLLECT_SQL_FOLDER_H

#include "collect/checkpoint.h"
#include "collect/collector.h"
#include "config/config.h"

struct sql_folder_options {
    const struct config_source *source; /* outlives the collector, as all that follows */
    str_t cluster;
    enum config_sql_text sql_text;
    struct checkpoint *checkpoint;
    bool once;
};

/* NULL when memory is out. */
struct collector *sql_folder_new(const struct sql_folder_options *options, const struct collector_output *output);

#endif
