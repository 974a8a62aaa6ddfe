/* colline web: the page and the interface for programs over a store that others write. */
#include "cmd.h"
#include "service.h"
#include "settings.h"

#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

static const char help_text[] =
    "usage: colline web --store FILE|ADDRESS [OPTION]...\n\n"
    "Serves the data map and the interface /api/v1 over a store; it reads only.\n\n"
    "      --store FILE|ADDRESS  the store: a file, or postgresql://..\n"
    "      --port N           instead of the configuration's http.port\n"
    "  -c, --config FILE      the configuration; else $COLLINE_CONFIG, /etc/colline/colline.yaml\n"
    "  -h, --help             this text\n\n"
    "/metrics, /healthz and /readyz are answered too. On an address that other machines can reach /api/v1 asks for tokens.\n"
    "SIGTERM and SIGINT stop it. Exit status: 0 done, 2 wrong use or configuration, 3 a failure.\n";

enum { OPTION_STORE = 256, OPTION_PORT };

static const struct option long_options[] = {{"store", required_argument, NULL, OPTION_STORE},
                                             {"port", required_argument, NULL, OPTION_PORT},
                                             {"config", required_argument, NULL, 'c'},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

struct choices {
    const char *store, *config;
    long port;
    bool help;
};

static int take_port(struct choices *choices, const char *value)
{
    char *end;
    choices->port = strtol(value, &end, 10);
    if (end == value || *end != '\0' || choices->port < 1 || choices->port > 65535)
        return wrong_use("web", "--port %s: a number from 1 to 65535 is wanted", value);
    return STATUS_DONE;
}

static int read_options(int argc, char **argv, struct choices *choices)
{
    int status = STATUS_DONE;
    for (int option; status == STATUS_DONE && (option = getopt_long(argc, argv, "c:h", long_options, NULL)) != -1;) {
        if (option == OPTION_STORE)
            choices->store = optarg;
        else if (option == OPTION_PORT)
            status = take_port(choices, optarg);
        else if (option == 'c')
            choices->config = optarg;
        else if (option == 'h')
            choices->help = true;
        else
            return more_help("web");
    }
    if (status != STATUS_DONE || choices->help)
        return status;
    if (choices->store == NULL)
        return wrong_use("web", "which store? `--store FILE` or an address");
    return optind == argc ? STATUS_DONE : wrong_use("web", "`%s` is too much", argv[optind]);
}

static int serve(struct service *s)
{
    if (!service_open_stateless(s) || s->http == NULL)
        return STATUS_FAILED;
    fprintf(stderr, "http://%.*s:%u/\n", (int)s->config.http.address.len, s->config.http.address.ptr, (unsigned)http_port(s->http));
    struct pollfd stop = {.fd = s->stop.descriptor, .events = POLLIN};
    while (!stop_asked(&s->stop))
        (void)poll(&stop, 1, 1000);
    return STATUS_DONE;
}

int cmd_web(int argc, char **argv)
{
    struct choices choices = {0};
    int status = read_options(argc, argv, &choices);
    if (status != STATUS_DONE)
        return status;
    if (choices.help) {
        fputs(help_text, stdout);
        return STATUS_DONE;
    }
    struct service *s = service_new("web");
    s->store = choices.store;
    status = settings_read_or_default(&s->config, choices.config);
    if (choices.port > 0)
        s->config.http.port = choices.port;
    if (status == STATUS_DONE && s->config.http.port == 0)
        status = wrong_use("web", "http.port is 0: nothing would be served");
    if (status == STATUS_DONE)
        status = serve(s);
    service_free(s);
    return status;
}
