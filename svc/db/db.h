/*
 * A thin face over the two databases: SQLite (a file) and PostgreSQL (a server). Both take the same SQL texts; what they call
 * differently is said neutrally:
 *
 *     $1 … $40            parameters, in any order, any number of times; where PostgreSQL takes columns of two types for one, give it two
 *     ids($1)             the set of whole numbers bound by db_bind_ids: `where id in ids($1)`
 *     a line that ends with `--sqlite` or `--postgres` is for that one only
 *     hash47(text)        of SQLite only, as in run/hash.h
 *
 * `on conflict (…) do update set x = excluded.x`, `returning`, common table expressions and window functions are the same in both. Compare
 * texts by their bytes only: columns of PostgreSQL are made with collation "C".
 *
 *     struct db_query *q = db_query(db, "select id, name from dataset where id = $1");
 *     db_bind_int(q, 1, id);
 *     while (db_step(q))
 *         … db_int(q, 0), db_text(q, 1) …
 *     if (db_failed(db)) …
 *
 * Errors are sticky: after the first one every call gives false or nothing, until db_rollback (or db_end_read) clears it; so a caller may
 * run a whole transaction and look once, at its commit. A handle and its queries belong to one thread at a time.
 */
#ifndef COLLINE_DB_DB_H
#define COLLINE_DB_DB_H

#include "base/buf.h"

struct db;
struct db_query;

enum db_kind { DB_SQLITE, DB_POSTGRES };

enum db_trouble {
    DB_FINE,
    DB_BUSY,    /* somebody else holds the lock: try again */
    DB_FULL,    /* the disk is full */
    DB_GONE,    /* the server cannot be reached: db_rollback tries to connect again */
    DB_CORRUPT, /* the file is damaged, or none of ours */
    DB_WRONG    /* anything else: a mistake of ours */
};

enum db_access {
    DB_READ,   /* must exist; nothing can be written */
    DB_WRITE,  /* must exist */
    DB_CREATE, /* a file is made when there is none, for nobody else to read; of a server the database must exist */
};

struct db_options {
    str_t address; /* path of a file, or postgres://… or postgresql://… as libpq takes it */
    enum db_access access;
    int64_t cache_bytes; /* of SQLite's pages; 0: 32 MiB */
    int64_t busy_ms;     /* how long a lock is waited for; 0: 5 s */
    bool careless;       /* a power cut may cost the newest commits, not the file; kill -9 costs nothing */
};

/* NULL with the reason appended. */
struct db *db_open(const struct db_options *options, struct buf *reason);
void db_close(struct db *db);

enum db_kind db_kind_of(const struct db *db);

/* Whether something failed since the last db_rollback, what kind of trouble it is, and the database's words for it. */
bool db_failed(const struct db *db);
enum db_trouble db_trouble(const struct db *db);
str_t db_message(const struct db *db);

/* A writing transaction: the one writer of a SQLite file; under PostgreSQL others may write at the same time. */
bool db_begin(struct db *db);

/* On disk when it returns true. False: nothing of it counts, and db_rollback is due. */
bool db_commit(struct db *db);

/* Ends whatever transaction there is and clears the error. With a server that is gone it tries to reach it again: false while it cannot. */
bool db_rollback(struct db *db);

/* Between these two all answers are of one moment. */
bool db_begin_read(struct db *db);
void db_end_read(struct db *db);

/* Runs statements that have no parameters and give no rows. */
bool db_script(struct db *db, str_t sql);

/*
 * The prepared query of this text, made at the first call; it belongs to the handle. `sql` is a literal, or lives as long as the handle. Begins
 * anew: what was bound or not read to its end is forgotten. The same text must not be used within its own loop.
 * Never NULL: of a text that does not prepare the handle is failed and every call does nothing.
 */
struct db_query *db_query(struct db *db, const char *sql);

/* Parameters from 1. Texts must stay until the query has been run or stepped for the first time; ids are copied. Unbound is null. */
void db_bind_int(struct db_query *q, int at, int64_t value);
void db_bind_text(struct db_query *q, int at, str_t value);
void db_bind_blob(struct db_query *q, int at, str_t value);
void db_bind_null(struct db_query *q, int at);
void db_bind_ids(struct db_query *q, int at, const int64_t *ids, size_t count);
void db_bind_texts(struct db_query *q, int at, const str_t *texts, size_t count); /* PostgreSQL's text[]; a JSON array in SQLite */

/* As db_bind_text, null for an empty text. */
void db_bind_word(struct db_query *q, int at, str_t value);

/*
 * Runs a query whose rows nobody wants, and begins it anew. Under PostgreSQL it is only sent: what goes wrong shows at the next step or the
 * commit. So writing does not wait for the server.
 */
bool db_run(struct db_query *q);

/* The same, and whether it changed a row: for `on conflict do nothing`. It waits for the server. */
bool db_run_changed(struct db_query *q, bool *changed);

/*
 * Says that the query will be stepped. A server is asked for it together with whatever else was started, by one wait: so questions that do not need
 * each other's answers are all started before the first is stepped. With a file nothing happens.
 */
void db_start(struct db_query *q);

/* The next row; false behind the last one and after an error. */
bool db_step(struct db_query *q);

/* Of the current row, columns from 0; valid until the next step. Null is 0 and the empty text. */
int64_t db_int(const struct db_query *q, int column);
str_t db_text(const struct db_query *q, int column);
str_t db_blob(const struct db_query *q, int column);
bool db_is_null(const struct db_query *q, int column);

/* Forgets the rows that were not read; due where a loop is left early. */
void db_done(struct db_query *q);

/* Whether there is a row, and how many there are, where nobody wants what is in them. */
bool db_any(struct db_query *q);
int64_t db_count(struct db_query *q);

/* One number of a query without parameters; `none` when there is no row. */
int64_t db_number(struct db *db, const char *sql, int64_t none);

/* How often a server was waited for; 0 of a file. */
uint64_t db_waits(const struct db *db);

/* Whether an address is a server's. */
bool db_is_server(str_t address);

#endif
