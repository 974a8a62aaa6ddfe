/* `colline fingerprint`: what statements look like once literals, case, blanks and comments are taken away. */
#include "script.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    OPTION_COUNT = OPTION_OWN,
    OPTION_KEY
};

static const char help[] =
    "usage: colline fingerprint [OPTION]... [FILE|DIR|-]...\n\n"
    "Prints a line for each statement: its fingerprint, FILE:LINE and its type. Statements that\n"
    "differ in case, white space, comments, hints, literals or the lengths of IN lists only have\n"
    "one fingerprint.\n\n"
    "  -d, --dialect hive|impala   for all scripts; else by their names\n"
    "      --count                 each fingerprint once, with how often it occurs, most first\n"
    "      --key                   instead the lineage key: what a cache of lineage may look up by\n"
    "  -h, --help                  this text\n";

struct seen {
    uint64_t print[2];
    size_t count;
    char *example; /* FILE:LINE TYPE of the first one */
};

struct fingerprint_run {
    struct inputs inputs;
    struct dialect_choice dialect;
    bool count, key;
    struct seen *seen;
    size_t seen_count, seen_capacity;
    struct output output;
    bool partly;
};

static char *describe(colline_analyzer *an, str_t path, const colline_statement *st)
{
    uint32_t line = 0, column = 0;
    colline_position(an, colline_statement_span(st).start, &line, &column);
    colline_text type = colline_statement_type(st);
    return need_format("%.*s:%u  %.*s", (int)path.len, path.ptr, line, (int)type.len, type.ptr);
}

/* The number that is asked for: the fingerprint, or the lineage key. */
static void hash_of(const struct fingerprint_run *run, colline_analyzer *an, const colline_statement *st, uint64_t out[2])
{
    char hex[33];
    colline_statement_fingerprint(st, out);
    if (!run->key || colline_statement_lineage_key(an, NULL, 0, hex) != COLLINE_OK)
        return;
    out[1] = strtoull(hex + 16, NULL, 16);
    hex[16] = '\0';
    out[0] = strtoull(hex, NULL, 16);
}

static void print_line(struct fingerprint_run *run, const uint64_t print[2], const char *text)
{
    char *line = need_format("%016llx%016llx  %s\n", (unsigned long long)print[0], (unsigned long long)print[1], text);
    output_add(&run->output, str_of(line));
    free(line);
}

static void note_statement(void *context, colline_analyzer *an, str_t path, const colline_statement *st)
{
    struct fingerprint_run *run = context;
    uint64_t print[2];
    hash_of(run, an, st, print);
    char *text = describe(an, path, st);
    if (!run->count) {
        print_line(run, print, text);
        free(text);
        return;
    }
    if (run->seen_count == run->seen_capacity) {
        run->seen_capacity = run->seen_capacity * 2 + 64;
        run->seen = need_grow(run->seen, run->seen_capacity, sizeof *run->seen);
    }
    run->seen[run->seen_count++] = (struct seen){{print[0], print[1]}, 1, text};
}

static void read_input(struct fingerprint_run *run, colline_analyzer *an, const struct input *input)
{
    char *text;
    size_t len;
    const char *reason;
    if (!read_file(input->path, &text, &len, &reason)) {
        complain("%s: %s", input->path, reason);
        run->partly = true;
        return;
    }
    struct options options = {.dialect = run->dialect};
    struct script script = {.id = str_of(input->path), .path = input->path, .text = str_make(text, len), .dialect = input->dialect};
    struct script_sink sink = {.see = note_statement, .see_context = run};
    struct buf messages;
    buf_init(&messages, 0);
    struct script_result result = script_run(an, &options, &script, &sink, &messages);
    buf_release(&messages);
    free(text);
    if (result.status != COLLINE_OK)
        need(NULL);
}

static int by_print(const void *a, const void *b)
{
    const struct seen *left = a, *right = b;
    for (int i = 0; i < 2; i++)
        if (left->print[i] != right->print[i])
            return left->print[i] < right->print[i] ? -1 : 1;
    return strcmp(left->example, right->example);
}

static int by_count(const void *a, const void *b)
{
    const struct seen *left = a, *right = b;
    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    return by_print(a, b);
}

static void print_counts(struct fingerprint_run *run)
{
    size_t kept = 0;
    if (run->seen_count > 0)
        qsort(run->seen, run->seen_count, sizeof *run->seen, by_print);
    for (size_t i = 0; i < run->seen_count; i++) {
        struct seen *last = kept == 0 ? NULL : &run->seen[kept - 1];
        if (last != NULL && last->print[0] == run->seen[i].print[0] && last->print[1] == run->seen[i].print[1]) {
            last->count++;
            free(run->seen[i].example);
        } else {
            run->seen[kept++] = run->seen[i];
        }
    }
    if (kept > 0)
        qsort(run->seen, kept, sizeof *run->seen, by_count);
    for (size_t i = 0; i < kept; i++) {
        char *text = need_format("%6zu  %s", run->seen[i].count, run->seen[i].example);
        print_line(run, run->seen[i].print, text);
        free(text);
        free(run->seen[i].example);
    }
    free(run->seen);
}

static int take_options(struct fingerprint_run *run, int argc, char **argv)
{
    static const struct option long_options[] = {{"dialect", required_argument, NULL, 'd'},
                                                 {"count", no_argument, NULL, OPTION_COUNT},
                                                 {"key", no_argument, NULL, OPTION_KEY},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {NULL, 0, NULL, 0}};
    struct options options = {.command = "fingerprint"};
    int option, status = STATUS_DONE;
    while (status == STATUS_DONE && (option = getopt_long(argc, argv, "d:h", long_options, NULL)) != -1) {
        if (option == 'h') {
            fputs(help, stdout);
            exit(STATUS_DONE);
        }
        if (option == OPTION_COUNT)
            run->count = true;
        else if (option == OPTION_KEY)
            run->key = true;
        else
            status = options_take(&options, option, optarg);
    }
    run->dialect = options.dialect;
    options_release(&options);
    return status;
}

int cmd_fingerprint(int argc, char **argv)
{
    struct fingerprint_run run = {.count = false};
    int status = take_options(&run, argc, argv);
    if (status != STATUS_DONE)
        return status;
    if (optind == argc)
        inputs_add(&run.inputs, "-", run.dialect, false);
    for (int i = optind; i < argc; i++)
        inputs_add(&run.inputs, argv[i], run.dialect, false);
    output_init(&run.output);
    colline_analyzer *an = need(colline_analyzer_new(NULL, 0));
    colline_set_parse_only(an, true);
    for (size_t i = 0; i < run.inputs.count; i++)
        read_input(&run, an, &run.inputs.items[i]);
    print_counts(&run);
    colline_analyzer_free(an);
    output_release(&run.output);
    bool partly = run.partly || run.inputs.partly;
    inputs_release(&run.inputs);
    return partly ? STATUS_PARTLY : STATUS_DONE;
}
