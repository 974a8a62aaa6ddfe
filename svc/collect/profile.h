/*
 * What a query profile tells of its query: the texts of the root, of `Summary` and of its
 * `Frontend`, out of the Thrift tree that a line of the profile log or the page
 * /query_profile_encoded carries. Counters and plans are passed over.
 */
#ifndef COLLINE_COLLECT_PROFILE_H
#define COLLINE_COLLECT_PROFILE_H

#include "base/arena.h"

/* Texts as in the profile; empty where it has none. All borrowed from the bytes. */
struct profile {
    str_t name; /* of the root: `Query (id=<id>)` */
    str_t session_id, start_time, end_time, duration;
    str_t type, state, status;
    str_t user, database, sql;
    str_t tables_queried;    /* since 4.4 */
    str_t referenced_tables; /* since 4.3; DDL too */
};

/* Of the unpacked bytes of a TRuntimeProfileTree; false when it is none, or has no summary. */
bool profile_read(str_t bytes, struct profile *profile);

/*
 * The same of the page /query_profile_json, or of a line that Impala's decoder of profile logs
 * prints as JSON; texts may lie in the arena.
 */
bool profile_read_json(str_t text, struct arena *arena, struct profile *profile);

/* The query id in the root's name; empty when there is none. */
str_t profile_query_id(const struct profile *profile);

#endif
