/* Dotted names in a text of SQL, one after the other: strings and comments apart, of any dialect,
 * whole or cut. */
#ifndef COLLINE_ASK_WORDS_H
#define COLLINE_ASK_WORDS_H

#include "base/buf.h"

struct sql_words {
    str_t sql;
    size_t at;       /* behind the last one */
    size_t start;    /* where the last one begins */
    struct buf word; /* in lower case, without quotes */
};

void sql_words_begin(struct sql_words *words, str_t sql);
void sql_words_end(struct sql_words *words);

/* The next one in words->word; false at the end. */
bool sql_words_next(struct sql_words *words);

#endif
