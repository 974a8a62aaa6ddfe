/*
 * Text for the test programs: a growing string, and whole files. Running out of memory or of files ends the program.
 */
#ifndef COLLINE_TESTS_TEXT_H
#define COLLINE_TESTS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
    char *ptr; /* ends with a NUL that does not count; NULL while empty */
    size_t len, capacity;
};

void text_add(struct text *text, const char *bytes, size_t len);
void text_add_z(struct text *text, const char *z);
void text_add_format(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_free(struct text *text);

/* The same bytes? */
bool text_equal(const struct text *a, const struct text *b);

/* The file's bytes. */
struct text text_of_file(const char *path);

/* Files below a folder whose names end so, sorted; a list of malloc'ed paths ended by NULL. A file stands for itself. */
char **files_below(const char *path, const char *suffix);
void files_free(char **files);

#endif
