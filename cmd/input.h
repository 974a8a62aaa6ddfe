/* Files and folders that a person names → scripts to read, in order, each with its dialect. */
#ifndef COLLINE_CMD_INPUT_H
#define COLLINE_CMD_INPUT_H

#include "cmd.h"

struct input {
    char *path;      /* `-` for standard input */
    char *root;      /* folder that sourced files must lie in */
    colline_dialect dialect;
    bool guessed;    /* neither an option nor the name tells the dialect */
};

struct inputs {
    struct input *items;
    size_t count, capacity;
    bool partly;     /* something named could not be read */
};

/* The dialect that an option gave, or none. */
struct dialect_choice {
    bool given;
    colline_dialect dialect;
};

/* The dialect by the file's name; false, and Hive, where the name does not tell. */
bool dialect_of_path(const char *path, colline_dialect *dialect);

/*
 * Adds a file, `-`, or all scripts (.sql .hql .q .ddl .sh; where `data`, .json .jsonl too) of a folder and its subfolders, sorted by
 * name. What cannot be read is complained of.
 */
void inputs_add(struct inputs *inputs, const char *path, struct dialect_choice choice, bool data);
void inputs_release(struct inputs *inputs);

/* All of a file, or of standard input; false with *reason (static or from strerror). The text is the caller's to free. */
bool read_file(const char *path, char **text, size_t *len, const char **reason);

/* Whether the text holds JSON: its first byte that is no blank is a bracket. */
bool looks_like_json(str_t text);

#endif
