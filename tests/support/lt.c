/* Reading .lt files, line by line: a case has three parts between lines of dashes. */
#include "support/lt.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

enum part {
    PART_COMMON,
    PART_OPTIONS,
    PART_SQL,
    PART_EXPECTED
};

static bool starts_with(const char *line, const char *prefix)
{
    return strncmp(line, prefix, strlen(prefix)) == 0;
}

static struct lt_case *new_case(struct lt_file *file, const char *line, size_t len, size_t number, const struct text *common)
{
    file->cases = realloc(file->cases, (file->count + 1) * sizeof *file->cases);
    struct lt_case *lt = file->cases == NULL ? NULL : &file->cases[file->count++];
    if (lt == NULL)
        err(3, "%s", file->path);
    *lt = (struct lt_case){.line = number};
    text_add(&lt->common, common->ptr, common->len);
    const char *end = memchr(line, '[', len);
    size_t title = end == NULL ? len : (size_t)(end - line);
    while (title > 4 && line[title - 1] == ' ')
        title--;
    lt->title = strndup(line + 4, title - 4);
    lt->impala = end != NULL && memmem(end, len - title, "impala", 6) != NULL;
    lt->hive = end == NULL || memmem(end, len - title, "hive", 4) != NULL;
    return lt;
}

static struct text *part_text(struct lt_case *lt, struct text *common, enum part part)
{
    if (lt == NULL || part == PART_COMMON)
        return common;
    return part == PART_OPTIONS ? &lt->options : part == PART_SQL ? &lt->sql : &lt->expected;
}

/* The blank line before the next title belongs to neither. */
static void trim_end(struct lt_file *file, struct lt_case *lt)
{
    if (lt == NULL)
        return;
    while (lt->expected.len > 1 && lt->expected.ptr[lt->expected.len - 2] == '\n')
        lt->expected.ptr[--lt->expected.len] = '\0';
    if (lt->expected.len == 1)
        lt->expected.len = 0;
    if (lt->sql.len > 0 && lt->sql.ptr[lt->sql.len - 1] == '\n')
        lt->sql.ptr[--lt->sql.len] = '\0';
    if (lt->start == 0)
        errx(3, "%s:%zu: a case has options, SQL and an expectation, with --- between", file->path, lt->line);
    lt->end = lt->start + lt->expected.len;
}

struct lt_file lt_read(const char *path)
{
    struct lt_file file = {.path = strdup(path), .text = text_of_file(path)};
    struct text common = {0};
    struct lt_case *lt = NULL;
    enum part part = PART_COMMON;
    size_t number = 0;
    for (size_t at = 0, next; at < file.text.len; at = next) {
        const char *line = file.text.ptr + at;
        const char *newline = memchr(line, '\n', file.text.len - at);
        next = newline == NULL ? file.text.len : (size_t)(newline - file.text.ptr) + 1;
        number++;
        if (starts_with(line, "=== ")) {
            trim_end(&file, lt);
            lt = new_case(&file, line, next - at - (newline != NULL), number, &common);
            part = PART_OPTIONS;
        } else if (starts_with(line, "---\n") && (part == PART_OPTIONS || part == PART_SQL)) {
            part = part == PART_OPTIONS ? PART_SQL : PART_EXPECTED;
            lt->start = part == PART_EXPECTED ? next : 0;
        } else {
            text_add(part_text(lt, &common, part), line, next - at);
        }
    }
    trim_end(&file, lt);
    text_free(&common);
    return file;
}

void lt_free(struct lt_file *file)
{
    for (size_t i = 0; i < file->count; i++) {
        struct lt_case *lt = &file->cases[i];
        free(lt->title);
        text_free(&lt->common);
        text_free(&lt->options);
        text_free(&lt->sql);
        text_free(&lt->expected);
    }
    free(file->cases);
    text_free(&file->text);
    free(file->path);
    *file = (struct lt_file){0};
}

/* ---- options ---------------------------------------------------------------------------------------------------- */

static void each_line(const struct text *text, void (*use)(void *context, const char *word, const char *rest), void *context)
{
    char *copy = strndup(text->len == 0 ? "" : text->ptr, text->len), *state = NULL;
    if (copy == NULL)
        err(3, "options");
    for (char *line = strtok_r(copy, "\n", &state); line != NULL; line = strtok_r(NULL, "\n", &state)) {
        if (*line == '#')
            continue;
        char *rest = strchr(line, ' ');
        if (rest != NULL)
            *rest++ = '\0';
        use(context, line, rest == NULL ? "" : rest);
    }
    free(copy);
}

void lt_each_option(const struct lt_case *lt, void (*use)(void *context, const char *word, const char *rest), void *context)
{
    each_line(&lt->common, use, context);
    each_line(&lt->options, use, context);
}

struct wanted {
    const char *word, *rest;
    bool found;
};

static void look(void *context, const char *word, const char *rest)
{
    struct wanted *wanted = context;
    wanted->found = wanted->found || (strcmp(word, wanted->word) == 0 && strcmp(rest, wanted->rest) == 0);
}

bool lt_has_option(const struct lt_case *lt, const char *word, const char *rest)
{
    struct wanted wanted = {word, rest, false};
    lt_each_option(lt, look, &wanted);
    return wanted.found;
}
