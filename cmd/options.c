/* The options that several commands share. */
#include "options.h"

#include <stdlib.h>

const char common_help[] =
    "  -d, --dialect hive|impala   for all scripts; else .hql is Hive, .impala.sql and folders\n"
    "                              named impala are Impala, and anything else is taken for Hive\n"
    "  -c, --catalog FILE          tables known beforehand: DDL, a saved catalog, or a folder of\n"
    "                              them; may be repeated\n"
    "      --database DB           where unqualified names live at first (default: default)\n"
    "      --define NAME=VALUE     value of the variable ${NAME}; may be repeated\n"
    "      --reading value|engine  what the text means (default), or what the engine would log\n"
    "  -h, --help                  this text\n";

static int take_define(struct options *options, const char *value)
{
    str_t text = str_of(value);
    size_t sign = str_find(text, '=', 0);
    if (sign == 0 || sign == text.len)
        return wrong_use(options->command, "--define %s: NAME=VALUE is wanted", value);
    options->defines = need_grow(options->defines, options->define_count + 1, sizeof *options->defines);
    options->defines[options->define_count++] =
        (struct define){str_make(value, sign), str_make(value + sign + 1, text.len - sign - 1)};
    return STATUS_DONE;
}

static int take_reading(struct options *options, const char *value)
{
    options->reading_given = true;
    if (strcmp(value, "value") == 0)
        options->reading = COLLINE_READING_VALUE;
    else if (strcmp(value, "engine") == 0)
        options->reading = COLLINE_READING_ENGINE;
    else
        return wrong_use(options->command, "--reading %s: there are value and engine", value);
    return STATUS_DONE;
}

static int take_dialect(struct options *options, const char *value)
{
    options->dialect.given = dialect_by_name(str_of(value), &options->dialect.dialect);
    if (!options->dialect.given)
        return wrong_use(options->command, "-d %s: unknown dialect, there are hive and impala", value);
    return STATUS_DONE;
}

static int take_catalog(struct options *options, const char *value)
{
    options->catalog_values = need_grow(options->catalog_values, options->catalog_count + 1, sizeof *options->catalog_values);
    options->catalog_values[options->catalog_count++] = value;
    return STATUS_DONE;
}

int options_take(struct options *options, int option, const char *value)
{
    switch (option) {
    case 'd':
        return take_dialect(options, value);
    case 'c':
        return take_catalog(options, value);
    case OPTION_DATABASE:
        options->database = str_of(value);
        return STATUS_DONE;
    case OPTION_DEFINE:
        return take_define(options, value);
    case OPTION_READING:
        return take_reading(options, value);
    default:
        return more_help(options->command); /* getopt has said what is wrong */
    }
}

void options_ready(struct options *options)
{
    options->catalogs = catalogs_new(options->dialect);
    for (size_t i = 0; i < options->catalog_count; i++)
        catalogs_add(options->catalogs, options->catalog_values[i]);
}

void options_release(struct options *options)
{
    if (options->catalogs != NULL)
        catalogs_free(options->catalogs);
    free(options->catalog_values);
    free(options->defines);
}

colline_analyzer *options_analyzer(const struct options *options, const colline_catalog *catalog)
{
    colline_analyzer *an = need(colline_analyzer_new(catalog, 0));
    colline_set_reading(an, options->reading);
    return an;
}
