/* Running one script. The files that it sources are kept until its end, each read once. */
#include "script.h"

#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MOST_SOURCED = 10000 /* times that files are sourced by one script: each may source others more than once */
};

struct sourced_file {
    char *real; /* absolute path without links */
    char *name; /* as documents name it */
    char *text;
    size_t len;
};

struct run {
    colline_analyzer *an;
    const struct script *script;
    const struct script_sink *sink;
    struct buf *messages;
    struct script_result result;
    struct sourced_file *files;
    size_t file_count;
    size_t *stack; /* indexes of the files being read, outermost first */
    size_t stack_capacity;
    size_t times;
};

static const struct sourced_file *reading(const struct run *run)
{
    size_t depth = colline_include_depth(run->an);
    return depth == 0 || run->stack == NULL ? NULL : &run->files[run->stack[depth - 1]];
}

static bool exists(const char *path)
{
    FILE *file = fopen(path, "re");
    if (file != NULL)
        fclose(file);
    return file != NULL;
}

/* Where the file is: as named, seen from the folder of the file that sources it, or else from the given folder. */
static char *locate(const struct run *run, str_t wanted)
{
    const struct sourced_file *from = reading(run);
    const char *source = from == NULL ? run->script->path : from->name;
    const char *slash = source == NULL ? NULL : strrchr(source, '/');
    int folder = slash == NULL ? 0 : (int)(slash + 1 - source);
    int length = wanted.len > 4096 ? 4096 : (int)wanted.len;
    if (wanted.len > 0 && wanted.ptr[0] == '/')
        return need_format("%.*s", length, wanted.ptr);
    char *beside = need_format("%.*s%.*s", folder, folder == 0 ? "" : source, length, wanted.ptr);
    if (exists(beside))
        return beside;
    free(beside);
    return need_format("%s/%.*s", run->script->root, length, wanted.ptr);
}

static bool is_inside(const char *real, const char *root)
{
    char *folder = realpath(root, NULL);
    size_t length = folder == NULL ? 0 : strlen(folder);
    bool inside = folder != NULL && strncmp(real, folder, length) == 0 && (real[length] == '/' || strcmp(folder, "/") == 0);
    free(folder);
    return inside;
}

static bool is_being_read(const struct run *run, size_t file)
{
    for (size_t i = 0; i < colline_include_depth(run->an); i++)
        if (run->stack[i] == file)
            return true;
    return false;
}

/* Whether the script itself is the file. */
static bool is_script(const struct run *run, const char *real)
{
    char *own = run->script->path == NULL ? NULL : realpath(run->script->path, NULL);
    bool same = own != NULL && strcmp(own, real) == 0;
    free(own);
    return same;
}

/* Index of the file, read when it is new; takes `real` and `name`. -1 with the reason when it cannot be. */
static long load(struct run *run, char *real, char *name, const char **reason)
{
    for (size_t i = 0; i < run->file_count; i++) {
        if (strcmp(run->files[i].real, real) == 0) {
            free(real);
            free(name);
            return (long)i;
        }
    }
    struct sourced_file file = {.real = real, .name = name};
    if (!read_file(real, &file.text, &file.len, reason)) {
        free(real);
        free(name);
        return -1;
    }
    run->files = need_grow(run->files, run->file_count + 1, sizeof *run->files);
    run->files[run->file_count++] = file;
    return (long)(run->file_count - 1);
}

/* The file to go on with, -1 with the reason when it may not or cannot be read. */
static long resolve(struct run *run, str_t wanted, const char **reason)
{
    if (run->script->root == NULL) {
        *reason = "files are followed in folders only";
        return -1;
    }
    char *name = locate(run, wanted);
    char *real = realpath(name, NULL);
    *reason = NULL;
    if (real == NULL)
        *reason = strerror(errno);
    else if (!is_inside(real, run->script->root))
        *reason = "lies outside of the given folder";
    else if (is_script(run, real))
        *reason = "sources itself";
    if (*reason != NULL) {
        free(name);
        free(real);
        return -1;
    }
    long file = load(run, real, name, reason);
    if (file < 0)
        return -1;
    bool cycle = is_being_read(run, (size_t)file);
    *reason = cycle ? "sources itself" : "more files are sourced than the limit allows";
    return cycle || ++run->times > MOST_SOURCED ? -1 : file;
}

static void push(struct run *run, size_t file)
{
    size_t depth = colline_include_depth(run->an);
    if (depth >= run->stack_capacity) {
        run->stack_capacity = run->stack_capacity * 2 + 8;
        run->stack = need_grow(run->stack, run->stack_capacity, sizeof *run->stack);
    }
    run->stack[depth] = file;
}

static void diagnose(struct run *run, const char *code, const char *message)
{
    colline_add_diagnostic(run->an, code, message, strlen(message));
}

/* The file that the statement sources, -1 for none; a diagnostic where it cannot be followed. */
static long sourced_by(struct run *run, const colline_statement *st)
{
    str_t wanted = str_of_text(colline_statement_sourced_file(st));
    if (wanted.len == 0)
        return -1;
    const char *reason;
    long file = resolve(run, wanted, &reason);
    if (file >= 0)
        return file;
    char *message = need_format("`%.*s` is not followed: %s", wanted.len > 200 ? 200 : (int)wanted.len, wanted.ptr, reason);
    diagnose(run, "source-file", message);
    free(message);
    return -1;
}

static void see(struct run *run, const colline_statement *st)
{
    const struct sourced_file *file = reading(run);
    str_t own = run->script->name.len > 0 ? run->script->name : run->script->id;
    str_t name = file == NULL ? own : str_of(file->name);
    run->result.statements++;
    if (colline_statement_failed(st)) {
        run->result.broken++;
        if (run->sink->report)
            report_error(run->messages, run->an, name, file == NULL ? run->script->text : str_make(file->text, file->len), st);
    }
    if (run->sink->see != NULL)
        run->sink->see(run->sink->see_context, run->an, name, st);
}

static colline_status each_statement(struct run *run)
{
    colline_status status = COLLINE_OK;
    for (const colline_statement *st; status == COLLINE_OK && (st = colline_next(run->an)) != NULL;) {
        long file = sourced_by(run, st);
        if (run->result.statements == 0 && run->script->guessed)
            diagnose(run, "dialect-guessed", "neither an option nor the name tells the dialect; Hive is taken");
        see(run, st);
        if (run->sink->document)
            status = colline_document_add(run->an);
        if (file < 0 || status != COLLINE_OK)
            continue;
        push(run, (size_t)file);
        const struct sourced_file *sourced = &run->files[file];
        status = colline_include(run->an, sourced->name, strlen(sourced->name), sourced->text, sourced->len);
    }
    return status;
}

static colline_status begin_text(struct run *run)
{
    str_t text = run->script->text;
    const struct shell_sql *sql = run->script->sql;
    if (sql == NULL)
        return colline_begin(run->an, text.ptr, text.len);
    colline_status status =
        colline_begin_inside(run->an, sql->text.ptr, sql->text.len, text.ptr, text.len, sql->pieces, sql->piece_count);
    colline_set_line(run->an, run->script->line_at, run->script->line);
    return status;
}

static colline_status define(struct run *run, const struct define *defines, size_t count)
{
    colline_status status = COLLINE_OK;
    for (size_t i = 0; status == COLLINE_OK && i < count; i++)
        status = colline_define(run->an, defines[i].key.ptr, defines[i].key.len, defines[i].value.ptr, defines[i].value.len);
    return status;
}

static colline_status begin(struct run *run, const struct options *options)
{
    const struct script *script = run->script;
    colline_set_dialect(run->an, script->dialect);
    colline_set_database(run->an, script->database.ptr, script->database.len);
    colline_status status = begin_text(run);
    if (status == COLLINE_OK && script->sql != NULL)
        status = define(run, script->sql->defines, script->sql->define_count);
    if (status == COLLINE_OK)
        status = define(run, options->defines, options->define_count);
    if (status == COLLINE_OK && run->sink->document)
        status = colline_document_open(run->an, run->sink->format, script->id.ptr, script->id.len, run->sink->write,
                                       run->sink->context);
    return status;
}

static void release(struct run *run)
{
    for (size_t i = 0; i < run->file_count; i++) {
        free(run->files[i].real);
        free(run->files[i].name);
        free(run->files[i].text);
    }
    free(run->files);
    free(run->stack);
}

static struct script_result run_text(colline_analyzer *an, const struct options *options, const struct script *script,
                                     const struct script_sink *sink, struct buf *messages)
{
    struct run run = {.an = an, .script = script, .sink = sink, .messages = messages};
    colline_status status = begin(&run, options);
    if (status == COLLINE_OK)
        status = each_statement(&run);
    if (status == COLLINE_OK && sink->document)
        status = colline_document_close(an);
    run.result.status = status;
    release(&run);
    return run.result;
}

/* One piece of SQL of a shell script. */
static struct script_result run_sql(colline_analyzer *an, const struct options *options, const struct script *shell,
                                    const struct shell_sql *sql, const struct script_sink *sink, struct buf *messages)
{
    char *id = need_format("%.*s:%u", (int)shell->id.len, shell->id.ptr, shell->line);
    struct script script = *shell;
    script.id = str_of(id);
    script.name = shell->id;
    script.sql = sql;
    script.dialect = sql->guessed && options->dialect.given ? options->dialect.dialect : sql->dialect;
    script.guessed = sql->guessed && !options->dialect.given;
    if (sql->database.len > 0)
        script.database = sql->database;
    struct script_result result = run_text(an, options, &script, sink, messages);
    free(id);
    return result;
}

/* The script's line becomes the one that holds the byte. */
static void go_to_line(struct script *script, uint32_t at)
{
    str_t before = str_make(script->text.ptr, at);
    for (size_t end = str_find(before, '\n', script->line_at); end < at; end = str_find(before, '\n', end + 1)) {
        script->line_at = (uint32_t)end + 1;
        script->line++;
    }
}

static struct script_result run_shell(colline_analyzer *an, const struct options *options, const struct script *script,
                                      const struct script_sink *sink, struct buf *messages)
{
    struct script_result total = {.status = COLLINE_OK};
    struct shell_script shell = shell_script_read(script->text);
    struct script here = *script;
    here.line = 1;
    for (size_t i = 0; i < shell.count && total.status == COLLINE_OK; i++) {
        go_to_line(&here, shell.items[i].at);
        struct script_result result = run_sql(an, options, &here, &shell.items[i], sink, messages);
        total.statements += result.statements;
        total.broken += result.broken;
        total.status = result.status;
    }
    shell_script_release(&shell);
    return total;
}

struct script_result script_run(colline_analyzer *an, const struct options *options, const struct script *script,
                                const struct script_sink *sink, struct buf *messages)
{
    bool shell = script->path != NULL && is_shell_script(script->path, script->text);
    return shell ? run_shell(an, options, script, sink, messages) : run_text(an, options, script, sink, messages);
}
