/* Questions to a store in tests: the store, an arena for the answers, and who asks, by a clock of
 * its own whose days count from TEST_DAY. */
#ifndef COLLINE_TESTS_ASKING_H
#define COLLINE_TESTS_ASKING_H

#include "support/stores.h"

#include "ask/ask.h"

enum { TEST_DAY = 20000 };

/* Milliseconds: so many seconds into a day. */
#define AT(day, second) ((int64_t)(TEST_DAY + (day)) * DAY_MS + (second) * 1000LL)

struct asking {
    struct test_store t;
    struct arena arena;
    struct ask ask;
};

/* An empty store of a kind, asked at a time. */
void asking_begin(struct asking *a, int kind, const char *name, int64_t now);

/* No question may have failed. */
void asking_end(struct asking *a);

/* Adds and commits them; heat is counted as of `heat_at`. */
void asking_load(struct asking *a, const struct test_event *events, size_t count, int64_t heat_at);

/* The id of a table that is there. */
int64_t asking_table(struct asking *a, const char *name);

#endif
