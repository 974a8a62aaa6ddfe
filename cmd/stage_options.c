/* One table says which command takes which option. */
#include "stage_options.h"

#include "cmd.h"

#include <getopt.h>
#include <stdlib.h>
#include <time.h>

enum {
    OPTION_DATA = 256,
    OPTION_TO,
    OPTION_FROM_BEGINNING,
    OPTION_SINCE,
    OPTION_ONCE,
    OPTION_STORE,
    OPTION_PORT
};

enum { BOTH = STAGE_CAPTURE | STAGE_SERVE };

static const struct {
    struct option option;
    unsigned commands;
} table[] = {
    {{"data", required_argument, NULL, OPTION_DATA}, STAGE_SERVE},
    {{"config", required_argument, NULL, 'c'}, BOTH},
    {{"to", required_argument, NULL, OPTION_TO}, BOTH},
    {{"from-beginning", no_argument, NULL, OPTION_FROM_BEGINNING}, BOTH},
    {{"since", required_argument, NULL, OPTION_SINCE}, STAGE_CAPTURE},
    {{"once", no_argument, NULL, OPTION_ONCE}, BOTH},
    {{"store", required_argument, NULL, OPTION_STORE}, STAGE_SERVE},
    {{"port", required_argument, NULL, OPTION_PORT}, STAGE_SERVE},
    {{"help", no_argument, NULL, 'h'}, BOTH},
};

enum { TABLE_SIZE = sizeof table / sizeof table[0] };

/* `YYYY-MM-DD[THH:MM[:SS]][Z]`, UTC */
static bool read_time(const char *text, int64_t *ms)
{
    static const char *const forms[] = {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d"};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct tm parts = {0};
        const char *end = strptime(text, forms[i], &parts);
        if (end != NULL && (*end == '\0' || strcmp(end, "Z") == 0)) {
            *ms = (int64_t)timegm(&parts) * 1000;
            return true;
        }
    }
    return false;
}

static bool read_port(const char *text, long *port)
{
    char *end;
    *port = strtol(text, &end, 10);
    return end != text && *end == '\0' && *port >= 1 && *port <= 65535;
}

/* The options of one command, for getopt_long. */
static void options_of(enum stage_command command, struct option *options)
{
    size_t count = 0;
    for (size_t i = 0; i < TABLE_SIZE; i++)
        if (table[i].commands & command)
            options[count++] = table[i].option;
    options[count] = (struct option){0};
}

/* False when getopt has said what is wrong. */
static bool take(int option, struct stage_choices *choices)
{
    switch (option) {
    case OPTION_DATA:
        choices->data = optarg;
        return true;
    case 'c':
        choices->config = optarg;
        return true;
    case OPTION_TO:
        choices->to = optarg;
        return true;
    case OPTION_FROM_BEGINNING:
        choices->from_beginning = true;
        return true;
    case OPTION_ONCE:
        choices->once = true;
        return true;
    case OPTION_STORE:
        choices->store = optarg;
        return true;
    case 'h':
        choices->help = true;
        return true;
    default:
        return false;
    }
}

int stage_choices_read(enum stage_command command, int argc, char **argv, struct stage_choices *choices)
{
    const char *name = command == STAGE_CAPTURE ? "capture" : "serve";
    struct option options[TABLE_SIZE + 1];
    options_of(command, options);
    for (int option; (option = getopt_long(argc, argv, "c:h", options, NULL)) != -1;) {
        if (option == OPTION_SINCE) {
            if (!read_time(optarg, &choices->since_ms))
                return wrong_use(name, "--since wants a time such as 2026-03-15 or 2026-03-15T14:00, not `%s`", optarg);
        } else if (option == OPTION_PORT) {
            if (!read_port(optarg, &choices->port))
                return wrong_use(name, "--port %s: a number from 1 to 65535 is wanted", optarg);
        } else if (!take(option, choices)) {
            return more_help(name);
        }
    }
    return optind == argc ? STATUS_DONE : wrong_use(name, "`%s` is too much", argv[optind]);
}
