/* colline heat, search, checks and diff: questions to a store. They are the calls of /api/v1. */
#include "answer.h"

#include <getopt.h>
#include <stdio.h>

enum { PARAMETERS_MOST = 8, OPTION_STORE = 256, OPTION_FORMAT, OPTION_PARAMETER };

struct question;

/* What of two questions of a command an option belongs to. */
enum belongs { TO_BOTH, TO_FIRST, TO_OTHER };

/* An option that is a parameter of the call, or that asks another question. */
struct parameter {
    const char *option, *name;
    bool flag;
    const struct question *instead;
    enum belongs belongs;
};

struct question {
    const char *command, *help, *path;
    const char *subject; /* the parameter that the argument is; NULL: there is none */
    const char *wanted;  /* what to say when the argument is missing; NULL: it need not be there */
    struct parameter parameters[PARAMETERS_MOST];
    const struct answer_view *view;
    bool csv;
    bool must_find; /* nothing found is STATUS_PARTLY */
};

static const struct answer_view use_view = {
    .list = "items",
    .columns = {{STR("table"), "dataset.id", SHOWN_KEY},
                {STR("heat"), "dataset.heat", SHOWN_TEXT},
                {STR("reads"), "reads", SHOWN_TEXT},
                {STR("writes"), "writes", SHOWN_TEXT},
                {STR("users"), "users", SHOWN_TEXT},
                {STR("last read"), "dataset.last_read", SHOWN_DAY}},
    .nothing = "There is no such table.\n",
};

static const struct answer_view column_view = {
    .list = "items",
    .columns = {{STR("table"), "table", SHOWN_TEXT},
                {STR("column"), "column", SHOWN_TEXT},
                {STR("type"), "type", SHOWN_TEXT},
                {STR("comment"), "comment", SHOWN_TEXT}},
    .nothing = "There is no such column.\n",
};

static const struct answer_view found_view = {
    .list = "items",
    .columns = {{STR("table"), "dataset.id", SHOWN_KEY},
                {STR("column"), "column", SHOWN_TEXT},
                {STR("kind"), "dataset.kind", SHOWN_TEXT},
                {STR("heat"), "dataset.heat", SHOWN_TEXT},
                {STR("comment"), "dataset.comment", SHOWN_TEXT},
                {STR("column's comment"), "column_comment", SHOWN_TEXT}},
};

static const struct answer_view diff_view = {
    .list = "edges",
    .columns = {{STR("change"), "change", SHOWN_TEXT},
                {STR("source"), "source", SHOWN_KEY},
                {STR("target"), "target", SHOWN_KEY},
                {STR("runs"), "runs", SHOWN_TEXT},
                {STR("last run"), "last_run", SHOWN_DAY}},
    .unless = "kept",
    .nothing = "Nothing was added, and nothing is gone.\n",
};

static const struct answer_view checks_view = {
    .list = "items",
    .columns = {{STR("status"), "status", SHOWN_TEXT},
                {STR("table"), "dataset", SHOWN_KEY},
                {STR("column"), "column", SHOWN_TEXT},
                {STR("check"), "check", SHOWN_TEXT},
                {STR("time"), "time", SHOWN_TIME},
                {STR("message"), "message", SHOWN_TEXT}},
    .nothing = "There is no such result of a check.\n",
};

static const struct answer_view hit_view = {
    .list = "items",
    .columns = {{STR("level"), "level", SHOWN_TEXT},
                {STR("table"), "dataset.name", SHOWN_TEXT},
                {STR("columns"), "columns", SHOWN_LIST},
                {STR("owner"), "dataset.owner", SHOWN_TEXT},
                {STR("written by"), "writers", SHOWN_LIST},
                {STR("read by"), "readers", SHOWN_LIST}},
};

static const struct question hit_question = {.path = "/api/v1/who-is-hit",
                                             .wanted = "who is hit by which table?",
                                             .view = &hit_view};
static const struct question unread_question = {.path = "/api/v1/unread", .view = &use_view};
static const struct question dead_columns_question = {.path = "/api/v1/dead-columns",
                                                      .view = &column_view};

static const struct question heat_question = {
    .command = "heat",
    .help = "usage: colline heat --store FILE|ADDRESS [OPTION]...\n\n"
            "Tables by use in the last 30 days: a read counts 1.0, a write 0.6.\n\n"
            "      --store FILE|ADDRESS  the store: a file, or postgresql://..\n"
            "      --unread           only tables that nobody read, those that were written most "
            "first\n"
            "      --dead-columns     columns that nobody read in those days, of tables that were "
            "read\n"
            "      --database NAME    only of this database\n"
            "      --namespace NAME   only of this metastore\n"
            "      --limit N          so many (default: 50)\n"
            "      --format table|json|csv  (default: table)\n"
            "  -h, --help             this text\n\n"
            "Exit status: 0 done, 2 wrong use, 3 a failure.\n",
    .path = "/api/v1/heat",
    .parameters = {{"database", "database", false, NULL, TO_BOTH},
                   {"namespace", "namespace", false, NULL, TO_BOTH},
                   {"limit", "limit", false, NULL, TO_BOTH},
                   {"unread", NULL, true, &unread_question, TO_BOTH},
                   {"dead-columns", NULL, true, &dead_columns_question, TO_BOTH}},
    .view = &use_view,
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
    .parameters = {{"type", "type", false, NULL, TO_BOTH},
                   {"database", "database", false, NULL, TO_BOTH},
                   {"namespace", "namespace", false, NULL, TO_BOTH},
                   {"offline", "offline", true, NULL, TO_BOTH},
                   {"limit", "limit", false, NULL, TO_BOTH}},
    .view = &found_view,
    .csv = true,
    .must_find = true,
};

static const struct question checks_question = {
    .command = "checks",
    .help =
        "usage: colline checks --store FILE|ADDRESS [OPTION]... [TABLE]\n"
        "       colline checks --store FILE|ADDRESS --hit [--column NAME] [OPTION]... TABLE\n\n"
        "The newest results of checks of data, of a table or of all; the worst first, then the "
        "newest. Or who is hit where the data of\n"
        "a table or column is wrong: the tables downstream, with who keeps and who reads them.\n\n"
        "      --store FILE|ADDRESS  the store: a file, or postgresql://..\n"
        "      --status pass|warn|fail  only these\n"
        "      --database NAME    only of this database\n"
        "      --hit              who is hit\n"
        "      --column NAME      along this column only\n"
        "      --offline          dropped tables, too\n"
        "      --namespace NAME   only of this metastore\n"
        "      --limit N          so many (default: 50)\n"
        "      --format table|json|csv  (default: table)\n"
        "  -h, --help             this text\n\n"
        "Exit status: 0 done, 1 there is no such table, 2 wrong use, 3 a failure.\n",
    .path = "/api/v1/checks",
    .subject = "name",
    .parameters = {{"status", "status", false, NULL, TO_FIRST},
                   {"database", "database", false, NULL, TO_FIRST},
                   {"hit", NULL, true, &hit_question, TO_BOTH},
                   {"column", "column", false, NULL, TO_OTHER},
                   {"offline", "offline", true, NULL, TO_OTHER},
                   {"namespace", "namespace", false, NULL, TO_BOTH},
                   {"limit", "limit", false, NULL, TO_BOTH}},
    .view = &checks_view,
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
    .parameters = {{"from", "from", false, NULL, TO_BOTH},
                   {"to", "to", false, NULL, TO_BOTH},
                   {"direction", "direction", false, NULL, TO_BOTH},
                   {"depth", "depth", false, NULL, TO_BOTH},
                   {"namespace", "namespace", false, NULL, TO_BOTH},
                   {"indirect", "indirect", true, NULL, TO_BOTH}},
    .view = &diff_view,
};

struct asking {
    const struct question *question; /* whose options are read */
    const struct question *asked;    /* that one, or the one that an option put in its place */
    const char *only[TO_OTHER + 1];  /* an option that was given and belongs to one of them */
    struct store_call call;
    bool help;
};

/* ---- options ---- */

static int take_format(struct asking *a, const char *value)
{
    static const char *const names[] = {"table", "json", "csv"};
    for (int i = 0; i < (a->question->csv ? 3 : 2); i++) {
        if (strcmp(value, names[i]) == 0) {
            a->call.format = (enum answer_format)i;
            return STATUS_DONE;
        }
    }
    return wrong_use(a->question->command, "--format %s: there are table%s", value,
                     a->question->csv ? ", json and csv" : " and json");
}

static int take_option(struct asking *a, int option)
{
    if (option == OPTION_STORE)
        a->call.store = optarg;
    else if (option == OPTION_FORMAT)
        return take_format(a, optarg);
    else if (option == 'h')
        a->help = true;
    else if (option < OPTION_PARAMETER)
        return more_help(a->question->command);
    if (option < OPTION_PARAMETER)
        return STATUS_DONE;
    const struct parameter *parameter = &a->question->parameters[option - OPTION_PARAMETER];
    a->only[parameter->belongs] = parameter->option;
    if (parameter->instead != NULL)
        a->asked = parameter->instead;
    else
        store_call_add(&a->call, parameter->name, parameter->flag ? STR("true") : str_of(optarg));
    return STATUS_DONE;
}

/* Whether the options belong to the question that is asked. */
static int check_options(const struct asking *a)
{
    bool other = a->asked != a->question;
    const char *wrong = a->only[other ? TO_FIRST : TO_OTHER];
    if (wrong == NULL)
        return STATUS_DONE;
    for (const struct parameter *p = a->question->parameters; p->option != NULL; p++)
        if (p->instead != NULL)
            return wrong_use(a->question->command, "--%s does not go %s --%s", wrong,
                             other ? "with" : "without", p->option);
    return STATUS_DONE;
}

static int read_options(struct asking *a, int argc, char **argv)
{
    const struct question *question = a->question;
    struct option options[PARAMETERS_MOST + 4] = {
        {"store", required_argument, NULL, OPTION_STORE},
        {"format", required_argument, NULL, OPTION_FORMAT},
        {"help", no_argument, NULL, 'h'}};
    int status = STATUS_DONE;
    for (int i = 0; i < PARAMETERS_MOST && question->parameters[i].option != NULL; i++)
        options[3 + i] =
            (struct option){question->parameters[i].option,
                            question->parameters[i].flag ? no_argument : required_argument, NULL,
                            OPTION_PARAMETER + i};
    for (int option;
         status == STATUS_DONE && (option = getopt_long(argc, argv, "h", options, NULL)) != -1;)
        status = take_option(a, option);
    if (status != STATUS_DONE || a->help)
        return status;
    if (a->call.store == NULL)
        return wrong_use(question->command, "which store? `--store FILE` or an address");
    if (check_options(a) != STATUS_DONE)
        return STATUS_USAGE;
    if (a->asked->wanted != NULL && optind == argc)
        return wrong_use(question->command, "%s", a->asked->wanted);
    if (question->subject != NULL && optind < argc)
        store_call_add(&a->call, question->subject, str_of(argv[optind++]));
    return optind == argc ? STATUS_DONE
                          : wrong_use(question->command, "`%s` is too much", argv[optind]);
}

static int command(const struct question *question, int argc, char **argv)
{
    struct asking a = {.question = question, .asked = question};
    size_t rows = 1;
    int status = read_options(&a, argc, argv);
    if (status != STATUS_DONE)
        return status;
    if (a.help) {
        fputs(question->help, stdout);
        return STATUS_DONE;
    }
    a.call.path = a.asked->path;
    status = store_call_print(&a.call, a.asked->view, &rows);
    return status == STATUS_DONE && question->must_find && rows == 0 ? STATUS_PARTLY : status;
}

int cmd_heat(int argc, char **argv)
{
    return command(&heat_question, argc, argv);
}

int cmd_search(int argc, char **argv)
{
    return command(&search_question, argc, argv);
}

int cmd_checks(int argc, char **argv)
{
    return command(&checks_question, argc, argv);
}

int cmd_diff(int argc, char **argv)
{
    return command(&diff_question, argc, argv);
}
