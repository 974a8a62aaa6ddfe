/* How long questions take over a generated warehouse. */
#ifndef COLLINE_BENCH_QUESTIONS_H
#define COLLINE_BENCH_QUESTIONS_H

#include "store/store.h"

/* Asks each kind `count` times, of tables at random, and prints one line of JSON: medians and 99th percentiles in ms. `now`: ms. */
void ask_questions(struct store *store, uint32_t count, int64_t now, const char *only);

#endif
