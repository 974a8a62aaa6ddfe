/* Two passes over the scripts: what they create, then what they move. */
#include "survey.h"

#include "base/buf.h"
#include "document.h"
#include "script.h"

#include <stdlib.h>

void survey_init(struct survey *survey)
{
    *survey = (struct survey){.broken = 0};
    facts_init(&survey->facts);
}

void survey_release(struct survey *survey)
{
    facts_release(&survey->facts);
}

static char *name_of_input(const struct input *input, size_t cut, const char *prefix)
{
    return prefix == NULL ? need_copy(input->path) : need_format("%s%s", prefix, input->path + cut);
}

/* Catalogs of the options, then whatever the scripts create; their mistakes are told in the second pass. */
static colline_catalog *collect_tables(struct survey *survey, const struct options *options, const struct inputs *inputs)
{
    colline_catalog *catalog = need(colline_catalog_new(0));
    for (size_t i = 0; i < options->catalog_count; i++)
        if (!catalog_read(catalog, options->catalog_values[i], options->dialect))
            survey->partly = true;
    for (size_t i = 0; i < inputs->count; i++) {
        char *text;
        size_t len;
        const char *reason;
        if (strcmp(inputs->items[i].path, "-") == 0 || !read_file(inputs->items[i].path, &text, &len, &reason))
            continue;
        if (is_shell_script(inputs->items[i].path, str_make(text, len)))
            catalog_read_shell(catalog, str_make(text, len));
        else if (!looks_like_json(str_make(text, len)))
            colline_catalog_add_ddl(catalog, text, len, inputs->items[i].dialect, NULL);
        free(text);
    }
    return catalog;
}

static void see(void *context, colline_analyzer *an, str_t file, const colline_statement *st)
{
    struct survey *survey = context;
    facts_add(&survey->facts, an, file, st);
}

static void read_script(struct survey *survey, colline_analyzer *an, const struct options *options, const struct input *input,
                        const char *name, str_t text)
{
    struct script script = {
        .id = str_of(name),
        .path = strcmp(input->path, "-") == 0 ? NULL : input->path,
        .root = input->root,
        .text = text,
        .database = options->database,
        .dialect = input->dialect,
    };
    struct script_sink sink = {.see = see, .see_context = survey, .report = !survey->quiet};
    struct buf messages;
    buf_init(&messages, 0);
    struct script_result result = script_run(an, options, &script, &sink, &messages);
    write_all(2, buf_str(&messages));
    buf_release(&messages);
    if (result.status != COLLINE_OK)
        need(NULL);
    survey->broken += result.broken;
}

static void read_input(struct survey *survey, colline_analyzer *an, const struct options *options, const struct input *input,
                       const char *name)
{
    char *text;
    size_t len;
    const char *reason;
    if (!read_file(input->path, &text, &len, &reason)) {
        complain("%s: %s", input->path, reason);
        survey->partly = true;
        return;
    }
    if (!looks_like_json(str_make(text, len)))
        read_script(survey, an, options, input, name, str_make(text, len));
    else if (!document_add(&survey->facts, input->path, str_make(text, len)))
        survey->partly = true;
    free(text);
}

void survey_read(struct survey *survey, const struct options *options, const struct inputs *inputs, size_t cut, const char *prefix)
{
    colline_catalog *catalog = collect_tables(survey, options, inputs);
    colline_analyzer *an = options_analyzer(options, catalog);
    for (size_t i = 0; i < inputs->count; i++) {
        char *name = name_of_input(&inputs->items[i], cut, prefix);
        read_input(survey, an, options, &inputs->items[i], name);
        free(name);
    }
    survey->partly |= inputs->partly || survey->broken > 0;
    colline_analyzer_free(an);
    colline_catalog_free(catalog);
}
