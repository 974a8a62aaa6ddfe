/*
 * Colline: table and column lineage of Hive and Impala SQL.
 *
 * The library is a function of its arguments: no input or output, threads, clock or global state. A catalog says which
 * tables exist; an analyzer takes one script at a time and gives the lineage of its statements, one after the other:
 *
 *     colline_catalog *catalog = colline_catalog_new(0);
 *     colline_catalog_add_ddl(catalog, ddl, ddl_len, COLLINE_HIVE, NULL);
 *     colline_analyzer *an = colline_analyzer_new(catalog, 0);
 *     colline_begin(an, sql, sql_len);
 *     for (const colline_statement *st; (st = colline_next(an)) != NULL;)
 *         for (size_t i = 0; i < colline_statement_column_count(st); i++)
 *             … colline_statement_column(st, i) …
 *     colline_analyzer_free(an);
 *     colline_catalog_free(catalog);
 *
 * Threads: a catalog may be shared by any number of threads as long as none changes it; an analyzer belongs to one thread
 * at a time.
 * Text: UTF-8, given as pointer and length in bytes; NUL is an ordinary byte. Places are bytes of the script, from 0; lines
 * and columns count from 1, columns in bytes. A colline_text that a function gives back is borrowed, is not ended by a
 * NUL, and lives as long as that function's comment says.
 * Errors: bad SQL is no error of a call: it is a statement with an error in it. A colline_status other than COLLINE_OK
 * means that the call itself could not be carried out. Every function accepts NULL for an object and then does nothing.
 */
#ifndef COLLINE_H
#define COLLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define COLLINE_API __attribute__((visibility("default")))
#else
#define COLLINE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    COLLINE_OK = 0,
    COLLINE_BAD_ARGUMENT, /* NULL where an object is needed, an unknown name, a call out of order */
    COLLINE_NO_MEMORY,    /* the allocator or the object's memory limit gave out */
    COLLINE_BAD_INPUT,    /* a saved catalog that is none; colline_catalog_message says why */
    COLLINE_STOPPED       /* the caller's write function returned false */
} colline_status;

typedef enum {
    COLLINE_HIVE,
    COLLINE_IMPALA
} colline_dialect;

/* Value: what the text means. Engine: what the dialect's own engine would log, its peculiarities included. */
typedef enum {
    COLLINE_READING_VALUE,
    COLLINE_READING_ENGINE
} colline_reading;

typedef enum {
    COLLINE_JSON,    /* the lineage document, indented */
    COLLINE_JSONL,   /* the same on one line */
    COLLINE_TABLE,   /* aligned columns, for people */
    COLLINE_TREE,    /* targets with their sources below, for people */
    COLLINE_DOT,     /* Graphviz */
    COLLINE_MERMAID,
    COLLINE_CSV,     /* one line an edge, with a heading */
    COLLINE_FIELDS,  /* [{"targetField", "sourceFields"}] */
    COLLINE_TABLES,  /* {"inputTables", "outputTable"}, a line a statement */
    COLLINE_HIVE_LOG,   /* Hive's LineageLogger records, a line a statement */
    COLLINE_IMPALA_LOG, /* Impala's lineage log records, a line a statement */
    COLLINE_AST,     /* the syntax trees */
    COLLINE_FORMAT_COUNT
} colline_format;

typedef struct {
    const char *ptr;
    size_t len;
} colline_text;

/* Bytes [start, end) of the script. */
typedef struct {
    uint32_t start, end;
} colline_span;

/* From byte `at` of a script on: bytes of an outer text from `start` on, or, not `exact`, what stands for all of its [start, end). */
typedef struct {
    uint32_t at, start, end;
    bool exact;
} colline_piece;

typedef struct colline_catalog colline_catalog;
typedef struct colline_table colline_table;
typedef struct colline_analyzer colline_analyzer;
typedef struct colline_statement colline_statement;
typedef struct colline_dataset colline_dataset;
typedef struct colline_output colline_output;
typedef struct colline_column colline_column;
typedef struct colline_source colline_source;
typedef struct colline_predicate colline_predicate;
typedef struct colline_diagnostic colline_diagnostic;

/* Receives output piece by piece; false stops the writing. `bytes` is valid during the call only. */
typedef bool (*colline_write)(void *context, const char *bytes, size_t len);

/* "0.1.0"; NUL-terminated, static. */
COLLINE_API const char *colline_version(void);

/* The format of a name such as "jsonl"; false when there is none. Names are those of `colline lineage --format`. */
COLLINE_API bool colline_format_by_name(const char *name, size_t len, colline_format *format);

/* ---- catalogs --------------------------------------------------------------------------------------------------- */

/* An empty catalog that holds at most memory_limit bytes (0: no limit); NULL when out of memory. Free it after all its users. */
COLLINE_API colline_catalog *colline_catalog_new(size_t memory_limit);
COLLINE_API void colline_catalog_free(colline_catalog *catalog);

/*
 * Runs a script of DDL against the catalog: CREATE, ALTER, DROP of databases, tables, views and macros, CREATE TABLE AS with its
 * columns, USE. Other statements are passed over; statements that do not parse too, counted in *broken (may be NULL), and
 * colline_catalog_message gives the first one's place and reason. Temporary tables do not stay.
 */
COLLINE_API colline_status colline_catalog_add_ddl(colline_catalog *catalog, const char *text, size_t len,
                                                   colline_dialect dialect, size_t *broken);

/* Adds the tables of a saved catalog. On COLLINE_BAD_INPUT colline_catalog_message says why, and *where (may be NULL) is the byte. */
COLLINE_API colline_status colline_catalog_add_json(colline_catalog *catalog, const char *text, size_t len, size_t *where);

/* Why the last call on this catalog failed, or what it could not read; else empty. Valid until the next call. */
COLLINE_API colline_text colline_catalog_message(const colline_catalog *catalog);

/* Writes the catalog as JSON, sorted: the same bytes for the same contents. */
COLLINE_API colline_status colline_catalog_save(const colline_catalog *catalog, colline_write write, void *context);

/* The same of one table only; COLLINE_BAD_ARGUMENT when there is none of that canonical name. */
COLLINE_API colline_status colline_catalog_save_table(const colline_catalog *catalog, const char *name, size_t len,
                                                      colline_write write, void *context);

/* Calls visit for every table in byte order of names until it returns false. The table lives as long as the catalog is not changed. */
COLLINE_API colline_status colline_catalog_each_table(const colline_catalog *catalog,
                                                      bool (*visit)(void *context, const colline_table *table), void *context);

/* The table of a canonical name, `db.table` in lower case; NULL when there is none. */
COLLINE_API const colline_table *colline_catalog_table(const colline_catalog *catalog, const char *name, size_t len);

/* Texts live as long as the catalog is not changed. */
COLLINE_API colline_text colline_table_name(const colline_table *table);    /* `db.table` */
COLLINE_API colline_text colline_table_kind(const colline_table *table);    /* table, view, materialized_view */
COLLINE_API colline_text colline_table_comment(const colline_table *table);
COLLINE_API colline_text colline_table_location(const colline_table *table); /* its directory; empty: not told */
COLLINE_API colline_text colline_table_view_text(const colline_table *table); /* the query of a view; empty for a table */
COLLINE_API size_t colline_table_column_count(const colline_table *table);
COLLINE_API colline_text colline_table_column_name(const colline_table *table, size_t column);
COLLINE_API colline_text colline_table_column_type(const colline_table *table, size_t column); /* empty: not known */
COLLINE_API colline_text colline_table_column_comment(const colline_table *table, size_t column);
COLLINE_API bool colline_table_column_is_partition(const colline_table *table, size_t column);

/* ---- analyzers -------------------------------------------------------------------------------------------------- */

/*
 * An analyzer over a catalog (NULL: nothing is known beforehand), which it only reads and which must outlive it. One statement's
 * work, and what a script creates, may each take memory_limit bytes (0: no limit). NULL when out of memory.
 */
COLLINE_API colline_analyzer *colline_analyzer_new(const colline_catalog *catalog, size_t memory_limit);
COLLINE_API void colline_analyzer_free(colline_analyzer *an);

/* Settings for the scripts begun after them. At first: Hive, value reading, database `default`, stars without complex types. */
COLLINE_API void colline_set_dialect(colline_analyzer *an, colline_dialect dialect);
COLLINE_API void colline_set_reading(colline_analyzer *an, colline_reading reading);
COLLINE_API void colline_set_expand_complex_types(colline_analyzer *an, bool expand); /* Impala's EXPAND_COMPLEX_TYPES */
COLLINE_API void colline_set_parse_only(colline_analyzer *an, bool parse_only);       /* trees and errors, no lineage */
COLLINE_API void colline_set_look(colline_analyzer *an, bool colour, uint32_t width); /* of formats for people; width 0: any */
COLLINE_API colline_status colline_set_database(colline_analyzer *an, const char *name, size_t len);

/* Begins a script with a fresh session. The text is not copied: it must stay until the last statement was read. */
COLLINE_API colline_status colline_begin(colline_analyzer *an, const char *text, size_t len);

/*
 * Begins a script that stands in pieces in a larger text, such as SQL in a shell script. Places are then those of `outer`. A variable that
 * an exact piece holds is SQL's; one in another piece is the outer language's: where it has no value, its statement is "dynamic-sql".
 * Pieces are in order of `at`, the first at 0; they are copied. Both texts must stay until the last statement was read.
 */
COLLINE_API colline_status colline_begin_inside(colline_analyzer *an, const char *text, size_t len, const char *outer,
                                                size_t outer_len, const colline_piece *pieces, size_t count);

/*
 * After colline_begin_inside: the line that begins at byte `at` of the outer text has this number, so that lines need not be counted from
 * the text's start for each of many scripts in it.
 */
COLLINE_API void colline_set_line(colline_analyzer *an, uint32_t at, uint32_t line);

/* Gives a variable a value, `x` or `hivevar:x`; after colline_begin and before the statements that use it. Copied. */
COLLINE_API colline_status colline_define(colline_analyzer *an, const char *key, size_t key_len, const char *value,
                                          size_t value_len);

/* The next statement, broken ones and client commands too; NULL at the end. It lives until the next call on the analyzer. */
COLLINE_API const colline_statement *colline_next(colline_analyzer *an);

/* The table or view that a DROP takes away; empty for any other statement. */
COLLINE_API colline_text colline_statement_dropped(const colline_statement *st);

/* The file that the current statement, a `source FILE`, wants; empty for any other statement. */
COLLINE_API colline_text colline_statement_sourced_file(const colline_statement *st);

/*
 * Answers a `source FILE`: goes on with `text`, in the same session; after its end come the statements behind the command.
 * `name` stands as `file` in documents. Both must stay until the script's end.
 */
COLLINE_API colline_status colline_include(colline_analyzer *an, const char *name, size_t name_len, const char *text, size_t len);

/* How many sourced files are being read within one another: 0 in the script itself. */
COLLINE_API size_t colline_include_depth(const colline_analyzer *an);

/* Adds a diagnostic of this code ("source-file", "dialect-guessed") to the current statement. The message is copied. */
COLLINE_API colline_status colline_add_diagnostic(colline_analyzer *an, const char *code, const char *message, size_t len);

/* Line and column of a byte of the current text. */
COLLINE_API void colline_position(colline_analyzer *an, uint32_t at, uint32_t *line, uint32_t *column);

/* Lexes and parses a whole script and makes nothing of it, for measuring. Counts may be NULL. */
COLLINE_API colline_status colline_parse(colline_analyzer *an, const char *text, size_t len, size_t *statements, size_t *errors);

/* Bytes that the analyzer holds at this moment. */
COLLINE_API size_t colline_memory_used(const colline_analyzer *an);

/* ---- documents -------------------------------------------------------------------------------------------------- */

/* Writes the document of the script begun, its remaining statements, in a format. `id` names the script in it. */
COLLINE_API colline_status colline_write_document(colline_analyzer *an, colline_format format, const char *id, size_t id_len,
                                                  colline_write write, void *context);

/*
 * The same in steps, for who looks at the statements on the way: open after colline_begin, add after each colline_next, close.
 * `id` must stay until then. Output comes piece by piece; a format that draws the whole script comes at the close.
 */
COLLINE_API colline_status colline_document_open(colline_analyzer *an, colline_format format, const char *id, size_t id_len,
                                                 colline_write write, void *context);
COLLINE_API colline_status colline_document_add(colline_analyzer *an);
COLLINE_API colline_status colline_document_close(colline_analyzer *an);

/* ---- statements ------------------------------------------------------------------------------------------------- */

/* Everything below lives as long as the statement. Indexes out of range give NULL, 0 or an empty text. */
COLLINE_API uint32_t colline_statement_index(const colline_statement *st);
COLLINE_API colline_text colline_statement_type(const colline_statement *st);      /* INSERT, CREATE TABLE .. */
COLLINE_API colline_text colline_statement_operation(const colline_statement *st); /* insert_overwrite, none .. */
COLLINE_API colline_span colline_statement_span(const colline_statement *st);
COLLINE_API colline_text colline_statement_database(const colline_statement *st);
COLLINE_API void colline_statement_fingerprint(const colline_statement *st, uint64_t fingerprint[2]); /* high, low */

COLLINE_API size_t colline_statement_input_count(const colline_statement *st);
COLLINE_API const colline_dataset *colline_statement_input(const colline_statement *st, size_t i);
COLLINE_API size_t colline_statement_output_count(const colline_statement *st);
COLLINE_API const colline_output *colline_statement_output(const colline_statement *st, size_t i);
COLLINE_API size_t colline_statement_column_count(const colline_statement *st);
COLLINE_API const colline_column *colline_statement_column(const colline_statement *st, size_t i);
COLLINE_API size_t colline_statement_predicate_count(const colline_statement *st);
COLLINE_API const colline_predicate *colline_statement_predicate(const colline_statement *st, size_t i);
COLLINE_API size_t colline_statement_view_count(const colline_statement *st);
COLLINE_API colline_text colline_statement_view(const colline_statement *st, size_t i);
COLLINE_API size_t colline_statement_diagnostic_count(const colline_statement *st);
COLLINE_API const colline_diagnostic *colline_statement_diagnostic(const colline_statement *st, size_t i);

/* Whether the statement does not parse, or the engine's parser refuses a value in it. */
COLLINE_API bool colline_statement_failed(const colline_statement *st);
COLLINE_API colline_text colline_statement_error_code(const colline_statement *st);
COLLINE_API colline_text colline_statement_error_message(const colline_statement *st); /* "expected X, found Y" */
COLLINE_API colline_span colline_statement_error_span(const colline_statement *st);

/* A table has a name, a directory a path; the other is empty. */
COLLINE_API colline_text colline_dataset_table(const colline_dataset *dataset);
COLLINE_API colline_text colline_dataset_path(const colline_dataset *dataset);

/* What is written, a table or a directory, and how. */
COLLINE_API colline_text colline_output_table(const colline_output *output);
COLLINE_API colline_text colline_output_path(const colline_output *output);
COLLINE_API colline_text colline_output_write_mode(const colline_output *output); /* append, overwrite .. */
COLLINE_API size_t colline_output_partition_count(const colline_output *output);
COLLINE_API colline_text colline_output_partition_key(const colline_output *output, size_t i);
COLLINE_API bool colline_output_partition_value(const colline_output *output, size_t i, colline_text *value); /* false: dynamic */

/* The target column; the table is empty for outputs of a SELECT. */
COLLINE_API colline_text colline_column_table(const colline_column *column);
COLLINE_API colline_text colline_column_name(const colline_column *column);
COLLINE_API uint32_t colline_column_ordinal(const colline_column *column);
COLLINE_API colline_text colline_column_transform(const colline_column *column); /* identity, aggregation .. */
COLLINE_API colline_text colline_column_expression(const colline_column *column);
COLLINE_API colline_span colline_column_span(const colline_column *column); /* 0, 0: not in the script itself */
COLLINE_API size_t colline_column_step_count(const colline_column *column);
COLLINE_API colline_text colline_column_step(const colline_column *column, size_t i); /* outermost first */
COLLINE_API size_t colline_column_source_count(const colline_column *column);
COLLINE_API const colline_source *colline_column_source(const colline_column *column, size_t i);

/* A column, or a table whose rows count (empty name), or a star that could not be resolved (`*`). */
COLLINE_API colline_text colline_source_table(const colline_source *source);
COLLINE_API colline_text colline_source_name(const colline_source *source);
COLLINE_API colline_text colline_source_path(const colline_source *source); /* inside the column: `.city` */

COLLINE_API colline_text colline_predicate_clause(const colline_predicate *predicate); /* join, filter .. */
COLLINE_API colline_text colline_predicate_expression(const colline_predicate *predicate);
COLLINE_API colline_span colline_predicate_span(const colline_predicate *predicate);
COLLINE_API size_t colline_predicate_source_count(const colline_predicate *predicate);
COLLINE_API const colline_source *colline_predicate_source(const colline_predicate *predicate, size_t i);
COLLINE_API size_t colline_predicate_target_count(const colline_predicate *predicate); /* 0: all outputs */
COLLINE_API colline_text colline_predicate_target_table(const colline_predicate *predicate, size_t i);
COLLINE_API colline_text colline_predicate_target_name(const colline_predicate *predicate, size_t i);

/* What could not be known, or should be looked at. */
COLLINE_API colline_text colline_diagnostic_code(const colline_diagnostic *diagnostic);
COLLINE_API colline_text colline_diagnostic_severity(const colline_diagnostic *diagnostic); /* error, warning, note */
COLLINE_API colline_text colline_diagnostic_message(const colline_diagnostic *diagnostic);
COLLINE_API colline_span colline_diagnostic_span(const colline_diagnostic *diagnostic);

/* What a code of a diagnostic says in general; empty for an unknown one. Lives for ever. */
COLLINE_API colline_text colline_code_meaning(const char *code, size_t len);

/* ---- fingerprints ----------------------------------------------------------------------------------------------- */

/*
 * The fingerprint of the first statement of a text: the same for texts that differ in case, white space, comments, hints, literals
 * and the lengths of IN lists only. Writes 32 hexadecimal digits and a NUL. An empty text gives COLLINE_BAD_INPUT.
 */
COLLINE_API colline_status colline_fingerprint(colline_analyzer *an, const char *text, size_t len, char hex[33]);

/*
 * The key under which the current statement's lineage may be kept and found again: its fingerprint and all else that steers lineage,
 * the catalog apart: dialect, reading, database, settings, `space` (the metastore's name, may be empty), this library's version, and literals that
 * are structure (ordinals, quoted aliases, paths ..). Statements with one key have one lineage but for the values of literals.
 */
COLLINE_API colline_status colline_statement_lineage_key(colline_analyzer *an, const char *space, size_t space_len, char hex[33]);

/*
 * Uses the current statement's lineage again: gives it as the first statement of `text` would have it, which must have the same key, with places,
 * expressions and partition values of that text. Nothing is parsed. NULL when it cannot be said so: variables were put in, or a piece stands in a
 * list that counts as one item; then the text must be analysed. The current statement stays; the new one lives until the next call here or
 * of colline_begin. `text` must stay as long.
 */
COLLINE_API const colline_statement *colline_reuse(colline_analyzer *an, const char *text, size_t len);

/* A literal of a statement. Bytes of the text, with its sign or its quotes. */
typedef struct colline_literal {
    uint32_t start, end;
    bool structure; /* lineage may depend on its value; when in doubt it does */
} colline_literal;

/*
 * The literals of the first statement of a text, the first `most` of them, in order; gives how many there are, SIZE_MAX when out of memory. Two texts
 * that differ only in literals that are not structure have one lineage but for the pieces of text in it. The dialect is the analyzer's; the
 * current statement stays. Nothing is parsed. *behind: the byte behind the statement and its semicolon.
 */
COLLINE_API size_t colline_literals(colline_analyzer *an, const char *text, size_t len, colline_literal *literals, size_t most, size_t *behind);

#ifdef __cplusplus
}
#endif

#endif
