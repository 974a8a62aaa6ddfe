/*
 * For those who work on the parsers: reads JSON lines {"id", "sql"} and parses each text, without
 * the program around it. parse_batch hive|impala [FILE]          a line for each error: id,
 * line:column, message; totals at the end parse_batch hive|impala --time [FILE]   nanoseconds a
 * text: lexing alone and lexing with parsing parse_batch hive|impala --count [FILE]  id and number
 * of statements
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sql/lex.h"
#include "sql/parse.h"

struct text {
    const char *id;
    str_t sql;
};

struct batch {
    struct text *items;
    size_t count;
    struct parse_options options;
};

static void read_texts(struct batch *batch, FILE *in)
{
    json_t *object;
    size_t capacity = 0;
    while ((object = json_loadf(in, JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL, NULL)) != NULL) {
        if (batch->count == capacity) {
            capacity = capacity == 0 ? 1024 : capacity * 2;
            batch->items = realloc(batch->items, capacity * sizeof(*batch->items));
        }
        json_t *sql = json_object_get(object, "sql");
        batch->items[batch->count++] =
            (struct text){json_string_value(json_object_get(object, "id")),
                          str_make(json_string_value(sql), json_string_length(sql))};
    }
}

/* Parses all statements of a text; prints the first error. Returns the number of statements. */
static size_t parse_text(const struct batch *batch, const struct text *text, struct arena *arena,
                         bool print, bool *ok)
{
    struct script_reader reader;
    struct parsed parsed;
    size_t count = 0;
    script_reader_init(&reader, text->sql, &batch->options);
    *ok = true;
    for (arena_clear(arena); script_reader_next(&reader, arena, &parsed); arena_clear(arena)) {
        count++;
        if (parsed.error.message.len == 0 || !*ok)
            continue;
        *ok = false;
        uint32_t line, column;
        text_position(text->sql, parsed.error.at, &line, &column);
        if (print)
            printf("%s\t%u:%u\t%.*s\n", text->id, line, column, (int)parsed.error.message.len,
                   parsed.error.message.ptr);
    }
    return count;
}

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void lex_text(const struct batch *batch, const struct text *text, struct arena *arena)
{
    struct tokens tokens = {0};
    arena_clear(arena);
    lex_statement(text->sql, 0, &batch->options, arena, &tokens);
}

enum { REPEATS = 15 };

static double time_text(const struct batch *batch, const struct text *text, struct arena *arena,
                        bool parse)
{
    double best = 1e18;
    bool ok;
    for (int i = 0; i < REPEATS; i++) {
        double start = now_ns();
        if (parse)
            parse_text(batch, text, arena, false, &ok);
        else
            lex_text(batch, text, arena);
        double took = now_ns() - start;
        best = took < best ? took : best;
    }
    return best;
}

static void print_times(const struct batch *batch, struct arena *arena)
{
    for (int parse = 0; parse < 2; parse++) {
        double *times = malloc((batch->count + 1) * sizeof(*times));
        double sum = 0;
        for (size_t i = 0; i < batch->count; i++)
            sum += times[i] = time_text(batch, &batch->items[i], arena, parse);
        qsort(times, batch->count, sizeof(*times), compare_doubles);
        printf("%s: median %.0f ns, p90 %.0f, p99 %.0f, mean %.0f\n", parse ? "lex+parse" : "lex",
               times[batch->count / 2], times[batch->count * 9 / 10],
               times[batch->count * 99 / 100], sum / (double)batch->count);
        free(times);
    }
}

int main(int argc, char **argv)
{
    struct batch batch = {0};
    int next = 2;
    bool count = argc > 2 && strcmp(argv[2], "--count") == 0;
    bool timed = argc > 2 && strcmp(argv[2], "--time") == 0;
    if (argc < 2)
        return 2;
    next += count || timed;
    batch.options.dialect = strcmp(argv[1], "impala") == 0 ? DIALECT_IMPALA : DIALECT_HIVE;
    FILE *in = argc > next ? fopen(argv[next], "r") : stdin;
    if (in == NULL)
        return 2;
    read_texts(&batch, in);
    struct arena arena;
    arena_init(&arena, 0, NULL);
    if (timed) {
        print_times(&batch, &arena);
        return 0;
    }
    size_t failed = 0;
    for (size_t i = 0; i < batch.count; i++) {
        bool ok;
        size_t statements = parse_text(&batch, &batch.items[i], &arena, true, &ok);
        failed += !ok;
        if (count)
            printf("%s\t%zu\n", batch.items[i].id, statements);
    }
    printf("%zu texts, %zu with errors\n", batch.count, failed);
    return 0;
}
