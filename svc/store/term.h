/*
 * The index of names and comments for search by any part. The writer adds every text that a dataset
 * or column goes by; whoever searches gets candidates, and must look for himself whether the text
 * has the part.
 */
#ifndef COLLINE_STORE_TERM_H
#define COLLINE_STORE_TERM_H

#include "base/arena.h"
#include "db/db.h"

enum { TERM_CHARACTERS = 150 }; /* longer texts are known by their beginning */

/* The text's first TERM_CHARACTERS characters: what substr(text, 1, 150) gives. */
str_t term_of(str_t text);

struct terms;

/* The writer's side, within its transactions; it remembers what it has added. NULL when memory is
 * out. */
struct terms *terms_new(struct db *db);
void terms_free(struct terms *terms);

/* Once for each text, or any number of times; an empty one is none. */
void terms_add(struct terms *terms, str_t text);

/* After a rollback: what was added since the last commit may not be there. */
void terms_forget(struct terms *terms);

struct term {
    int64_t id;
    str_t text;
};

struct term_list {
    struct term *items;
    uint32_t count;
    bool common; /* there are more than were wanted, or the parts are too short to be looked up */
};

/* Terms that have all parts (separated by blanks, in any case), in no order; none of common parts. */
struct term_list terms_find(struct db *db, struct arena *arena, str_t parts, uint32_t most);

/* So many of them, of common parts too. */
struct term_list terms_some(struct db *db, struct arena *arena, str_t parts, uint32_t most);

/* Whether the text has all parts, ASCII case folded. */
bool term_has(str_t text, str_t parts);

/* The next part behind *at, which moves on; empty at the end. */
str_t term_next_part(str_t parts, size_t *at);

#endif
