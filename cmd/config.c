/* colline config: checks a configuration file, or prints it with all that it leaves to the
 * defaults. */
#include "cmd.h"
#include "settings.h"

#include <getopt.h>
#include <stdio.h>

static const char help_text[] =
    "usage: colline config check [-c FILE]\n"
    "       colline config print [-c FILE | --reference]\n\n"
    "`check` tells every mistake of the configuration with its line and column. `print` shows all "
    "keys with the values in\n"
    "force, defaults and environment included; secrets are hidden.\n\n"
    "  -c, --config FILE   the file; else $COLLINE_CONFIG, else /etc/colline/colline.yaml\n"
    "      --reference     instead what every key means, as Markdown\n"
    "  -h, --help          this text\n\n"
    "Exit status: 0 good, 2 not.\n";

enum { OPTION_REFERENCE = 256 };

static const struct option long_options[] = {{"config", required_argument, NULL, 'c'},
                                             {"reference", no_argument, NULL, OPTION_REFERENCE},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

struct choices {
    const char *path;
    bool reference;
};

static int check(const struct choices *choices)
{
    struct config config;
    int status = settings_read(&config, choices->path);
    if (status == STATUS_DONE)
        (void)printf("%s: good; clusters: %u, sources: %u\n", settings_path(choices->path),
                     (unsigned)config.clusters.count, (unsigned)config.sources.count);
    config_release(&config);
    return status;
}

static int print(const struct choices *choices)
{
    struct config config;
    struct buf out;
    int status = STATUS_DONE;
    buf_init(&out, 0);
    if (choices->reference) {
        config_write_reference(&out);
    } else {
        status = settings_read(&config, choices->path);
        if (status == STATUS_DONE)
            config_write(&config, &out);
        config_release(&config);
    }
    write_stdout(buf_str(&out));
    buf_release(&out);
    return status;
}

int cmd_config(int argc, char **argv)
{
    struct choices choices = {0};
    for (int option; (option = getopt_long(argc, argv, "c:h", long_options, NULL)) != -1;) {
        switch (option) {
        case 'c':
            choices.path = optarg;
            break;
        case OPTION_REFERENCE:
            choices.reference = true;
            break;
        case 'h':
            (void)fputs(help_text, stdout);
            return STATUS_DONE;
        default:
            return more_help("config");
        }
    }
    if (optind + 1 != argc)
        return wrong_use("config", "expected `check` or `print`");
    if (strcmp(argv[optind], "check") == 0)
        return choices.reference ? wrong_use("config", "--reference belongs to `print`")
                                 : check(&choices);
    if (strcmp(argv[optind], "print") == 0)
        return print(&choices);
    return wrong_use("config", "there is no `config %s`", argv[optind]);
}
