/* What a driver gives to db.c: each is one file over one client library. */
#ifndef COLLINE_DB_DRIVER_H
#define COLLINE_DB_DRIVER_H

#include "db/db.h"

struct db_ops {
    /* Driver's part of the handle; NULL with the reason appended. */
    bool (*open)(struct db *db, const struct db_options *options, struct buf *reason);
    void (*close)(struct db *db);
    bool (*begin)(struct db *db, bool read);
    bool (*commit)(struct db *db);
    bool (*rollback)(struct db *db);
    bool (*end_read)(struct db *db); /* after reading without trouble */
    uint64_t (*waits)(const struct db *db);
    bool (*script)(struct db *db, const char *sql);
    /* sql: of the driver's own dialect. False when it does not prepare. */
    bool (*prepare)(struct db_query *q, const char *sql);
    void (*release)(struct db_query *q);
    void (*reset)(struct db_query *q);
    void (*bind_int)(struct db_query *q, int at, int64_t value);
    void (*bind_text)(struct db_query *q, int at, str_t value);
    void (*bind_blob)(struct db_query *q, int at, str_t value);
    void (*bind_null)(struct db_query *q, int at);
    void (*bind_ids)(struct db_query *q, int at, const int64_t *ids, size_t count);
    void (*bind_texts)(struct db_query *q, int at, const str_t *texts, size_t count);
    bool (*run)(struct db_query *q);
    bool (*run_changed)(struct db_query *q, bool *changed);
    void (*start)(struct db_query *q);
    bool (*step)(struct db_query *q);
    int64_t (*get_int)(const struct db_query *q, int column);
    str_t (*get_text)(const struct db_query *q, int column);
    str_t (*get_blob)(const struct db_query *q, int column);
    bool (*is_null)(const struct db_query *q, int column);
};

struct db {
    const struct db_ops *ops;
    enum db_kind kind;
    void *inner; /* the driver's */
    struct db_query **queries; /* hash by the address of the text, open addressing */
    size_t query_count, query_capacity;
    struct db_query *broken; /* what a text that does not prepare gives */
    enum db_trouble trouble;
    struct buf message;
};

struct db_query {
    struct db *db;
    const char *text; /* as the caller wrote it */
    void *inner;      /* the driver's; NULL: does nothing */
    bool ids;         /* some parameter is a set */
};

extern const struct db_ops db_sqlite_ops;
extern const struct db_ops db_postgres_ops;

/* Remembers the first trouble; false always. */
bool db_fail(struct db *db, enum db_trouble trouble, const char *message);

/* Appends the text as the driver wants it: lines of the other one away; `ids($1)` and parameters in the driver's words. NUL at the end. */
void db_translate(enum db_kind kind, str_t sql, struct buf *out);

#endif
