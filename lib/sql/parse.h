/*
 * Text → statements. A script_reader hands out one statement at a time, broken ones too: each is
 * lexed and parsed by itself, so a mistake never hides the next statement, and memory need not hold
 * more than one tree.
 */
#ifndef COLLINE_SQL_PARSE_H
#define COLLINE_SQL_PARSE_H

#include "sql/ast.h"
#include "sql/diag.h"
#include "sql/token.h"

struct parse_error {
    enum diag_code code; /* DIAG_SYNTAX, DIAG_VALUE, DIAG_TOO_DEEP or DIAG_TOO_LARGE */
    uint32_t at;         /* byte of the script where the offending token begins */
    uint32_t end;        /* and ends */
    str_t message;       /* "expected X, found Y" */
};

/*
 * Session settings that change how text is read; the reader updates them from SET statements of the
 * script.
 */
struct parse_options {
    enum dialect dialect;
    enum {
        QUOTED_COLUMN,
        QUOTED_STANDARD,
        QUOTED_NONE
    } quoted_identifiers; /* hive.support.quoted.identifiers */
};

struct script_reader {
    str_t text;
    size_t pos;       /* next byte to read */
    uint8_t unclosed; /* enum unclosed: quotes of which the rest of the text has no end */
    struct parse_options options;
};

struct parsed {
    struct stmt *stmt;        /* never NULL unless out of memory; kind STMT_BROKEN after an error */
    struct parse_error error; /* message.len == 0: none */
    struct tokens tokens;     /* of the statement; empty where there are none but a command's, or not all */
};

void script_reader_init(struct script_reader *reader, str_t text,
                        const struct parse_options *options);

/*
 * The next statement or client command; false at the end of the text. Empty and comment-only pieces
 * are passed over. Trees are made in `arena`. After an error the reader stands behind the
 * statement's `;`.
 */
bool script_reader_next(struct script_reader *reader, struct arena *arena, struct parsed *out);

/*
 * Parses one query, the stored text of a view; NULL with *error set when it does not parse. Depth
 * starts at `depth` queries.
 */
struct query *parse_query_text(str_t text, const struct parse_options *options, struct arena *arena,
                               struct parse_error *error);

/* Parses a column type such as `array<struct<a:int>>`; NULL when it does not parse. */
struct type *parse_type_text(str_t text, enum dialect dialect, struct arena *arena);

/*
 * The value of a string literal token, escapes resolved by the dialect's rules; of an unquoted
 * text, itself.
 */
str_t string_literal_value(str_t token, enum dialect dialect, struct arena *arena);

/* Line (from 1) and column (from 1, in bytes) of a byte of the text. */
void text_position(str_t text, size_t at, uint32_t *line, uint32_t *column);

/* The tree as indented text, for people and tests: `--format ast`. */
struct buf;
void ast_dump(struct buf *out, str_t text, const struct stmt *stmt);

#endif
