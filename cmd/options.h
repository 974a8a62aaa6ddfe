/* Options that lineage, trace and impact share: how SQL is to be read. */
#ifndef COLLINE_CMD_OPTIONS_H
#define COLLINE_CMD_OPTIONS_H

#include "catalogs.h"

#include <getopt.h>

struct define {
    str_t key, value; /* slices of the option */
};

struct options {
    const char *command;
    struct dialect_choice dialect;
    struct catalogs *catalogs; /* made by options_ready */
    const char **catalog_values;
    size_t catalog_count;
    str_t database;
    struct define *defines;
    size_t define_count;
    colline_reading reading;
    bool reading_given;
};

/* Values of getopt_long for the long options without a letter; a command's own begin at OPTION_OWN. */
enum {
    OPTION_DATABASE = 256, OPTION_DEFINE, OPTION_READING, OPTION_HELP, OPTION_OWN
};

#define COMMON_LETTERS "d:c:h"
#define COMMON_OPTIONS                                                                                            \
    {"dialect", required_argument, NULL, 'd'}, {"catalog", required_argument, NULL, 'c'},                           \
        {"database", required_argument, NULL, OPTION_DATABASE}, {"define", required_argument, NULL, OPTION_DEFINE}, \
        {"reading", required_argument, NULL, OPTION_READING}, {"help", no_argument, NULL, 'h'}

/* What --help says of them. */
extern const char common_help[];

/* Takes an option that getopt_long found; STATUS_DONE, or STATUS_USAGE after a complaint. */
int options_take(struct options *options, int option, const char *value);

/* After the last option. */
void options_ready(struct options *options);
void options_release(struct options *options);

/* A new analyzer with all of it. */
colline_analyzer *options_analyzer(const struct options *options, const colline_catalog *catalog);

#endif
