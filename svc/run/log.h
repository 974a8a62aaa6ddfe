/*
 * What the services say of themselves: one line a message, as text for people or as JSON.
 *
 *     log_say(log, LOG_LEVEL_WARNING, "spool.full", path, "the spool is full: reading stops until
 * the broker is back");
 *
 * `event` is a fixed word for machines; `about` says which file, host or topic, and may be empty.
 * Warnings and errors with the same event and the same `about` come out at most once in
 * `repeat_ms`; how many were held back is said with the next one, or by log_tick, or at the end. A
 * log may be used by several threads at once. A NULL log says nothing.
 */
#ifndef COLLINE_RUN_LOG_H
#define COLLINE_RUN_LOG_H

#include "base/str.h"
#include "run/clock.h"

#include <stdarg.h>

enum log_level { LOG_LEVEL_DEBUG, LOG_LEVEL_INFO, LOG_LEVEL_WARNING, LOG_LEVEL_ERROR };

struct log_options {
    const char *path; /* appended to, made 0640; NULL: standard error */
    bool json;
    enum log_level level; /* what is below is left out */
    int64_t repeat_ms;    /* 0: 60 s */
};

struct log;

/* NULL when the file cannot be opened or memory is out; errno says why. The clock is copied. */
struct log *log_open(const struct log_options *options, const struct clock *clock);

/* Says what was held back and closes. Takes NULL. */
void log_close(struct log *log);

/* Opens the file anew, after it was rotated away; keeps the old one when that fails. */
bool log_reopen(struct log *log);

void log_say(struct log *log, enum log_level level, const char *event, str_t about,
             const char *format, ...) __attribute__((format(printf, 5, 6)));
void log_say_list(struct log *log, enum log_level level, const char *event, str_t about,
                  const char *format, va_list arguments) __attribute__((format(printf, 5, 0)));

/* Says how often held-back messages came again whose time is over; call it now and then. */
void log_tick(struct log *log);

#endif
