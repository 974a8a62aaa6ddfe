/* colline: the first word names the subcommand, each in a file of its own. */
#include "cmd.h"

#include <signal.h>
#include <stdio.h>

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
};

static const struct command commands[] = {
    {"lineage", cmd_lineage, "lineage of scripts, folders or JSON lines, as documents or for people"},
    {"trace", cmd_trace, "where a column or table comes from, through all given scripts"},
    {"impact", cmd_impact, "what depends on a column or table, through all given scripts"},
    {"catalog", cmd_catalog, "build, show and compare catalogs of tables"},
    {"fingerprint", cmd_fingerprint, "what statements look like without literals, as a hash"},
    {"capture", cmd_capture, "what the clusters log, read and sent on"},
    {"normalize", cmd_normalize, "raw records joined into events, with lineage"},
    {"load", cmd_load, "events, and results of checks, into the store"},
    {"store", cmd_store, "look after the store"},
    {"serve", cmd_serve, "the data map and its interface over a store; with a folder also capture, normalize and load"},
    {"heat", cmd_heat, "tables by their use, over a store"},
    {"search", cmd_search, "tables and columns by any part of name or comment, over a store"},
    {"checks", cmd_checks, "what checks of data said, and who is hit, over a store"},
    {"diff", cmd_diff, "what became of a table's lineage between two days, over a store"},
    {"token", cmd_token, "who may ask the interface from elsewhere"},
    {"config", cmd_config, "check and print the configuration of the services"},
    {"topics", cmd_topics, "check or make the Kafka topics"},
    {"replay", cmd_replay, "take what was invalid once more"},
    {"doctor", cmd_doctor, "what stands in the way of the services, and what to do"},
};

enum {
    COMMAND_COUNT = sizeof commands / sizeof commands[0]
};

static int help(FILE *out)
{
    fputs("Colline: table and column lineage of Hive and Impala SQL.\n\n"
          "usage: colline COMMAND [OPTION]... [ARGUMENT]...\n\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-12s %s\n", commands[i].name, commands[i].summary);
    fputs("\n`colline COMMAND --help` tells a command's options. `colline --version` tells the version.\n"
          "Exit status: 0 done; 1 done, but something could not be analysed; 2 wrong use; 3 a failure.\n",
          out);
    return out == stdout ? STATUS_DONE : STATUS_USAGE;
}

/* getopt_long begins its messages with argv[0]. */
static int run(const char *name, int argc, char **argv)
{
    static char program[] = "colline";
    argv[0] = program;
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0)
            return commands[i].run(argc, argv);
    return wrong_use("", "there is no command `%s`", name);
}

/* `help COMMAND` is `COMMAND --help`. */
static int help_of(char *name)
{
    static char option[] = "--help";
    char *arguments[] = {name, option, NULL};
    return run(name, 2, arguments);
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of the write, as a full disk is */
    if (argc < 2)
        return help(stderr);
    if (strcmp(argv[1], "help") == 0 && argc > 2)
        return help_of(argv[2]);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)
        return help(stdout);
    if (strcmp(argv[1], "--version") == 0) {
        printf("colline %s\n", colline_version());
        return STATUS_DONE;
    }
    const char *name = argv[1];
    return run(name, argc - 1, argv + 1);
}
