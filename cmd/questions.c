/*
 * colline heat, search and diff: questions to a store. They are the calls of /api/v1, answered in
 * this process: as JSON and CSV what a server would answer, as a table some members of it.
 */
#include "cmd.h"

#include "api/api.h"
#include "ask/ask.h"
#include "base/grid.h"
#include "base/json.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { ARGUMENTS_MOST = 32, OPTION_STORE = 256, OPTION_FORMAT, OPTION_PARAMETER };

/* A column of the table: its heading, and the members that lead to it. */
struct shown {
    str_t title;
    const char *members; /* with dots between */
    bool time;           /* ms, shown as a day */
};

/* An option that is a parameter of the call. */
struct parameter {
    const char *option, *name;
    bool flag;
};

struct question {
    const char *command, *help, *path;
    const char *subject; /* the parameter that the argument is; NULL: there is none */
    const char *wanted;  /* what to say when the argument is missing */
    const char *list;    /* member that is shown as a table */
    struct parameter parameters[8];
    struct shown columns[GRID_COLUMNS];
    const char *unless; /* an item whose member `change` is this is not shown */
    bool csv;
};

static const struct question heat_question = {
    .command = "heat",
    .help = "usage: colline heat --store FILE|ADDRESS [OPTION]...\n\n"
            "Tables by use in the last 30 days: a read counts 1.0, a write 0.6.\n\n"
            "      --store FILE|ADDRESS  the store: a file, or postgresql://..\n"
            "      --unread           only tables that nobody read, those that were written most "
            "first\n"
            "      --database NAME    only of this database\n"
            "      --namespace NAME   only of this metastore\n"
            "      --limit N          so many (default: 50)\n"
            "      --format table|json|csv  (default: table)\n"
            "  -h, --help             this text\n\n"
            "Exit status: 0 done, 2 wrong use, 3 a failure.\n",
    .path = "/api/v1/heat",
    .list = "items",
    .parameters = {{"database", "database", false},
                   {"namespace", "namespace", false},
                   {"limit", "limit", false},
                   {"unread", NULL, true}},
    .columns = {{STR("table"), "dataset.name", false},
                {STR("heat"), "dataset.heat", false},
                {STR("reads"), "reads", false},
                {STR("writes"), "writes", false},
                {STR("users"), "users", false},
                {STR("last read"), "dataset.last_read", true}},
    .csv = true,
};

static const struct question search_question = {
    .command = "search",
    .help = "usage: colline search --store FILE|ADDRESS [OPTION]... TEXT\n\n"
            "Tables and columns by any part of their names and comments; several parts, with "
            "blanks between, must all be there.\n\n"
            "      --store FILE|ADDRESS  the store: a file, or postgresql://..\n"
            "      --type table|column  only these\n"
            "      --database NAME    only of this database\n"
            "      --namespace NAME   only of this metastore\n"
            "      --offline          what was dropped, too\n"
            "      --limit N          so many (default: 50)\n"
            "      --format table|json|csv  (default: table)\n"
            "  -h, --help             this text\n\n"
            "Exit status: 0 done, 1 nothing has it, 2 wrong use, 3 a failure.\n",
    .path = "/api/v1/search",
    .subject = "q",
    .wanted = "for what?",
    .list = "items",
    .parameters = {{"type", "type", false},
                   {"database", "database", false},
                   {"namespace", "namespace", false},
                   {"offline", "offline", true},
                   {"limit", "limit", false}},
    .columns = {{STR("table"), "dataset.name", false},
                {STR("column"), "column", false},
                {STR("kind"), "dataset.kind", false},
                {STR("heat"), "dataset.heat", false},
                {STR("comment"), "dataset.comment", false},
                {STR("column's comment"), "column_comment", false}},
    .csv = true,
};

static const struct question diff_question = {
    .command = "diff",
    .help = "usage: colline diff --store FILE|ADDRESS --from DAY [OPTION]... TABLE\n\n"
            "What was added to the lineage around a table between two days, and what is gone.\n\n"
            "      --store FILE|ADDRESS  the store: a file, or postgresql://..\n"
            "      --from DAY         the earlier one, YYYY-MM-DD, UTC; its end counts\n"
            "      --to DAY           the later one; now where left out\n"
            "      --direction up|down|both  (default: both)\n"
            "      --depth N          steps (default: 1)\n"
            "      --namespace NAME   the metastore\n"
            "      --indirect         conditions too\n"
            "      --format table|json  (default: table)\n"
            "  -h, --help             this text\n\n"
            "Exit status: 0 done, 1 there is no such table, 2 wrong use, 3 a failure.\n",
    .path = "/api/v1/diff",
    .subject = "name",
    .wanted = "of which table?",
    .list = "edges",
    .parameters = {{"from", "from", false},
                   {"to", "to", false},
                   {"direction", "direction", false},
                   {"depth", "depth", false},
                   {"namespace", "namespace", false},
                   {"indirect", "indirect", true}},
    .columns = {{STR("change"), "change", false},
                {STR("source"), "source", false},
                {STR("target"), "target", false},
                {STR("runs"), "runs", false},
                {STR("last run"), "last_run", true}},
    .unless = "kept",
};

struct asking {
    const struct question *question;
    const char *store;
    int format; /* 0 table, 1 json, 2 csv */
    bool help, unread;
    struct http_pair arguments[ARGUMENTS_MOST];
    size_t count;
};

static void add_argument(struct asking *a, const char *name, const char *value)
{
    if (a->count < ARGUMENTS_MOST)
        a->arguments[a->count++] = (struct http_pair){str_of(name), str_of(value)};
}

/* ---- options -------------------------------------------------------------------------------- */

static int take_format(struct asking *a, const char *value)
{
    static const char *const names[] = {"table", "json", "csv"};
    for (int i = 0; i < (a->question->csv ? 3 : 2); i++) {
        if (strcmp(value, names[i]) == 0) {
            a->format = i;
            return STATUS_DONE;
        }
    }
    return wrong_use(a->question->command, "--format %s: there are table, json%s", value,
                     a->question->csv ? " and csv" : "");
}

static int take_option(struct asking *a, int option)
{
    if (option == OPTION_STORE)
        a->store = optarg;
    else if (option == OPTION_FORMAT)
        return take_format(a, optarg);
    else if (option == 'h')
        a->help = true;
    else if (option < OPTION_PARAMETER)
        return more_help(a->question->command);
    if (option < OPTION_PARAMETER)
        return STATUS_DONE;
    const struct parameter *parameter = &a->question->parameters[option - OPTION_PARAMETER];
    if (parameter->name == NULL)
        a->unread = true;
    else
        add_argument(a, parameter->name, parameter->flag ? "true" : optarg);
    return STATUS_DONE;
}

static int read_options(struct asking *a, int argc, char **argv)
{
    struct option options[sizeof a->question->parameters / sizeof a->question->parameters[0] + 4] =
        {{"store", required_argument, NULL, OPTION_STORE},
         {"format", required_argument, NULL, OPTION_FORMAT},
         {"help", no_argument, NULL, 'h'}};
    int status = STATUS_DONE;
    for (int i = 0; a->question->parameters[i].option != NULL; i++)
        options[3 + i] =
            (struct option){a->question->parameters[i].option,
                            a->question->parameters[i].flag ? no_argument : required_argument, NULL,
                            OPTION_PARAMETER + i};
    for (int option;
         status == STATUS_DONE && (option = getopt_long(argc, argv, "h", options, NULL)) != -1;)
        status = take_option(a, option);
    if (status != STATUS_DONE || a->help)
        return status;
    if (a->store == NULL)
        return wrong_use(a->question->command, "which store? `--store FILE` or an address");
    if (a->question->subject != NULL && optind == argc)
        return wrong_use(a->question->command, "%s", a->question->wanted);
    if (a->question->subject != NULL)
        add_argument(a, a->question->subject, argv[optind++]);
    return optind == argc ? STATUS_DONE
                          : wrong_use(a->question->command, "`%s` is too much", argv[optind]);
}

/* ---- the table ------------------------------------------------------------------------------ */

static const struct json *member_at(const struct json *item, const char *members)
{
    str_t path = str_of(members);
    for (size_t at = 0; item != NULL && at < path.len;) {
        size_t end = str_find(path, '.', at);
        item = json_member(item, str_make(path.ptr + at, end - at));
        at = end + 1;
    }
    return item;
}

/* The text stands within the answer, so it is copied for its end. */
static int64_t moment_of(str_t digits)
{
    char text[24] = "";
    memcpy(text, digits.ptr, digits.len < sizeof text ? digits.len : sizeof text - 1);
    return strtoll(text, NULL, 10);
}

static str_t cell_of(struct arena *arena, const struct json *item, const struct shown *shown)
{
    const struct json *value = member_at(item, shown->members);
    char day[11];
    if (value == NULL || (value->kind != JSON_STRING && value->kind != JSON_NUMBER))
        return STR("");
    if (!shown->time)
        return value->text;
    ask_day_name(day_of(moment_of(value->text)), day);
    return arena_copy(arena, str_make(day, 10));
}

static size_t add_rows(struct grid *grid, struct arena *arena, const struct question *question,
                       const struct json *list)
{
    size_t count = 0;
    for (const struct json *item = list == NULL ? NULL : list->first; item != NULL;
         item = item->next) {
        if (question->unless != NULL &&
            str_eq(json_member_text(item, STR("change")), str_of(question->unless)))
            continue;
        str_t *cells = need(grid_row(grid));
        for (uint32_t i = 0; i < grid->columns; i++)
            cells[i] = cell_of(arena, item, &question->columns[i]);
        count++;
    }
    return count;
}

static size_t print_table(const struct question *question, str_t body)
{
    struct arena arena;
    struct grid grid;
    struct buf out;
    struct winsize size = {0};
    const char *message;
    size_t where, count = 0;
    str_t heading[GRID_COLUMNS];
    uint32_t columns = 0;
    arena_init(&arena, 0, NULL);
    buf_init(&out, 0);
    for (; columns < GRID_COLUMNS && question->columns[columns].members != NULL; columns++)
        heading[columns] = question->columns[columns].title;
    const struct json *answer = json_read(&arena, body, &message, &where);
    if (isatty(STDOUT_FILENO))
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    const struct look look = {isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL, size.ws_col};
    grid_init(&grid, &arena, heading, columns);
    if (answer != NULL)
        count = add_rows(&grid, &arena, question, json_member(answer, str_of(question->list)));
    if (count > 0)
        grid_print(&grid, &out, &look, 0);
    write_stdout(buf_str(&out));
    buf_release(&out);
    arena_release(&arena);
    return count;
}

/* ---- asking --------------------------------------------------------------------------------- */

/* The words of a problem, with the names that may have been meant. */
static int print_problem(const struct http_answer *answer)
{
    struct arena arena;
    const char *message;
    size_t where;
    arena_init(&arena, 0, NULL);
    const struct json *problem = json_read(&arena, buf_str(&answer->body), &message, &where);
    str_t detail = json_member_text(problem, STR("detail"));
    complain("%.*s", (int)detail.len, detail.ptr);
    const struct json *nearest = json_member(problem, STR("nearest"));
    for (const struct json *name = nearest == NULL ? NULL : nearest->first; name != NULL;
         name = name->next)
        fprintf(stderr, "%s%.*s%s", name == nearest->first ? "Did you mean " : ", ",
                (int)json_member_text(name, STR("name")).len,
                json_member_text(name, STR("name")).ptr, name->next == NULL ? "?\n" : "");
    arena_release(&arena);
    return answer->status == 404   ? STATUS_PARTLY
           : answer->status == 400 ? STATUS_USAGE
                                   : STATUS_FAILED;
}

static int print_answer(const struct asking *a, const struct http_answer *answer)
{
    if (answer->status != 200)
        return print_problem(answer);
    if (a->format == 0 && a->question == &diff_question) {
        if (print_table(a->question, buf_str(&answer->body)) == 0)
            write_stdout(STR("Nothing was added, and nothing is gone.\n"));
        return STATUS_DONE;
    }
    if (a->format == 0)
        return print_table(a->question, buf_str(&answer->body)) == 0 &&
                       a->question == &search_question
                   ? STATUS_PARTLY
                   : STATUS_DONE;
    write_stdout(buf_str(&answer->body));
    if (a->format == 1)
        write_stdout(STR("\n"));
    return STATUS_DONE;
}

static int ask_question(struct asking *a)
{
    static const struct http_pair host = {STR("Host"), STR("localhost")};
    struct clock clock = clock_system();
    struct api *api = need(
        api_new(&(struct api_options){.store = str_of(a->store), .readers = 1, .clock = &clock}));
    struct http_answer answer = {.status = 200};
    if (a->format == 2)
        add_argument(a, "format", "csv");
    const struct http_request request = {
        .path = str_of(a->unread ? "/api/v1/unread" : a->question->path),
        .arguments = a->arguments,
        .argument_count = a->count,
        .headers = &host,
        .header_count = 1,
        .peer = STR("127.0.0.1")};
    buf_init(&answer.body, 0);
    api_handle(api, &request, &answer);
    int status = print_answer(a, &answer);
    buf_release(&answer.body);
    api_free(api);
    return status;
}

static int command(const struct question *question, int argc, char **argv)
{
    struct asking asking = {.question = question};
    int status = read_options(&asking, argc, argv);
    if (status != STATUS_DONE)
        return status;
    if (!asking.help)
        return ask_question(&asking);
    fputs(question->help, stdout);
    return STATUS_DONE;
}

int cmd_heat(int argc, char **argv)
{
    return command(&heat_question, argc, argv);
}

int cmd_search(int argc, char **argv)
{
    return command(&search_question, argc, argv);
}

int cmd_diff(int argc, char **argv)
{
    return command(&diff_question, argc, argv);
}
