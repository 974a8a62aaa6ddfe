/* Messages, memory and output for all subcommands. */
#include "cmd.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((format(printf, 2, 0))) static void say(const char *prefix, const char *format, va_list arguments)
{
    char *message = NULL;
    if (vasprintf(&message, format, arguments) < 0)
        message = NULL;
    fprintf(stderr, "%s%s\n", prefix, message == NULL ? "out of memory" : message);
    free(message);
}

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("colline: ", format, arguments);
    va_end(arguments);
}

int more_help(const char *command)
{
    fprintf(stderr, "`colline %s%s--help` says more.\n", command, command[0] == '\0' ? "" : " ");
    return STATUS_USAGE;
}

int wrong_use(const char *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("colline: ", format, arguments);
    va_end(arguments);
    return more_help(command);
}

void *need(void *memory)
{
    if (memory == NULL) {
        complain("out of memory");
        exit(STATUS_FAILED);
    }
    return memory;
}

void *need_alloc(size_t size)
{
    return need(calloc(1, size == 0 ? 1 : size));
}

void *need_grow(void *memory, size_t count, size_t size)
{
    return need(reallocarray(memory, count, size));
}

char *need_copy(const char *text)
{
    return need(strdup(text));
}

char *need_copy_of(str_t text)
{
    char *copy = need_alloc(text.len + 1);
    if (text.len > 0)
        memcpy(copy, text.ptr, text.len);
    return copy;
}

char *need_format(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    return need(text);
}

bool write_all(int fd, str_t bytes)
{
    while (bytes.len > 0) {
        ssize_t wrote = write(fd, bytes.ptr, bytes.len);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            return false;
        bytes = str_make(bytes.ptr + wrote, bytes.len - (size_t)wrote);
    }
    return true;
}

void write_stdout(str_t bytes)
{
    if (write_all(STDOUT_FILENO, bytes))
        return;
    if (errno == EPIPE)
        _exit(STATUS_DONE);
    complain("standard output: %s", strerror(errno));
    _exit(STATUS_FAILED);
}

bool dialect_by_name(str_t name, colline_dialect *dialect)
{
    if (str_eq_fold(name, STR("hive")))
        *dialect = COLLINE_HIVE;
    else if (str_eq_fold(name, STR("impala")))
        *dialect = COLLINE_IMPALA;
    else
        return false;
    return true;
}
