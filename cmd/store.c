/* colline store: looks after the store. */
#include "cmd.h"

#include "store/dump.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char help_text[] =
    "usage: colline store dump --canonical --store FILE|ADDRESS\n\n"
    "Prints the store as JSON lines in which identifiers and times of loading do not show: two stores that were loaded with the same events give the\n"
    "same bytes.\n\n"
    "      --store FILE|ADDRESS  the store: a file, or postgresql://..\n"
    "      --canonical        the only form that there is\n"
    "  -h, --help             this text\n\n"
    "Exit status: 0 done, 2 wrong use, 3 a failure.\n";

enum {
    OPTION_STORE = 256,
    OPTION_CANONICAL
};

static const struct option long_options[] = {{"store", required_argument, NULL, OPTION_STORE},
                                             {"canonical", no_argument, NULL, OPTION_CANONICAL},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

static bool print(void *context, str_t line)
{
    struct buf *lines = context;
    buf_add(lines, line);
    if (lines->len > 1 << 16) {
        write_stdout(buf_str(lines));
        buf_clear(lines);
    }
    return !lines->failed;
}

static int dump(struct store *store)
{
    struct buf lines;
    buf_init(&lines, 0);
    bool good = store_dump(store, print, &lines);
    write_stdout(buf_str(&lines));
    buf_release(&lines);
    if (!good)
        complain("%.*s", (int)db_message(store_db(store)).len, db_message(store_db(store)).ptr);
    return good ? STATUS_DONE : STATUS_FAILED;
}

static int with_store(const char *address, int (*act)(struct store *store))
{
    struct buf reason;
    buf_init(&reason, 0);
    const struct store_options options = {.address = str_of(address), .access = DB_READ, .cache_bytes = 128 << 20};
    struct store *store = store_open(&options, &reason);
    int status = STATUS_FAILED;
    if (store == NULL)
        complain("%.*s", (int)reason.len, reason.ptr);
    else
        status = act(store);
    store_close(store);
    buf_release(&reason);
    return status;
}

int cmd_store(int argc, char **argv)
{
    const char *address = NULL;
    bool canonical = false;
    for (int option; (option = getopt_long(argc, argv, "h", long_options, NULL)) != -1;) {
        switch (option) {
        case OPTION_STORE:
            address = optarg;
            break;
        case OPTION_CANONICAL:
            canonical = true;
            break;
        case 'h':
            fputs(help_text, stdout);
            return STATUS_DONE;
        default:
            return more_help("store");
        }
    }
    if (optind + 1 != argc || strcmp(argv[optind], "dump") != 0)
        return wrong_use("store", "`dump` is what there is to do");
    if (address == NULL || !canonical)
        return wrong_use("store", "dump needs --store and --canonical");
    return with_store(address, dump);
}
