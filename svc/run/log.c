/*
 * The log: a line is put together in a buffer and written by one write(2), so lines of several
 * threads and processes never mix. Which messages were said lately stands in a small table; when it
 * is full, the oldest entry makes room.
 */
#include "run/log.h"

#include "base/jsonw.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    MESSAGE_MAX = 2048, /* longer ones are cut: they would be dumps of input */
    ABOUT_MAX = 256,
    EVENT_MAX = 64,
    SAID_MAX = 128,
    REPEAT_MS = 60000
};

/* A message that was said lately. */
struct said {
    char event[EVENT_MAX], about[ABOUT_MAX];
    size_t event_len, about_len;
    enum log_level level;
    int64_t since; /* steady; 0: the entry is free */
    uint64_t held; /* how often it came again */
};

struct log {
    int fd;
    char *path; /* NULL: standard error */
    bool json;
    enum log_level level;
    int64_t repeat_ms;
    struct clock clock;
    pthread_mutex_t lock; /* guards all below */
    struct buf line;
    struct said said[SAID_MAX];
};

struct message {
    enum log_level level;
    str_t event, about, text;
};

/* ---- a line --------------------------------------------------------------------------------- */

static str_t level_name(enum log_level level, bool json)
{
    static const str_t names[][2] = {{STR("DEBUG"), STR("debug")},
                                     {STR("INFO"), STR("info")},
                                     {STR("WARNING"), STR("warning")},
                                     {STR("ERROR"), STR("error")}};
    return names[level][json];
}

/* 2026-03-15T14:22:33.004Z */
static void add_time(struct buf *out, int64_t now_ms)
{
    time_t seconds = (time_t)(now_ms / 1000);
    struct tm parts;
    char text[40];
    if (gmtime_r(&seconds, &parts) == NULL)
        return;
    size_t len = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    int more = snprintf(text + len, sizeof text - len, ".%03dZ", (int)(now_ms % 1000));
    buf_add(out, str_make(text, len + (more > 0 ? (size_t)more : 0)));
}

/* Text for people stays on one line, whatever was logged. */
static void add_plain(struct buf *out, str_t text)
{
    for (size_t i = 0; i < text.len; i++)
        buf_add_char(out,
                     (unsigned char)text.ptr[i] < 0x20 || text.ptr[i] == 0x7F ? ' ' : text.ptr[i]);
}

static void add_text_line(struct log *log, const struct message *message)
{
    struct buf *out = &log->line;
    add_time(out, clock_now(&log->clock));
    buf_add_char(out, ' ');
    buf_add(out, level_name(message->level, false));
    buf_add_char(out, ' ');
    add_plain(out, message->event);
    if (message->about.len > 0) {
        buf_add_char(out, ' ');
        add_plain(out, message->about);
    }
    BUF_ADD(out, ": ");
    add_plain(out, message->text);
    buf_add_char(out, '\n');
}

static void add_json_line(struct log *log, const struct message *message)
{
    struct jsonw w;
    jsonw_init(&w, &log->line, false);
    jsonw_object_begin(&w);
    jsonw_key(&w, STR("time"));
    jsonw_string_open(&w);
    add_time(&log->line, clock_now(&log->clock));
    jsonw_string_close(&w);
    jsonw_member(&w, STR("level"), level_name(message->level, true));
    jsonw_member(&w, STR("event"), message->event);
    if (message->about.len > 0)
        jsonw_member(&w, STR("about"), message->about);
    jsonw_member(&w, STR("message"), message->text);
    jsonw_object_end(&w);
    buf_add_char(&log->line, '\n');
}

/* A log that cannot be written has nowhere to say so. */
static void write_line(const struct log *log)
{
    str_t rest = buf_str(&log->line);
    while (rest.len > 0) {
        ssize_t done = write(log->fd, rest.ptr, rest.len);
        if (done <= 0)
            return;
        rest = str_make(rest.ptr + done, rest.len - (size_t)done);
    }
}

static void put(struct log *log, const struct message *message)
{
    buf_clear(&log->line);
    if (log->json)
        add_json_line(log, message);
    else
        add_text_line(log, message);
    write_line(log);
}

/* ---- repeats -------------------------------------------------------------------------------- */

static void put_held(struct log *log, struct said *said)
{
    char text[96];
    if (said->held == 0)
        return;
    int len = snprintf(text, sizeof text, "the same came %llu more times since",
                       (unsigned long long)said->held);
    put(log, &(struct message){.level = said->level,
                               .event = str_make(said->event, said->event_len),
                               .about = str_make(said->about, said->about_len),
                               .text = str_make(text, len > 0 ? (size_t)len : 0)});
    said->held = 0;
}

static struct said *find_said(struct log *log, const struct message *message)
{
    for (size_t i = 0; i < SAID_MAX; i++) {
        struct said *said = &log->said[i];
        if (said->since != 0 && said->level == message->level &&
            str_eq(str_make(said->event, said->event_len), message->event) &&
            str_eq(str_make(said->about, said->about_len), message->about))
            return said;
    }
    return NULL;
}

/* A free entry, or the oldest after what it held back was said. */
static struct said *make_room(struct log *log)
{
    struct said *oldest = &log->said[0];
    for (size_t i = 0; i < SAID_MAX; i++)
        if (log->said[i].since < oldest->since)
            oldest = &log->said[i];
    put_held(log, oldest);
    return oldest;
}

static void remember(struct log *log, const struct message *message)
{
    struct said *said = make_room(log);
    *said = (struct said){
        .event_len = message->event.len, .about_len = message->about.len, .level = message->level};
    memcpy(said->event, message->event.ptr, message->event.len);
    if (message->about.len > 0)
        memcpy(said->about, message->about.ptr, message->about.len);
    int64_t now = clock_steady(&log->clock);
    said->since = now == 0 ? 1 : now;
}

/* Whether the message was said so lately that it is only counted. */
static bool hold_back(struct log *log, const struct message *message)
{
    if (message->level < LOG_LEVEL_WARNING)
        return false;
    struct said *said = find_said(log, message);
    if (said == NULL) {
        remember(log, message);
        return false;
    }
    int64_t now = clock_steady(&log->clock);
    if (now - said->since < log->repeat_ms) {
        said->held++;
        return true;
    }
    put_held(log, said);
    said->since = now;
    return false;
}

/* ---- the interface -------------------------------------------------------------------------- */

static int open_file(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
}

struct log *log_open(const struct log_options *options, const struct clock *clock)
{
    struct log *log = calloc(1, sizeof *log);
    if (log == NULL)
        return NULL;
    log->json = options->json;
    log->level = options->level;
    log->repeat_ms = options->repeat_ms > 0 ? options->repeat_ms : REPEAT_MS;
    log->clock = *clock;
    log->path = options->path == NULL ? NULL : strdup(options->path);
    log->fd = options->path == NULL ? STDERR_FILENO : open_file(options->path);
    buf_init(&log->line, 0);
    pthread_mutex_init(&log->lock, NULL);
    if (log->fd >= 0 && (options->path == NULL || log->path != NULL))
        return log;
    log_close(log);
    return NULL;
}

void log_close(struct log *log)
{
    if (log == NULL)
        return;
    for (size_t i = 0; log->fd >= 0 && i < SAID_MAX; i++)
        put_held(log, &log->said[i]);
    if (log->fd >= 0 && log->fd != STDERR_FILENO)
        close(log->fd);
    pthread_mutex_destroy(&log->lock);
    buf_release(&log->line);
    free(log->path);
    free(log);
}

bool log_reopen(struct log *log)
{
    if (log == NULL || log->path == NULL)
        return true;
    int fd = open_file(log->path);
    if (fd < 0)
        return false;
    pthread_mutex_lock(&log->lock);
    int old = log->fd;
    log->fd = fd;
    pthread_mutex_unlock(&log->lock);
    close(old);
    return true;
}

static str_t cut(str_t text, size_t most)
{
    return str_make(text.ptr, text.len < most ? text.len : most);
}

void log_say_list(struct log *log, enum log_level level, const char *event, str_t about,
                  const char *format, va_list arguments)
{
    char text[MESSAGE_MAX];
    if (log == NULL || level < log->level)
        return;
    int len = vsnprintf(text, sizeof text, format, arguments);
    if (len < 0)
        return;
    struct message message = {.level = level,
                              .event = cut(str_make(event, strlen(event)), EVENT_MAX),
                              .about = cut(about, ABOUT_MAX),
                              .text = cut(str_make(text, (size_t)len), sizeof text - 1)};
    pthread_mutex_lock(&log->lock);
    if (!hold_back(log, &message))
        put(log, &message);
    pthread_mutex_unlock(&log->lock);
}

void log_say(struct log *log, enum log_level level, const char *event, str_t about,
             const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    log_say_list(log, level, event, about, format, arguments);
    va_end(arguments);
}

void log_tick(struct log *log)
{
    if (log == NULL)
        return;
    pthread_mutex_lock(&log->lock);
    int64_t now = clock_steady(&log->clock);
    for (size_t i = 0; i < SAID_MAX; i++) {
        struct said *said = &log->said[i];
        if (said->since == 0 || now - said->since < log->repeat_ms)
            continue;
        put_held(log, said);
        said->since = 0;
    }
    pthread_mutex_unlock(&log->lock);
}
