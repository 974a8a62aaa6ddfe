/*
 * corpus [--update] [--only WORD] PATH..: runs the .lt files below each path and shows where lineage differs from what is expected, as
 * lines with - (expected) and + (found). --update writes what was found into the files, for a person to review as a diff.
 * Ends with `N passed, N failed`.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/run.h"

struct options {
    bool update;
    const char *only; /* cases whose title holds this */
};

struct counts {
    size_t passed, failed;
};

/* Whether `text` has this line. */
static bool has_line(const struct text *text, const char *line, size_t len)
{
    for (size_t at = 0; at < text->len; at += strcspn(text->ptr + at, "\n") + 1) {
        size_t here = strcspn(text->ptr + at, "\n");
        if (here == len && memcmp(text->ptr + at, line, len) == 0)
            return true;
    }
    return false;
}

static void show_lines(const struct text *text, const struct text *other, char sign)
{
    for (size_t at = 0; at < text->len; at += strcspn(text->ptr + at, "\n") + 1) {
        size_t len = strcspn(text->ptr + at, "\n");
        bool common = has_line(other, text->ptr + at, len);
        if (!common)
            printf("    %c %.*s\n", sign, (int)len, text->ptr + at);
    }
}

static void show_difference(const struct lt_file *file, const struct lt_case *lt, const char *dialect, const struct text *found)
{
    printf("FAIL %s:%zu %s [%s]\n", file->path, lt->line, lt->title, dialect);
    show_lines(&lt->expected, found, '-');
    show_lines(found, &lt->expected, '+');
}

static bool check(const struct lt_file *file, const struct lt_case *lt, colline_dialect dialect, struct text *found)
{
    text_free(found);
    *found = run_case(lt, dialect, NULL);
    if (text_equal(found, &lt->expected))
        return true;
    show_difference(file, lt, dialect == COLLINE_HIVE ? "hive" : "impala", found);
    return false;
}

static void write_file(const char *path, const struct text *text)
{
    FILE *out = fopen(path, "wb");
    if (out == NULL || fwrite(text->ptr, 1, text->len, out) != text->len || fclose(out) != 0)
        err(3, "%s", path);
}

static void run_file(const char *path, const struct options *options, struct counts *counts)
{
    struct lt_file file = lt_read(path);
    struct text updated = {0}, found = {0};
    size_t copied = 0;
    for (size_t i = 0; i < file.count; i++) {
        const struct lt_case *lt = &file.cases[i];
        if (options->only != NULL && strstr(lt->title, options->only) == NULL)
            continue;
        bool good = !lt->hive || check(&file, lt, COLLINE_HIVE, &found);
        good = (!lt->impala || check(&file, lt, COLLINE_IMPALA, &found)) && good;
        *(good ? &counts->passed : &counts->failed) += 1;
        text_add(&updated, file.text.ptr + copied, lt->start - copied);
        text_add(&updated, found.ptr, found.len);
        copied = lt->end;
    }
    text_add(&updated, file.text.ptr + copied, file.text.len - copied);
    if (options->update && !text_equal(&updated, &file.text))
        write_file(path, &updated);
    text_free(&updated);
    text_free(&found);
    lt_free(&file);
}

int main(int argc, char **argv)
{
    struct options options = {0};
    struct counts counts = {0};
    int arg = 1;
    for (; arg < argc && argv[arg][0] == '-'; arg++) {
        if (strcmp(argv[arg], "--update") == 0)
            options.update = true;
        else if (strcmp(argv[arg], "--only") == 0 && arg + 1 < argc)
            options.only = argv[++arg];
        else
            errx(2, "usage: corpus [--update] [--only WORD] PATH..");
    }
    for (; arg < argc; arg++) {
        char **files = files_below(argv[arg], ".lt");
        for (size_t i = 0; files[i] != NULL; i++)
            run_file(files[i], &options, &counts);
        files_free(files);
    }
    printf("%zu passed, %zu failed\n", counts.passed, counts.failed);
    return counts.failed == 0 ? 0 : 1;
}
