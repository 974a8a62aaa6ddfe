/*
 * The benchmark's engine: runs the library over texts in memory and prints what it took, one JSON
 * object a line. Everything goes through the public header, as a user's program would.
 *
 *   engine sample FILE ROUNDS   each statement of a sample, parsed and analysed: the median time
 *   engine once FILE            each statement once; callgrind looks at parse_text, analyse_text
 *   engine script FILE ROUNDS   a whole script to its document: the best time, sizes, peak memory
 *   engine soak FILE COUNT      COUNT statements through one analyzer: memory at ten points
 *
 * A file of DDL behind N is loaded as the catalog. A sample holds one record after another: the
 * length of a text in decimal, a line feed, the text, a line feed.
 */
#include <colline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct sample {
    colline_text *texts;
    size_t count;
};

/* What a document's bytes come to; nothing keeps them. */
struct sink {
    size_t bytes;
};

static uint64_t read_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t now_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

/* For work of many milliseconds, which others on the machine interrupt: the time in which this thread ran. */
static uint64_t busy_ns(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

static void fail(const char *what)
{
    fprintf(stderr, "engine: %s\n", what);
    exit(3);
}

static void *allocate(size_t size)
{
    void *p = malloc(size > 0 ? size : 1);
    if (p == NULL)
        fail("out of memory");
    return p;
}

static colline_text read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL || fseek(f, 0, SEEK_END) != 0)
        fail("cannot read the file");
    long end = ftell(f);
    size_t len = end > 0 ? (size_t)end : 0;
    char *bytes = allocate(len);
    rewind(f);
    if (fread(bytes, 1, len, f) != len)
        fail("cannot read the file");
    fclose(f);
    return (colline_text){bytes, len};
}

/* The record at *pos, which moves behind it. */
static colline_text next_record(colline_text file, size_t *pos)
{
    size_t len = 0;
    while (*pos < file.len && file.ptr[*pos] != '\n')
        len = len * 10 + (size_t)(file.ptr[(*pos)++] - '0');
    size_t start = *pos + 1;
    if (start + len >= file.len)
        fail("the sample is cut off");
    *pos = start + len + 1;
    return (colline_text){file.ptr + start, len};
}

static struct sample read_sample(const char *path)
{
    colline_text file = read_file(path);
    size_t capacity = 1024, pos = 0;
    colline_text *texts = allocate(capacity * sizeof(*texts));
    size_t count = 0;
    while (pos < file.len) {
        if (count == capacity) {
            capacity *= 2;
            texts = realloc(texts, capacity * sizeof(*texts));
            if (texts == NULL)
                fail("out of memory");
        }
        texts[count++] = next_record(file, &pos);
    }
    return (struct sample){texts, count};
}

/* Whether every statement of the text parses. A function of its own for callgrind to look at. */
__attribute__((noinline)) static bool parse_text(colline_analyzer *an, colline_text text)
{
    size_t errors = 0;
    return colline_parse(an, text.ptr, text.len, NULL, &errors) == COLLINE_OK && errors == 0;
}

/* Whether every statement of the text was analysed; the lineage is made in full and let go. */
__attribute__((noinline)) static bool analyse_text(colline_analyzer *an, colline_text text)
{
    bool good = colline_begin(an, text.ptr, text.len) == COLLINE_OK;
    for (const colline_statement *st; good && (st = colline_next(an)) != NULL;)
        good = !colline_statement_failed(st);
    return good;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

typedef bool (*text_work)(colline_analyzer *an, colline_text text);

/* Prints one path: whether each text was accepted, and its median time after a first, warming
 * round. */
static void measure(const char *what, text_work work, colline_analyzer *an, struct sample sample,
                    size_t rounds)
{
    uint64_t *times = allocate(sample.count * rounds * sizeof(*times));
    printf("{\"tool\": \"colline\", \"what\": \"%s\", \"accepted\": [", what);
    for (size_t i = 0; i < sample.count; i++)
        printf("%s%d", i > 0 ? ", " : "", work(an, sample.texts[i]));
    printf("], \"ns\": [");
    for (size_t round = 0; round < rounds; round++) {
        for (size_t i = 0; i < sample.count; i++) {
            uint64_t begin = now_ns();
            work(an, sample.texts[i]);
            times[i * rounds + round] = now_ns() - begin;
        }
    }
    for (size_t i = 0; i < sample.count; i++) {
        qsort(times + i * rounds, rounds, sizeof(*times), by_value);
        printf("%s%llu", i > 0 ? ", " : "", (unsigned long long)times[i * rounds + rounds / 2]);
    }
    printf("]}\n");
    free(times);
}

static colline_catalog *load_catalog(const char *path)
{
    colline_catalog *catalog = colline_catalog_new(0);
    if (path != NULL) {
        colline_text ddl = read_file(path);
        if (colline_catalog_add_ddl(catalog, ddl.ptr, ddl.len, COLLINE_HIVE, NULL) != COLLINE_OK)
            fail("the catalog could not be read");
    }
    return catalog;
}

static void run_sample(colline_analyzer *an, const char *path, size_t rounds)
{
    struct sample sample = read_sample(path);
    measure("parse", parse_text, an, sample, rounds);
    measure("lineage", analyse_text, an, sample, rounds);
    free(sample.texts);
}

static void run_once(colline_analyzer *an, const char *path)
{
    struct sample sample = read_sample(path);
    size_t parsed = 0, analysed = 0;
    for (size_t i = 0; i < sample.count; i++) {
        parsed += parse_text(an, sample.texts[i]);
        analysed += analyse_text(an, sample.texts[i]);
    }
    printf("{\"statements\": %zu, \"parsed\": %zu, \"analysed\": %zu}\n", sample.count, parsed,
           analysed);
    free(sample.texts);
}

/* A field of /proc/self/status in KiB, such as "VmHWM:"; 0 where there is none. */
static size_t status_kib(const char *field)
{
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];
    size_t value = 0, len = strlen(field);
    while (f != NULL && value == 0 && fgets(line, sizeof(line), f) != NULL) {
        if (strncmp(line, field, len) == 0)
            value = (size_t)strtoull(line + len, NULL, 10);
    }
    if (f != NULL)
        fclose(f);
    return value;
}

static bool count_bytes(void *context, const char *bytes, size_t len)
{
    struct sink *sink = context;
    (void)bytes;
    sink->bytes += len;
    return true;
}

/* Script to document; gives the document's size. */
static size_t write_document(colline_analyzer *an, colline_text text)
{
    struct sink sink = {0};
    if (colline_begin(an, text.ptr, text.len) != COLLINE_OK ||
        colline_write_document(an, COLLINE_JSONL, "script", 6, count_bytes, &sink) != COLLINE_OK)
        fail("the document could not be written");
    return sink.bytes;
}

static void count_statements(colline_analyzer *an, colline_text text, size_t *statements,
                             size_t *errors)
{
    *statements = *errors = 0;
    if (colline_begin(an, text.ptr, text.len) != COLLINE_OK)
        fail("the script could not be begun");
    for (const colline_statement *st; (st = colline_next(an)) != NULL; (*statements)++)
        *errors += colline_statement_failed(st);
}

static void run_script(colline_analyzer *an, const char *path, size_t rounds)
{
    size_t before = status_kib("VmRSS:"), document = 0, statements, errors;
    colline_text text = read_file(path);
    uint64_t best = UINT64_MAX, best_parse = UINT64_MAX;
    for (size_t round = 0; round < rounds; round++) {
        uint64_t begin = busy_ns();
        document = write_document(an, text);
        uint64_t taken = busy_ns() - begin;
        best = taken < best ? taken : best;
        begin = busy_ns();
        parse_text(an, text);
        taken = busy_ns() - begin;
        best_parse = taken < best_parse ? taken : best_parse;
    }
    size_t peak = status_kib("VmHWM:");
    count_statements(an, text, &statements, &errors);
    printf("{\"ns\": %llu, \"parse_ns\": %llu, \"statements\": %zu, \"errors\": %zu, "
           "\"text_bytes\": %zu, "
           "\"document_bytes\": %zu, \"peak_kib\": %zu, \"before_kib\": %zu}\n",
           (unsigned long long)best, (unsigned long long)best_parse, statements, errors, text.len,
           document, peak, before);
}

static void run_soak(colline_analyzer *an, const char *path, size_t count)
{
    struct sample sample = read_sample(path);
    uint64_t begin = now_ns();
    printf("{\"statements\": %zu, \"rss_kib\": [", count);
    for (size_t point = 0; point < 10; point++) {
        for (size_t i = count * point / 10; i < count * (point + 1) / 10; i++)
            write_document(an, sample.texts[i % sample.count]);
        printf("%s%zu", point > 0 ? ", " : "", status_kib("VmRSS:"));
    }
    printf("], \"seconds\": %.2f}\n", (double)(now_ns() - begin) / 1e9);
    free(sample.texts);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: engine sample|once|script|soak FILE [N [CATALOG.sql]]\n");
        return 2;
    }
    size_t n = argc > 3 ? (size_t)strtoull(argv[3], NULL, 10) : 1;
    colline_catalog *catalog = load_catalog(argc > 4 ? argv[4] : NULL);
    colline_analyzer *an = colline_analyzer_new(catalog, 0);
    if (strcmp(argv[1], "sample") == 0)
        run_sample(an, argv[2], n);
    else if (strcmp(argv[1], "once") == 0)
        run_once(an, argv[2]);
    else if (strcmp(argv[1], "script") == 0)
        run_script(an, argv[2], n);
    else if (strcmp(argv[1], "soak") == 0)
        run_soak(an, argv[2], n);
    else
        fail("there are: sample, once, script, soak");
    colline_analyzer_free(an);
    colline_catalog_free(catalog);
    return 0;
}
