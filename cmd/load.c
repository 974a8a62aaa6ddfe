/* colline load: events, documents and catalogs into the store. */
#include "cmd.h"
#include "input.h"
#include "line_feed.h"
#include "load_topic.h"

#include "load/documents.h"
#include "load/lines.h"
#include "store/upkeep.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static const char help_text[] =
    "usage: colline load --store FILE|ADDRESS --from FILE|- [OPTION]...\n"
    "       colline load --store FILE|ADDRESS --documents FILE|- [OPTION]...\n"
    "       colline load --store FILE|ADDRESS --catalog FILE... [OPTION]...\n"
    "       colline load [-c FILE] [--store FILE|ADDRESS]\n\n"
    "Loads events, as `colline normalize` writes them, and results of checks of data into the store. Each may be loaded any number of\n"
    "times, in any order: the store is the same. Also documents of `colline lineage --format jsonl` for scripts, whose statements count as\n"
    "seen in a script until they are seen to run, and catalogs, which tell columns, types and comments. Without any of these it is a\n"
    "service: a member of the consumer group of the configuration, that loads the normalised topic; any number of them share the work.\n\n"
    "      --store FILE|ADDRESS  the store: a file, made when there is none, or postgresql://..\n"
    "      --from FILE|-      events and results of checks, one JSON object a line\n"
    "      --documents FILE|-  lineage documents, one a line\n"
    "      --catalog FILE     DDL or a saved catalog; any number of times\n"
    "      --namespace NAME   of documents, catalogs, and checks that name none; `default` unless told, but for\n"
    "                         checks into a store of one metastore: that\n"
    "  -c, --config FILE      the configuration of the service; else $COLLINE_CONFIG, /etc/colline/colline.yaml\n"
    "  -h, --help             this text\n\n"
    "Exit status: 0 done, 1 done with lines that cannot be read, 2 wrong use, 3 a failure.\n";

enum {
    OPTION_STORE = 256,
    OPTION_FROM,
    OPTION_DOCUMENTS,
    OPTION_CATALOG,
    OPTION_NAMESPACE,
    CATALOGS_MAX = 64,
    CACHE_BYTES = 256 << 20
};

static const struct option long_options[] = {{"store", required_argument, NULL, OPTION_STORE},
                                             {"from", required_argument, NULL, OPTION_FROM},
                                             {"documents", required_argument, NULL, OPTION_DOCUMENTS},
                                             {"catalog", required_argument, NULL, OPTION_CATALOG},
                                             {"namespace", required_argument, NULL, OPTION_NAMESPACE},
                                             {"config", required_argument, NULL, 'c'},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

struct choices {
    const char *store, *from, *documents, *name_space, *config;
    const char *catalogs[CATALOGS_MAX];
    size_t catalog_count;
    bool help;
};

/* Nothing says what else to load: the topic. */
static bool is_service(const struct choices *choices)
{
    return choices->from == NULL && choices->documents == NULL && choices->catalog_count == 0;
}

static int read_options(int argc, char **argv, struct choices *choices)
{
    for (int option; (option = getopt_long(argc, argv, "c:h", long_options, NULL)) != -1;) {
        switch (option) {
        case OPTION_STORE:
            choices->store = optarg;
            break;
        case OPTION_FROM:
            choices->from = optarg;
            break;
        case OPTION_DOCUMENTS:
            choices->documents = optarg;
            break;
        case OPTION_CATALOG:
            if (choices->catalog_count == CATALOGS_MAX)
                return wrong_use("load", "more than %d catalogs", CATALOGS_MAX);
            choices->catalogs[choices->catalog_count++] = optarg;
            break;
        case OPTION_NAMESPACE:
            choices->name_space = optarg;
            break;
        case 'c':
            choices->config = optarg;
            break;
        case 'h':
            choices->help = true;
            break;
        default:
            return more_help("load");
        }
    }
    if (choices->help)
        return STATUS_DONE;
    if (optind < argc)
        return wrong_use("load", "`%s` is too much", argv[optind]);
    if (choices->store == NULL && !is_service(choices))
        return wrong_use("load", "--store says where to");
    return STATUS_DONE;
}

/* ---- loading ---------------------------------------------------------------------------------------------------- */

struct loading {
    const struct choices *choices;
    struct store *store;
    struct applier *applier;
    struct line_loader *lines;
    struct log *log;
    uint64_t bad;
    struct document_counts documents;
};

static str_t name_space_of_choices(const struct loading *l)
{
    return str_of(l->choices->name_space == NULL ? "" : l->choices->name_space);
}

static bool take_event(void *context, str_t line, int64_t offset)
{
    (void)offset;
    return line_loader_give(((struct loading *)context)->lines, line);
}

/* Where nothing comes for a second, what was taken is made to last. */
static bool pause_events(void *context, bool silent)
{
    return !silent || line_loader_flush(((struct loading *)context)->lines);
}

/* In a store of one metastore, a check that names none can only be of that. */
static str_t name_space_of_checks(const struct loading *l, struct arena *arena)
{
    return l->choices->name_space == NULL ? store_only_namespace(l->store, arena) : name_space_of_choices(l);
}

static bool load_events(struct loading *l)
{
    struct arena arena;
    arena_init(&arena, 0, NULL);
    const struct line_loader_options options = {
        .applier = l->applier, .log = l->log, .name = l->choices->from, .name_space = name_space_of_checks(l, &arena)};
    l->lines = need(line_loader_new(&options));
    const struct line_feed feed = {.name = l->choices->from, .take = take_event, .pause = pause_events, .context = l};
    bool good = line_feed_run(&feed) == FEED_DONE && line_loader_finish(l->lines);
    struct applier_totals totals = applier_totals(l->applier);
    l->bad += line_loader_unreadable(l->lines) + totals.unreadable;
    line_loader_free(l->lines);
    arena_release(&arena);
    fprintf(stderr, "%llu events, %llu new queries, %llu revised, %llu known, %llu new statements, %llu lines that are no events\n",
            (unsigned long long)totals.events, (unsigned long long)totals.executions, (unsigned long long)totals.revised,
            (unsigned long long)totals.stale, (unsigned long long)totals.lineages, (unsigned long long)l->bad);
    if (totals.checks > 0)
        fprintf(stderr, "%llu results of checks\n", (unsigned long long)totals.checks);
    return good;
}

static bool read_script(void *context, str_t id, struct buf *out)
{
    (void)context;
    const char *reason;
    char *path = need_copy_of(id), *text = NULL;
    size_t len = 0;
    bool good = read_file(path, &text, &len, &reason);
    if (good)
        buf_add(out, str_make(text, len));
    free(text);
    free(path);
    return good;
}

static bool take_document(void *context, str_t line, int64_t offset)
{
    (void)offset;
    struct loading *l = context;
    const struct document_options options = {
        .applier = l->applier,
        .name_space = name_space_of_choices(l),
        .text = read_script,
    };
    line = str_trim(line);
    if (line.len == 0 || document_load(&options, line, &l->documents))
        return true;
    if (applier_message(l->applier).len > 0)
        return false;
    l->bad++;
    return true;
}

static bool pause_documents(void *context, bool silent)
{
    return !silent || applier_commit(((struct loading *)context)->applier);
}

static bool load_documents(struct loading *l)
{
    const struct line_feed feed = {.name = l->choices->documents, .take = take_document, .pause = pause_documents, .context = l};
    bool good = line_feed_run(&feed) == FEED_DONE && applier_commit(l->applier);
    fprintf(stderr, "%llu scripts, %llu statements, %llu lines that are no documents\n", (unsigned long long)l->documents.scripts,
            (unsigned long long)l->documents.statements, (unsigned long long)l->bad);
    return good;
}

static bool load_catalog(struct loading *l, const char *path, uint64_t *tables)
{
    struct buf reason;
    buf_init(&reason, 0);
    bool good = load_catalog_file(l->applier, name_space_of_choices(l), str_of(path), tables, &reason);
    if (!good)
        complain("%.*s", (int)reason.len, reason.ptr);
    buf_release(&reason);
    return good;
}

static bool load_catalogs(struct loading *l)
{
    uint64_t tables = 0;
    bool good = true;
    for (size_t i = 0; i < l->choices->catalog_count && good; i++)
        good = load_catalog(l, l->choices->catalogs[i], &tables);
    fprintf(stderr, "%llu tables of catalogs\n", (unsigned long long)tables);
    return good;
}

static bool load_all(struct loading *l)
{
    bool good = (l->choices->catalog_count == 0 || load_catalogs(l)) && (l->choices->documents == NULL || load_documents(l)) &&
                (l->choices->from == NULL || load_events(l));
    if (!good && applier_message(l->applier).len > 0)
        complain("%s: %.*s", l->choices->store, (int)applier_message(l->applier).len, applier_message(l->applier).ptr);
    struct clock clock = clock_system();
    if (good && !store_heat(l->store, clock_now(&clock))) {
        str_t message = db_message(store_db(l->store));
        complain("%s: %.*s", l->choices->store, (int)message.len, message.ptr);
        return false;
    }
    return good;
}

static int load(const struct choices *choices)
{
    struct buf reason;
    buf_init(&reason, 0);
    struct clock clock = clock_system();
    const struct log_options to_standard_error = {.level = LOG_LEVEL_WARNING};
    struct loading l = {.choices = choices, .log = log_open(&to_standard_error, &clock)};
    const struct store_options options = {.address = str_of(choices->store), .access = DB_CREATE, .cache_bytes = CACHE_BYTES};
    l.store = store_open(&options, &reason);
    bool good = l.store != NULL;
    if (!good)
        complain("%.*s", (int)reason.len, reason.ptr);
    else
        l.applier = need(applier_new(l.store));
    good = good && load_all(&l);
    applier_free(l.applier);
    store_close(l.store);
    log_close(l.log);
    buf_release(&reason);
    return !good ? STATUS_FAILED : l.bad > 0 ? STATUS_PARTLY : STATUS_DONE;
}

int cmd_load(int argc, char **argv)
{
    struct choices choices = {0};
    int status = read_options(argc, argv, &choices);
    if (status != STATUS_DONE)
        return status;
    if (!choices.help)
        return is_service(&choices) ? load_topic(choices.config, choices.store) : load(&choices);
    fputs(help_text, stdout);
    return STATUS_DONE;
}
