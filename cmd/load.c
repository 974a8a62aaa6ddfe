/* colline load: events into the store. */
#include "cmd.h"

#include "load/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char help_text[] =
    "usage: colline load --store FILE|ADDRESS --from FILE|-\n\n"
    "Loads events, as `colline normalize` writes them, into the store. Any event may be loaded any number of times, in any order: the\n"
    "store is the same.\n\n"
    "      --store FILE|ADDRESS  the store: a file, made when there is none, or postgresql://..\n"
    "      --from FILE|-      where events are read from, one JSON object a line\n"
    "  -h, --help             this text\n\n"
    "Exit status: 0 done, 1 done with lines that are no events, 2 wrong use, 3 a failure.\n";

enum {
    OPTION_STORE = 256,
    OPTION_FROM,
    READ_BYTES = 1 << 20,
    LINE_MAX_BYTES = 256 << 20
};

static const struct option long_options[] = {{"store", required_argument, NULL, OPTION_STORE},
                                             {"from", required_argument, NULL, OPTION_FROM},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

struct choices {
    const char *store, *from;
};

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* The whole lines of a buffer; what is left of it moves to its front. */
static bool give_lines(struct line_loader *loader, struct buf *bytes, bool last)
{
    size_t at = 0;
    while (at < bytes->len) {
        const char *end = memchr(bytes->ptr + at, '\n', bytes->len - at);
        if (end == NULL && !last && bytes->len - at < LINE_MAX_BYTES)
            break;
        size_t len = end == NULL ? bytes->len - at : (size_t)(end - bytes->ptr) - at;
        if (!line_loader_give(loader, str_make(bytes->ptr + at, len)))
            return false;
        at += len + (end != NULL);
    }
    memmove(bytes->ptr, bytes->ptr + at, bytes->len - at);
    bytes->len -= at;
    return true;
}

static bool read_all(struct line_loader *loader, int descriptor, const char *name)
{
    struct buf bytes;
    buf_init(&bytes, 0);
    bool good = true, last = false;
    while (good && !last) {
        good = buf_reserve(&bytes, READ_BYTES);
        ssize_t got = good ? read(descriptor, bytes.ptr + bytes.len, READ_BYTES) : -1;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            complain("%s: %s", name, strerror(errno));
        good = got >= 0;
        last = got == 0;
        bytes.len += got > 0 ? (size_t)got : 0;
        good = good && give_lines(loader, &bytes, last);
    }
    buf_release(&bytes);
    return good && line_loader_finish(loader);
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

static int load_lines(const struct choices *choices, struct applier *applier, struct log *log)
{
    bool standard = strcmp(choices->from, "-") == 0;
    int descriptor = standard ? STDIN_FILENO : open(choices->from, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        complain("%s: %s", choices->from, strerror(errno));
        return STATUS_FAILED;
    }
    const struct line_loader_options options = {.applier = applier, .log = log, .name = choices->from};
    struct line_loader *loader = need(line_loader_new(&options));
    bool good = read_all(loader, descriptor, choices->from);
    if (!good && applier_message(applier).len > 0)
        complain("%s: %.*s", choices->store, (int)applier_message(applier).len, applier_message(applier).ptr);
    struct applier_totals totals = applier_totals(applier);
    uint64_t bad = line_loader_unreadable(loader);
    fprintf(stderr, "%llu events, %llu new queries, %llu revised, %llu known, %llu new statements, %llu lines that are no events\n",
            (unsigned long long)totals.events, (unsigned long long)totals.executions, (unsigned long long)totals.revised,
            (unsigned long long)totals.stale, (unsigned long long)totals.lineages, (unsigned long long)bad);
    line_loader_free(loader);
    if (!standard)
        close(descriptor);
    return !good ? STATUS_FAILED : bad + totals.unreadable > 0 ? STATUS_PARTLY : STATUS_DONE;
}

static int load(const struct choices *choices)
{
    struct buf reason;
    buf_init(&reason, 0);
    struct clock clock = clock_system();
    const struct log_options to_standard_error = {.level = LOG_LEVEL_WARNING};
    struct log *log = log_open(&to_standard_error, &clock);
    const struct store_options options = {.address = str_of(choices->store), .access = DB_CREATE, .cache_bytes = 256 << 20};
    struct store *store = store_open(&options, &reason);
    struct applier *applier = store == NULL ? NULL : need(applier_new(store));
    int status = STATUS_FAILED;
    if (store == NULL)
        complain("%.*s", (int)reason.len, reason.ptr);
    else
        status = load_lines(choices, applier, log);
    applier_free(applier);
    store_close(store);
    log_close(log);
    buf_release(&reason);
    return status;
}

int cmd_load(int argc, char **argv)
{
    struct choices choices = {0};
    for (int option; (option = getopt_long(argc, argv, "h", long_options, NULL)) != -1;) {
        switch (option) {
        case OPTION_STORE:
            choices.store = optarg;
            break;
        case OPTION_FROM:
            choices.from = optarg;
            break;
        case 'h':
            fputs(help_text, stdout);
            return STATUS_DONE;
        default:
            return more_help("load");
        }
    }
    if (optind < argc)
        return wrong_use("load", "`%s` is too much", argv[optind]);
    if (choices.store == NULL)
        return wrong_use("load", "--store says where to");
    if (choices.from == NULL)
        return wrong_use("load", "--from says what to load");
    return load(&choices);
}
