/*
 * The lexer's way into the table of keywords; everybody else uses keyword_find and keyword_text of
 * lex.h.
 */
#ifndef COLLINE_SQL_KEYWORD_H
#define COLLINE_SQL_KEYWORD_H

#include "sql/keyword_hash.h"
#include "sql/lex.h"

/* What a bare word is. */
struct keyword_found {
    uint16_t word;      /* enum keyword; KW_NONE where the dialect has no such word */
    uint8_t word_class; /* enum word_class */
};

/* A slot of the table; the free ones are like no word. */
struct keyword_entry {
    struct keyword_key key;
    uint8_t len;
    uint16_t found[2]; /* by dialect: enum keyword, above it enum word_class; 0 where the dialect has no such word */
};

enum { KEYWORD_BITS = 12 };

_Static_assert(KEYWORD_COUNT < 1 << KEYWORD_BITS && WORD_RESERVED < 1 << (16 - KEYWORD_BITS), "both fit into 16 bits");

/* Made from keywords.def when the project is built. */
extern const uint16_t keyword_displacements[KEYWORD_BUCKETS];
extern const struct keyword_entry keyword_entries[KEYWORD_SLOTS];

/* Whether the middle of a long word, which its key leaves out, is that of the keyword. */
bool keyword_same_middle(const char *word, size_t len, enum keyword keyword);

/*
 * Looks up a word of letters, digits, `_`, `$` and `-` by its key. Whether it is a keyword cannot be guessed, so nothing
 * here branches on it.
 */
static inline struct keyword_found keyword_lookup_key(struct keyword_key key, const char *word, size_t len,
                                                      enum dialect dialect)
{
    uint32_t hash = keyword_hash(key, len);
    const struct keyword_entry *entry = &keyword_entries[keyword_slot(hash, keyword_displacements[keyword_bucket(hash)])];
    bool same = ((entry->key.head ^ key.head) | (entry->key.tail ^ key.tail) | (entry->len ^ len)) == 0;
    uint32_t found = entry->found[dialect] & (0u - same), keyword = found & ((1u << KEYWORD_BITS) - 1);
    if (len > 16 && found != 0 && !keyword_same_middle(word, len, (enum keyword)keyword))
        found = keyword = 0;
    return (struct keyword_found){(uint16_t)keyword, (uint8_t)(found >> KEYWORD_BITS)};
}

/* The same without its key. */
static inline struct keyword_found keyword_lookup(const char *word, size_t len, enum dialect dialect)
{
    return keyword_lookup_key(keyword_key_of(word, len), word, len, dialect);
}

#endif
