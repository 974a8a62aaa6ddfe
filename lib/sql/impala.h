/*
 * What the files of Impala's grammar share. Impala reserves nearly every word, so one token of
 * look-ahead decides almost everywhere; what needs more says so.
 * - impala_statement.c: dispatch, EXPLAIN, queries as statements
 * - impala_query.c: WITH, SELECT, VALUES, set operations
 * - impala_from.c: FROM
 * - impala_hints.c: hints
 * - impala_dml.c: INSERT, UPSERT, UPDATE, DELETE, MERGE, LOAD ..
 * - impala_create.c: CREATE, DROP and ALTER: dispatch, databases
 * - impala_table.c: CREATE TABLE
 * - impala_kudu.c: partitions of Kudu and Iceberg tables
 * - impala_view.c: CREATE VIEW, ALTER VIEW
 * - impala_function.c: functions and data sources
 * - impala_alter.c: ALTER TABLE, COMMENT ON
 * - impala_admin.c: USE, SET, metadata, statistics
 * - impala_show.c: SHOW, DESCRIBE
 * - impala_grant.c: roles and rights
 * - impala_common.c: names, properties, partitions
 */
#ifndef COLLINE_SQL_IMPALA_H
#define COLLINE_SQL_IMPALA_H

#include "sql/parser.h"

/* ---- impala_common.c ---- */

/* [db '.'] name */
struct qname impala_table_name(struct parser *p);

/* One id, as a name of one part. */
struct qname impala_plain_name(struct parser *p, const char *what);

/* The next token as an identifier, be it a keyword. */
struct ident impala_any_word(struct parser *p, const char *what);

bool impala_if_exists(struct parser *p);     /* [IF EXISTS] */
bool impala_if_not_exists(struct parser *p); /* [IF NOT EXISTS] */

/* An integer without sign; its token. */
const struct token *impala_integer(struct parser *p);

/* '(' [id {',' id}] ')' */
uint32_t impala_ident_list_or_none(struct parser *p, struct ident **out);

/* '(' str '=' str {',' ..} ')' as (label (= k v) ..) */
struct clause *impala_properties(struct parser *p, str_t label);

/* '(' str {',' str} ')' as (label k ..) */
struct clause *impala_property_keys(struct parser *p, str_t label);

/* '(' id '=' expr {',' ..} ')'; `dynamic`: the value may be missing. */
struct partition_spec impala_partition(struct parser *p, bool dynamic);

/*
 * '(' expr {',' expr} ')': comparisons of a column become keys, other conditions values without a
 * name.
 */
struct partition_spec impala_partition_filter(struct parser *p);

/* A statement about one object. */
struct stmt *impala_object(struct parser *p, enum stmt_kind kind, const struct token *first,
                           struct qname name, struct clause *options);

/* Takes the next token into the clause. */
void impala_keep(struct parser *p, struct clause *clause);

/* Takes a string into the clause. */
void impala_keep_string(struct parser *p, struct clause *clause, const char *what);

/* (label name ..) of names */
struct clause *impala_names_clause(struct parser *p, str_t label, const struct ident *names,
                                   uint32_t count);

/* OWNER (USER | ROLE) id as (owner user id) */
struct clause *impala_owner(struct parser *p);

/* ---- impala_hints.c ---- */

/* [hints], where hints may stand */
void impala_hints(struct parser *p);
bool impala_at_hints(const struct parser *p);

/* ---- impala_query.c ---- */

/* SELECT, VALUES or WITH */
bool impala_begins_query(const struct token *token);

/* The same or '(' */
bool impala_at_query(const struct parser *p);

/* WITH cte {',' cte} */
uint32_t impala_with(struct parser *p, struct cte **out);

/* A query whose WITH has been read. */
struct query *impala_query_after_with(struct parser *p, const struct token *first, struct cte *ctes,
                                      uint32_t cte_count);

/* '(' item {',' item} ')' */
uint32_t impala_row(struct parser *p, struct select_item **out);

/* item {',' item} */
uint32_t impala_select_items(struct parser *p, struct select_item **out);

/* An identifier, or a string that stands for one. */
struct ident impala_alias_ident(struct parser *p);

/* [[AS] (id | str)]; NULL: none */
struct ident *impala_alias(struct parser *p);

/* ---- impala_from.c ---- */

/* ref {',' ref | joinop ref ..} */
struct from_item *impala_from(struct parser *p);

/* One table, view, collection or query, with its alias. */
struct from_item *impala_table_ref(struct parser *p);

/* TABLESAMPLE SYSTEM '(' int ')' [REPEATABLE '(' int ')'] as a clause; NULL: none */
struct clause *impala_sample(struct parser *p);

/* FOR SYSTEM_TIME AS OF expr | FOR SYSTEM_VERSION AS OF number; NULL: none */
struct expr *impala_as_of(struct parser *p);

/* ---- statements ---- */

struct stmt *impala_insert(struct parser *p, const struct token *first, struct cte *ctes,
                           uint32_t cte_count);
struct stmt *impala_update(struct parser *p);
struct stmt *impala_delete(struct parser *p);
struct stmt *impala_merge(struct parser *p);
struct stmt *impala_optimize(struct parser *p);
struct stmt *impala_load(struct parser *p);
struct stmt *impala_truncate(struct parser *p);

struct stmt *impala_create(struct parser *p);
struct stmt *impala_drop(struct parser *p);
struct stmt *impala_create_table(struct parser *p,
                                 const struct token *first); /* at [EXTERNAL] TABLE */
struct stmt *impala_create_function(struct parser *p,
                                    const struct token *first); /* at [AGGREGATE] FUNCTION */
struct stmt *impala_create_data_source(struct parser *p, const struct token *first); /* at DATA */
struct stmt *impala_drop_function(struct parser *p,
                                  const struct token *first); /* at [AGGREGATE] FUNCTION */

struct stmt *impala_create_view(struct parser *p, const struct token *first); /* at VIEW */

struct stmt *impala_alter(struct parser *p);
struct stmt *impala_alter_view(struct parser *p, const struct token *first); /* behind ALTER VIEW */
struct stmt *impala_alter_table(struct parser *p,
                                const struct token *first); /* behind ALTER TABLE */
struct stmt *impala_comment(struct parser *p);

struct stmt *impala_use(struct parser *p);
struct stmt *impala_set(struct parser *p);
struct stmt *impala_unset(struct parser *p);
struct stmt *impala_compute(struct parser *p);
struct stmt *impala_invalidate(struct parser *p);
struct stmt *impala_refresh(struct parser *p);
struct stmt *impala_kill(struct parser *p);
struct stmt *impala_copy(struct parser *p);
struct stmt *impala_admin_function(struct parser *p);
struct stmt *impala_drop_stats(struct parser *p,
                               const struct token *first); /* at [INCREMENTAL] STATS */
struct stmt *impala_show(struct parser *p);
struct stmt *impala_describe(struct parser *p);
struct stmt *impala_grant(struct parser *p);
struct stmt *impala_revoke(struct parser *p);

/* The object of a right, behind ON; only GRANT and REVOKE take a name of the server. */
void impala_privilege_object(struct parser *p, struct clause *clause, bool server_name);

/* ---- pieces of CREATE and ALTER TABLE ---- */

/* id type {option} */
struct column_def impala_column_def(struct parser *p);

/* '(' coldef {',' coldef} ')' */
uint32_t impala_column_defs(struct parser *p, struct column_def **out);

/* One of {PRIMARY KEY, NOT NULL, ENCODING w ..}, into the column; false where none stands. */
bool impala_column_option(struct parser *p, struct column_def *column);

/*
 * Storage format behind STORED AS or FILEFORMAT: its folded name; empty with an error where none
 * stands.
 */
str_t impala_file_format(struct parser *p);

/* ROW FORMAT DELIMITED ..; NULL: none */
struct clause *impala_row_format(struct parser *p);

/* SORT BY [LEXICAL | ZORDER] '(' [ids] ')'; NULL: none */
struct clause *impala_sort_by(struct parser *p);

/* CACHED IN str [WITH REPLICATION '=' int] | UNCACHED; NULL: none */
struct clause *impala_cached(struct parser *p);

/* PARTITION BY .. of Kudu; NULL: none */
struct clause *impala_kudu_partitions(struct parser *p);

/* PARTITION range {HASH ..} */
struct clause *impala_range_partition(struct parser *p);

/* '(' pfield {',' pfield} ')' behind SPEC */
struct clause *impala_iceberg_spec(struct parser *p);

#endif
