/* `colline trace` and `colline impact`: one column or table up to its sources or down to its dependents, through all given scripts. */
#include "answer.h"
#include "store_walk.h"
#include "survey.h"
#include "walk.h"

#include "ask/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    OPTION_FORMAT = OPTION_OWN, OPTION_INDIRECT, OPTION_DEPTH, OPTION_STORE, OPTION_AS_OF, OPTION_FROM, OPTION_QUERIES
};

static const char trace_help[] =
    "usage: colline trace [OPTION]... COLUMN|TABLE [FILE|DIR]...\n"
    "       colline trace --store FILE|ADDRESS [OPTION]... COLUMN|TABLE\n\n"
    "Where a column (db.table.column) or a table (db.table) comes from, through all given scripts,\n"
    "their views and temporary tables. Documents (JSON of `colline lineage`) may be given too.\n"
    "With --store by all that ran and was loaded into the store; where several metastores have such a\n"
    "table, `NAMESPACE#db.table` says which.\n\n";

static const char impact_help[] =
    "usage: colline impact [OPTION]... COLUMN|TABLE [FILE|DIR]...\n"
    "       colline impact --store FILE|ADDRESS [OPTION]... COLUMN|TABLE\n\n"
    "What depends on a column (db.table.column) or a table (db.table), through all given scripts,\n"
    "their views and temporary tables. Documents (JSON of `colline lineage`) may be given too.\n"
    "With --store by all that ran and was loaded into the store; where several metastores have such a\n"
    "table, `NAMESPACE#db.table` says which.\n\n";

static const char store_help[] = "      --store FILE|ADDRESS    a store (a file, or postgresql://..) is asked, not scripts\n"
                                 "      --as-of DAY             with --store: as it was at the end of the day, YYYY-MM-DD, UTC\n";
static const char trace_only[] = "      --from COLUMN|TABLE     with --store: only the shortest way from there\n";
static const char impact_only[] = "      --queries               with --store: queries of the last 30 days that read it, newest first\n";

static const char own_help[] =
    "      --indirect              conditions too: joins, filters, groups, sorting, windows\n"
    "      --depth N               no further than N steps\n"
    "      --format tree|json|csv  (default: tree)\n\n"
    "Exit status: 0 done; 1 done, but some inputs could not be analysed, or nothing goes by the name.\n";

enum walk_format {
    WALK_TREE, WALK_JSON, WALK_CSV
};

struct trace {
    struct options options;
    struct walk walk;
    enum walk_format format;
    struct store_walk asked;
    bool queries;
    struct inputs inputs;
    struct survey survey;
};

static int take_format(struct trace *trace, const char *value)
{
    static const char *const names[] = {"tree", "json", "csv"};
    for (unsigned i = 0; i < 3; i++) {
        if (strcmp(value, names[i]) == 0) {
            trace->format = (enum walk_format)i;
            return STATUS_DONE;
        }
    }
    return wrong_use(trace->options.command, "--format %s: there are tree, json and csv", value);
}

static int take_depth(struct trace *trace, const char *value)
{
    char *end;
    errno = 0;
    unsigned long depth = strtoul(value, &end, 10);
    if (errno != 0 || end == value || *end != '\0' || depth == 0 || depth > UINT32_MAX || value[0] == '-')
        return wrong_use(trace->options.command, "--depth %s: a number from 1 on is wanted", value);
    trace->walk.deepest = (uint32_t)depth;
    return STATUS_DONE;
}

static int take_options(struct trace *trace, int argc, char **argv)
{
    static const struct option long_options[] = {COMMON_OPTIONS,
                                                 {"format", required_argument, NULL, OPTION_FORMAT},
                                                 {"indirect", no_argument, NULL, OPTION_INDIRECT},
                                                 {"depth", required_argument, NULL, OPTION_DEPTH},
                                                 {"store", required_argument, NULL, OPTION_STORE},
                                                 {"as-of", required_argument, NULL, OPTION_AS_OF},
                                                 {"from", required_argument, NULL, OPTION_FROM},
                                                 {"queries", no_argument, NULL, OPTION_QUERIES},
                                                 {NULL, 0, NULL, 0}};
    int option, status = STATUS_DONE;
    while (status == STATUS_DONE && (option = getopt_long(argc, argv, COMMON_LETTERS, long_options, NULL)) != -1) {
        if (option == 'h') {
            bool up = trace->walk.up;
            printf("%s%s%s%s%s", up ? trace_help : impact_help, common_help, store_help, up ? trace_only : impact_only, own_help);
            exit(STATUS_DONE);
        }
        if (option == OPTION_FORMAT)
            status = take_format(trace, optarg);
        else if (option == OPTION_STORE)
            trace->asked.address = optarg;
        else if (option == OPTION_AS_OF)
            trace->asked.as_of = optarg;
        else if (option == (trace->walk.up ? OPTION_QUERIES : OPTION_FROM))
            status = wrong_use(trace->options.command, "unrecognized option '--%s'", trace->walk.up ? "queries" : "from");
        else if (option == OPTION_FROM)
            trace->asked.from = optarg;
        else if (option == OPTION_QUERIES)
            trace->queries = true;
        else if (option == OPTION_INDIRECT)
            trace->walk.indirect = true;
        else if (option == OPTION_DEPTH)
            status = take_depth(trace, optarg);
        else
            status = options_take(&trace->options, option, optarg);
    }
    return status;
}

/* `T` and `t` are default.t, as they are in a session. */
static uint32_t find_start(const struct facts *facts, const char *name)
{
    char *lower = need_copy(name);
    for (char *c = lower; *c != '\0'; c++)
        *c = ascii_lower(*c);
    uint32_t node = facts_find(facts, str_of(lower));
    if (node == NO_NODE) {
        char *qualified = need_format("default.%s", lower);
        node = facts_find(facts, str_of(qualified));
        free(qualified);
    }
    free(lower);
    return node;
}

/* The star over the column's table, for a column that no script names. */
static uint32_t find_star(const struct facts *facts, const char *name)
{
    const char *dot = strrchr(name, '.');
    char *star = need_format("%.*s.*", dot == NULL ? 0 : (int)(dot - name), name);
    uint32_t node = find_start(facts, star);
    free(star);
    return node;
}

static str_t without_last(str_t name)
{
    return str_make(name.ptr, name.len - last_name(name).len);
}

/* Names that end alike, for who mistyped the rest; else those that differ a little behind the last dot. */
static bool is_near(str_t other, str_t name)
{
    str_t last = last_name(name), other_last = last_name(other);
    size_t most = 1 + last.len / 3;
    return str_eq_fold(other_last, last) ||
           (str_eq_fold(without_last(other), without_last(name)) && name_distance(last, other_last, (unsigned)most) <= most);
}

static void suggest(const struct facts *facts, const char *name)
{
    enum { MOST = 5 };
    unsigned found = 0;
    for (uint32_t i = 0; i < facts->nodes.count && found < MOST; i++) {
        str_t other = facts->nodes.items[i].name;
        if (other.len > 0 && is_near(other, str_of(name)))
            fprintf(stderr, "%s%.*s", found++ == 0 ? "Did you mean " : ", ", (int)other.len, other.ptr);
    }
    if (found > 0)
        fputs("?\n", stderr);
}

static void print(struct trace *trace, uint32_t start)
{
    struct winsize size = {0};
    bool terminal = isatty(STDOUT_FILENO);
    if (terminal)
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    struct look look = {terminal && getenv("NO_COLOR") == NULL, size.ws_col};
    struct buf out;
    buf_init(&out, 0);
    trace->walk.facts = &trace->survey.facts;
    trace->walk.tables = trace->survey.facts.nodes.items[start].kind == NODE_TABLE;
    switch (trace->format) {
    case WALK_TREE:
        walk_tree(&trace->walk, start, &out, &look);
        break;
    case WALK_JSON:
        walk_json(&trace->walk, start, &out);
        break;
    case WALK_CSV:
        walk_csv(&trace->walk, start, &out);
        break;
    }
    if (out.failed)
        need(NULL);
    write_stdout(buf_str(&out));
    buf_release(&out);
}

static int run(struct trace *trace, const char *name)
{
    survey_read(&trace->survey, &trace->options, &trace->inputs, 0, NULL);
    uint32_t start = find_start(&trace->survey.facts, name);
    if (start == NO_NODE) {
        start = find_star(&trace->survey.facts, name);
        if (start != NO_NODE)
            complain("note: no script names %s; a star may stand for it", name);
    }
    if (start == NO_NODE) {
        complain("no script reads or writes %s", name);
        if (access(name, F_OK) == 0)
            complain("note: %s is a file; the column or table comes first, the files behind it", name);
        suggest(&trace->survey.facts, name);
        return STATUS_PARTLY;
    }
    print(trace, start);
    return trace->survey.partly ? STATUS_PARTLY : STATUS_DONE;
}

static int run_store(struct trace *trace)
{
    uint32_t start;
    int status = facts_from_store(&trace->survey.facts, &trace->walk, &trace->asked, &start);
    if (start == NO_NODE)
        return status;
    print(trace, start);
    return status;
}

/* The part behind the table of `db.table.column`; empty when the name has none. */
static str_t column_part(str_t name)
{
    size_t mark = str_find(name, '#', 0), begin = mark == name.len ? 0 : mark + 1;
    str_t own = str_make(name.ptr + begin, name.len - begin), last = last_name(own);
    bool path = str_find(own, '/', 0) < own.len, two_dots = str_find(own, '.', 0) + 1 < own.len - last.len;
    return !path && two_dots ? last : STR("");
}

/* The queries that read it, in place of what depends on it. */
static int run_queries(const struct trace *trace)
{
    static const struct answer_view view = {
        .list = "queries.items",
        .columns = {{STR("started, UTC"), "started", SHOWN_TIME},
                    {STR("user"), "user", SHOWN_TEXT},
                    {STR("engine"), "engine", SHOWN_TEXT},
                    {STR("operation"), "operation", SHOWN_TEXT},
                    {STR("writes"), "outputs", SHOWN_LIST},
                    {STR("query"), "query_id", SHOWN_TEXT}},
        .nothing = "No query of the last 30 days read it.\n",
    };
    str_t name = str_of(trace->asked.name), column = column_part(name);
    struct store_call call = {.store = trace->asked.address, .path = "/api/v1/impact", .format = (enum answer_format)trace->format};
    if (column.len > 0)
        name.len -= column.len + 1;
    store_call_add(&call, "name", name);
    if (column.len > 0)
        store_call_add(&call, "column", column);
    store_call_add(&call, "layer", STR("queries"));
    store_call_add(&call, "limit", STR("1000"));
    return store_call_print(&call, &view, NULL);
}

static int run_asked(struct trace *trace, int argc, char **argv)
{
    const char *command = trace->options.command;
    bool store_only = trace->asked.as_of != NULL || trace->asked.from != NULL || trace->queries;
    if (optind == argc)
        return wrong_use(command, "which column or table?");
    if (trace->asked.address != NULL && optind + 1 < argc)
        return wrong_use(command, "`%s` is too much: the store is asked", argv[optind + 1]);
    if (trace->asked.address == NULL && store_only)
        return wrong_use(command, "--as-of, --from and --queries go with --store");
    trace->asked.name = argv[optind];
    if (trace->queries)
        return run_queries(trace);
    if (trace->asked.address != NULL)
        return run_store(trace);
    if (optind + 1 == argc)
        inputs_add(&trace->inputs, "-", trace->options.dialect, true);
    for (int i = optind + 1; i < argc; i++)
        inputs_add(&trace->inputs, argv[i], trace->options.dialect, true);
    return run(trace, argv[optind]);
}

static int command(const char *name, bool up, int argc, char **argv)
{
    struct trace trace = {.options = {.command = name}, .walk = {.up = up}};
    int status = take_options(&trace, argc, argv);
    survey_init(&trace.survey);
    if (status == STATUS_DONE)
        status = run_asked(&trace, argc, argv);
    survey_release(&trace.survey);
    inputs_release(&trace.inputs);
    options_release(&trace.options);
    return status;
}

int cmd_trace(int argc, char **argv)
{
    return command("trace", true, argc, argv);
}

int cmd_impact(int argc, char **argv)
{
    return command("impact", false, argc, argv);
}
