/*
 * Prints the lookup table of the keywords: keywords.def → keyword_table.h, run when the project is built. The words fall into
 * buckets by one part of their hash; for each bucket, the fullest first, a displacement is searched that moves its
 * words to free slots.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "sql/keyword_hash.h"

static const char *const words[] = {
    "",
#define KEYWORD(id, text, hive, impala) text,
#include "sql/keywords.def"
#undef KEYWORD
};

enum { WORD_COUNT = sizeof(words) / sizeof(words[0]) };

struct table {
    unsigned displacements[KEYWORD_BUCKETS];
    unsigned slots[KEYWORD_SLOTS]; /* index of the word; 0: free */
};

static uint32_t hash_of(unsigned word)
{
    return keyword_hash(words[word], strlen(words[word]));
}

static unsigned bucket_size(unsigned bucket)
{
    unsigned size = 0;
    for (unsigned w = 1; w < WORD_COUNT; w++)
        size += keyword_bucket(hash_of(w)) == bucket;
    return size;
}

static void clear_bucket(struct table *table, unsigned bucket)
{
    for (unsigned s = 0; s < KEYWORD_SLOTS; s++)
        if (table->slots[s] != 0 && keyword_bucket(hash_of(table->slots[s])) == bucket)
            table->slots[s] = 0;
}

/* Puts the words of a bucket where the displacement says; false when a slot is taken. */
static bool try_bucket(struct table *table, unsigned bucket, unsigned displacement)
{
    for (unsigned w = 1; w < WORD_COUNT; w++) {
        if (keyword_bucket(hash_of(w)) != bucket)
            continue;
        unsigned slot = keyword_slot(hash_of(w), displacement);
        if (table->slots[slot] != 0) {
            clear_bucket(table, bucket);
            return false;
        }
        table->slots[slot] = w;
    }
    table->displacements[bucket] = displacement;
    return true;
}

static bool fill_bucket(struct table *table, unsigned bucket)
{
    for (unsigned d = 0; d < KEYWORD_SLOTS; d++)
        if (try_bucket(table, bucket, d))
            return true;
    return false;
}

static bool fill(struct table *table)
{
    for (unsigned size = WORD_COUNT; size > 0; size--)
        for (unsigned b = 0; b < KEYWORD_BUCKETS; b++)
            if (bucket_size(b) == size && !fill_bucket(table, b))
                return false;
    return true;
}

static void print_array(const char *name, const unsigned *values, unsigned count)
{
    printf("static const uint16_t %s[%u] = {", name, count);
    for (unsigned i = 0; i < count; i++)
        printf("%s%u,", i % 16 == 0 ? "\n    " : " ", values[i]);
    printf("\n};\n");
}

int main(void)
{
    static struct table table;
    if (!fill(&table)) {
        fprintf(stderr, "gen_keywords: two keywords share a slot; change the hash in keyword_hash.h\n");
        return 1;
    }
    printf("/* Made by tools/gen_keywords.c. */\n");
    print_array("keyword_displacements", table.displacements, KEYWORD_BUCKETS);
    print_array("keyword_slots", table.slots, KEYWORD_SLOTS);
    return 0;
}
