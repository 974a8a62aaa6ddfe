/*
 * Prints the lookup table of the keywords: keywords.def → keyword_table.h, run when the project is
 * built. The words fall into buckets by one part of their hash; for each bucket, the fullest first,
 * a displacement is searched that moves its words to free slots.
 */
#include <inttypes.h>
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

static const char *const classes[][2] = {
    {"WORD_PLAIN", "WORD_PLAIN"},
#define KEYWORD(id, text, hive, impala) {#hive, #impala},
#include "sql/keywords.def"
#undef KEYWORD
};

enum { WORD_COUNT = sizeof(words) / sizeof(words[0]) };

struct table {
    uint32_t hashes[WORD_COUNT];
    unsigned displacements[KEYWORD_BUCKETS];
    unsigned slots[KEYWORD_SLOTS]; /* index of the word; 0: free */
};

static struct keyword_key key_of(unsigned word)
{
    char padded[KEYWORD_MAX_LENGTH + 8] = {0};
    size_t len = strlen(words[word]);
    memcpy(padded, words[word], len);
    return keyword_key_of(padded, len);
}

static unsigned bucket_size(const struct table *table, unsigned bucket)
{
    unsigned size = 0;
    for (unsigned w = 1; w < WORD_COUNT; w++)
        size += keyword_bucket(table->hashes[w]) == bucket;
    return size;
}

static void clear_bucket(struct table *table, unsigned bucket)
{
    for (unsigned s = 0; s < KEYWORD_SLOTS; s++)
        if (table->slots[s] != 0 && keyword_bucket(table->hashes[table->slots[s]]) == bucket)
            table->slots[s] = 0;
}

/* Puts the words of a bucket where the displacement says; false when a slot is taken. */
static bool try_bucket(struct table *table, unsigned bucket, unsigned displacement)
{
    for (unsigned w = 1; w < WORD_COUNT; w++) {
        if (keyword_bucket(table->hashes[w]) != bucket)
            continue;
        unsigned slot = keyword_slot(table->hashes[w], displacement);
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
    for (unsigned w = 1; w < WORD_COUNT; w++)
        table->hashes[w] = keyword_hash(key_of(w), strlen(words[w]));
    for (unsigned size = WORD_COUNT; size > 0; size--)
        for (unsigned b = 0; b < KEYWORD_BUCKETS; b++)
            if (bucket_size(table, b) == size && !fill_bucket(table, b))
                return false;
    return true;
}

static void print_displacements(const struct table *table)
{
    printf("const uint16_t keyword_displacements[KEYWORD_BUCKETS] = {");
    for (unsigned i = 0; i < KEYWORD_BUCKETS; i++)
        printf("%s%u,", i % 16 == 0 ? "\n    " : " ", table->displacements[i]);
    printf("\n};\n\n");
}

/* What a dialect finds: nothing where the word is none of its own. */
static void print_found(unsigned word, unsigned dialect)
{
    if (strcmp(classes[word][dialect], "WORD_PLAIN") == 0)
        printf("0");
    else
        printf("%u | %s << KEYWORD_BITS", word, classes[word][dialect]);
}

static void print_entries(const struct table *table)
{
    printf("const struct keyword_entry keyword_entries[KEYWORD_SLOTS] = {\n");
    for (unsigned s = 0; s < KEYWORD_SLOTS; s++) {
        unsigned w = table->slots[s];
        if (w == 0)
            continue;
        struct keyword_key key = key_of(w);
        printf("    [%u] = {{UINT64_C(0x%" PRIx64 "), UINT64_C(0x%" PRIx64 ")}, %zu, {", s, key.head, key.tail, strlen(words[w]));
        print_found(w, 0);
        printf(", ");
        print_found(w, 1);
        printf("}},\n");
    }
    printf("};\n");
}

int main(void)
{
    static struct table table;
    if (!fill(&table)) {
        fprintf(stderr,
                "gen_keywords: two keywords share a slot; change the hash in keyword_hash.h\n");
        return 1;
    }
    printf("/* Made by tools/gen_keywords.c. */\n\n");
    print_displacements(&table);
    print_entries(&table);
    return 0;
}
