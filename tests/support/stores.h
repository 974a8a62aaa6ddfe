/*
 * Stores for tests: each test runs over every kind of store that there is: a SQLite file in a folder of its own, and, where COLLINE_TEST_POSTGRES holds
 * the address of a server (tests/services/store), PostgreSQL.
 */
#ifndef COLLINE_TESTS_STORES_H
#define COLLINE_TESTS_STORES_H

#include "store/apply.h"

struct test_store {
    char address[256];
    struct store *store;
    struct applier *applier;
};

/* How many kinds there are. */
int store_kinds(void);

/* An empty store of a kind, from 0; `name` tells several of one test apart. */
void test_store_open(struct test_store *t, int kind, const char *name);

/* The same store, closed and opened again. */
void test_store_reopen(struct test_store *t);
void test_store_close(struct test_store *t);

/* The canonical dump; to be freed. */
char *test_store_dump(struct test_store *t);

/* One number of a query without parameters. */
int64_t test_number(struct test_store *t, const char *sql);

/* One text, valid until the next call. */
const char *test_text(struct test_store *t, const char *sql);

/* What an event is made of; what is NULL or 0 has a usual value. */
struct test_event {
    const char *query_id, *user, *engine, *operation, *database, *sql, *document;
    const char *inputs, *outputs; /* names with commas */
    int64_t ended, first_ended;
    uint32_t revision, generation;
    enum event_status status;
    bool engine_agrees;
};

/* Adds it; fails the test when it is not taken. */
void test_add(struct test_store *t, const struct test_event *event);
void test_commit(struct test_store *t);

/* `insert overwrite table DST select COLUMN from SRC` and the like as a document's statement, in a buffer of the caller. */
const char *test_document(char *buffer, size_t size, const char *operation, const char *mode, const char *src, const char *dst, const char *column);

#endif
