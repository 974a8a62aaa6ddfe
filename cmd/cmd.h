/* What all subcommands share: exit statuses, messages to the person, memory that is there or ends the program. */
#ifndef COLLINE_CMD_H
#define COLLINE_CMD_H

#include "base/str.h"
#include "colline.h"

enum {
    STATUS_DONE = 0,
    STATUS_PARTLY = 1, /* done, with statements or inputs that could not be analysed */
    STATUS_USAGE = 2,
    STATUS_FAILED = 3  /* a failure of ours or of a service */
};

int cmd_lineage(int argc, char **argv);
int cmd_catalog(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_impact(int argc, char **argv);
int cmd_fingerprint(int argc, char **argv);
int cmd_capture(int argc, char **argv);
int cmd_config(int argc, char **argv);
int cmd_normalize(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_topics(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_load(int argc, char **argv);
int cmd_store(int argc, char **argv);
int cmd_heat(int argc, char **argv);
int cmd_search(int argc, char **argv);
int cmd_checks(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_token(int argc, char **argv);
int cmd_doctor(int argc, char **argv);

/* `colline: MESSAGE` and a line break on standard error, in one piece. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, and where help is to be had. Returns STATUS_USAGE. */
int wrong_use(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Only where help is to be had. Returns STATUS_USAGE. */
int more_help(const char *command);

/* Memory, or the end of the program with STATUS_FAILED. */
void *need(void *memory);
void *need_alloc(size_t size);
void *need_grow(void *memory, size_t count, size_t size);
char *need_copy(const char *text);
char *need_copy_of(str_t text);
char *need_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes everything to a file descriptor; false when it cannot. */
bool write_all(int fd, str_t bytes);

/* Ends the program when standard output cannot be written: quietly where nobody reads it any more, else with a message. */
void write_stdout(str_t bytes);

/* `hive` or `impala`; false for anything else. */
bool dialect_by_name(str_t name, colline_dialect *dialect);

/* NULL is an empty text. */
static inline str_t str_of(const char *text)
{
    return text == NULL ? STR("") : str_make(text, strlen(text));
}

static inline str_t str_of_text(colline_text text)
{
    return str_make(text.ptr, text.len);
}

#endif
