/*
 * What the files of Hive's grammar share: hive_statement.c calls the others; queries are in
 * hive_query.c and hive_from.c.
 */
#ifndef COLLINE_SQL_HIVE_H
#define COLLINE_SQL_HIVE_H

#include "sql/parser.h"

/* ---- hive_query.c ---- */

/* [WITH ctes]; zero when there is none. */
uint32_t hive_parse_with(struct parser *p, struct cte **out);

/* query without WITH: select or from first, set operations, ORDER BY .. LIMIT */
struct query *hive_parse_set_query(struct parser *p);

/* What follows FROM in a body of a FROM-first statement: select [lateral] [WHERE] .. [LIMIT]. */
struct query *hive_parse_body(struct parser *p, struct from_item *from);

/* A FROM-first query goes on with set operations: `first` is its first block. */
struct query *hive_parse_set_operations(struct parser *p, struct query *first,
                                        const struct token *start);

/* VALUES rows, with the cursor at VALUES */
struct values *hive_parse_values(struct parser *p);

/* Whether a word that could be an alias begins a clause instead. */
bool hive_begins_clause(const struct token *token);

/* '(' id {',' id} ')', where old scripts may use reserved words */
uint32_t hive_parse_columns(struct parser *p, struct ident **out);

/* ---- hive_from.c ---- */

/* The source behind FROM, already taken. */
struct from_item *hive_parse_from(struct parser *p);

/* A table with alias, or a query with alias: what MERGE reads and writes. */
struct from_item *hive_parse_table(struct parser *p);
struct from_item *hive_parse_source(struct parser *p);

/* Lateral views at the cursor; an item around `from` when there are any. */
struct from_item *hive_parse_late_laterals(struct parser *p, struct from_item *from);

/* ---- hive_dml.c ---- */

struct stmt *hive_parse_insert(struct parser *p, struct cte *ctes, uint32_t cte_count,
                               const struct token *first);
struct stmt *hive_parse_from_first(struct parser *p, struct cte *ctes, uint32_t cte_count,
                                   const struct token *first);
struct stmt *hive_parse_update(struct parser *p);
struct stmt *hive_parse_delete(struct parser *p);
struct stmt *hive_parse_merge(struct parser *p);
struct stmt *hive_parse_load(struct parser *p);
struct stmt *hive_parse_export(struct parser *p);
struct stmt *hive_parse_import(struct parser *p);
struct stmt *hive_parse_truncate(struct parser *p);

/* PARTITION '(' key [= value] {',' ..} ')' where present */
struct partition_spec hive_parse_partition(struct parser *p);

/* PARTITION '(' key op value {',' ..} ')'; the same without its word */
struct partition_spec hive_parse_partition_filter(struct parser *p);
struct partition_spec hive_parse_partition_list(struct parser *p);

/* [FOR [METADATA] REPLICATION '(' str ')'] */
void hive_parse_replication(struct parser *p, struct clause *options);

/* ---- hive_table.c: what the statements that make tables and views share ---- */

/* name type [constraint] [COMMENT str] */
struct column_def hive_parse_column_def(struct parser *p);

/* '(' column {',' column} ')' without constraints of the table */
uint32_t hive_parse_column_defs(struct parser *p, struct column_def **out);

/* Clauses that may stand in any order; each returns false when the cursor is at something else. */
struct table_clauses {
    str_t location, comment, stored_as;
    struct clause *options;
};
bool hive_parse_storage_clause(struct parser *p, struct table_clauses *clauses);

/* id '(' [num ','] id ')': Iceberg's year(ts), bucket(4, id) */
struct expr *hive_parse_transform(struct parser *p);

/* '(' id {',' id} ')' | SPEC '(' iceberg field {',' ..} ')' behind PARTITIONED ON or BY */
void hive_parse_partition_fields(struct parser *p);

/* [ENABLE | DISABLE] [VALIDATE | NOVALIDATE] .. of a constraint */
bool hive_parse_table_constraint(struct parser *p, struct clause *options);

/* CLUSTERED BY .. INTO n BUCKETS, SKEWED BY .. */
void hive_parse_buckets(struct parser *p, struct clause *options);
void hive_parse_skew(struct parser *p, struct clause *options);
void hive_parse_write_order(struct parser *p, struct clause *options);

/* A constant: str {str}, [sign] number, DATE str, NULL, TRUE, variable .. */
struct expr *hive_parse_constant(struct parser *p);

/* ---- statements by their first word ---- */

struct stmt *hive_parse_create(struct parser *p);
struct stmt *hive_parse_create_table(struct parser *p, const struct token *first);
struct stmt *hive_parse_create_view(struct parser *p, const struct token *first);
struct stmt *hive_parse_drop(struct parser *p);
struct stmt *hive_parse_alter(struct parser *p);
struct stmt *hive_parse_alter_table(struct parser *p, const struct token *first);
struct stmt *hive_parse_alter_view(struct parser *p, const struct token *first, bool materialized);
struct stmt *hive_parse_show(struct parser *p);
struct stmt *hive_parse_describe(struct parser *p);
struct stmt *hive_parse_analyze(struct parser *p);
struct stmt *hive_parse_admin(struct parser *p); /* all other words */
struct stmt *hive_parse_create_workload(struct parser *p, const struct token *first);
struct stmt *hive_parse_alter_workload(struct parser *p, const struct token *first);
struct stmt *hive_parse_drop_workload(struct parser *p, const struct token *first);
struct stmt *hive_parse_create_schedule(struct parser *p, const struct token *first);
struct stmt *hive_parse_alter_schedule(struct parser *p, const struct token *first);

/* ---- small pieces ---- */

/* (label word word ..) of all tokens from `first` to the cursor */
struct clause *clause_of_tokens(struct parser *p, str_t label, const struct token *first);

/* Adds such a clause to `options`. */
void add_token_clause(struct parser *p, struct clause *options, str_t label,
                      const struct token *first);

/* An object statement whose options are all its tokens. */
struct stmt *new_object_stmt(struct parser *p, enum stmt_kind kind, struct object_stmt object,
                             const struct token *first);

bool accept_if_exists(struct parser *p);
bool accept_if_not_exists(struct parser *p);

/* (USER | GROUP | ROLE) id */
void hive_parse_principal(struct parser *p);

/* (DATABASE | SCHEMA) db | [TABLE] qname [columns] [partition] | URI str | SERVER id */
void hive_parse_granted_object(struct parser *p, struct object_stmt *object);

/* A number, or a variable that stands for one. */
void expect_number(struct parser *p, const char *what);

/* id | str: patterns of SHOW */
void expect_pattern(struct parser *p);

#endif
