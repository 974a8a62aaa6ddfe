/* `colline lineage`: options, then files or records through the pool, results in order. */
#include "lineage.h"

#include "base/arena.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    OPTION_FORMAT = OPTION_OWN, OPTION_BATCH, OPTION_AGAINST
};

static const char help[] =
    "usage: colline lineage [OPTION]... [FILE|DIR|-]...\n\n"
    "Prints the lineage of every statement of the scripts: files, all scripts of folders, or\n"
    "standard input. Of shell scripts (.sh) the SQL that they hand to hive, beeline and\n"
    "impala-shell.\n\n";

static const char own_help[] =
    "  -j, --jobs N                threads (default: one a processor)\n"
    "      --format FORMAT         json, jsonl, table, tree, dot, mermaid, csv, fields, tables, hive,\n"
    "                              impala or ast (default: table on a terminal, else json)\n"
    "      --batch                 read a JSON object a line: {\"id\", \"sql\", \"dialect\"?,\n"
    "                              \"database\"?, \"catalogs\"?: [NAME..]}, write a document a line;\n"
    "                              -c NAME=FILE is for the records that name it\n"
    "      --against REVISION      what changed in the lineage since a git revision; exit status 1\n"
    "                              where a column that others read has lost a source\n\n"
    "Exit status: 0 done; 1 done, but some statements or inputs could not be analysed.\n";

struct worker {
    struct lineage *lineage;
    struct arena arena; /* one record */
    const colline_catalog **catalogs;
    colline_analyzer **analyzers;
    size_t count;
};

struct worker *worker_new(struct lineage *lineage)
{
    struct worker *worker = need_alloc(sizeof *worker);
    worker->lineage = lineage;
    arena_init(&worker->arena, 0, NULL);
    return worker;
}

void worker_free(struct worker *worker)
{
    for (size_t i = 0; i < worker->count; i++)
        colline_analyzer_free(worker->analyzers[i]);
    free(worker->analyzers);
    free(worker->catalogs);
    arena_release(&worker->arena);
    free(worker);
}

struct arena *worker_arena(struct worker *worker)
{
    return &worker->arena;
}

colline_analyzer *worker_analyzer(struct worker *worker, const colline_catalog *catalog)
{
    for (size_t i = 0; i < worker->count; i++)
        if (worker->catalogs[i] == catalog)
            return worker->analyzers[i];
    worker->catalogs = need_grow(worker->catalogs, worker->count + 1, sizeof *worker->catalogs);
    worker->analyzers = need_grow(worker->analyzers, worker->count + 1, sizeof(colline_analyzer *));
    colline_analyzer *an = options_analyzer(&worker->lineage->options, catalog);
    colline_set_look(an, worker->lineage->colour, worker->lineage->width);
    worker->catalogs[worker->count] = catalog;
    worker->analyzers[worker->count++] = an;
    return an;
}

struct job *job_new(struct lineage *lineage)
{
    struct job *job = need_alloc(sizeof *job);
    job->lineage = lineage;
    buf_init(&job->out, 0);
    buf_init(&job->messages, 0);
    return job;
}

static void job_free(struct job *job)
{
    buf_release(&job->out);
    buf_release(&job->messages);
    free(job->line);
    free(job);
}

static bool take_output(void *context, const char *bytes, size_t len)
{
    struct job *job = context;
    if (job->direct)
        output_add(&job->lineage->output, str_make(bytes, len));
    else
        buf_add(&job->out, str_make(bytes, len));
    return !job->out.failed;
}

static bool is_for_programs(colline_format format)
{
    return format == COLLINE_JSON || format == COLLINE_JSONL;
}

void job_run(struct job *job, colline_analyzer *an, const struct script *script)
{
    const struct lineage *lineage = job->lineage;
    struct script_sink sink = {
        .document = true,
        .format = lineage->format,
        .write = take_output,
        .context = job,
        .report = !is_for_programs(lineage->format),
    };
    job->result = script_run(an, &lineage->options, script, &sink, &job->messages);
}

static void message(struct job *job, const char *place, const char *reason)
{
    BUF_ADD(&job->messages, "colline: ");
    buf_add(&job->messages, str_of(place));
    BUF_ADD(&job->messages, ": ");
    buf_add(&job->messages, str_of(reason));
    buf_add_char(&job->messages, '\n');
}

/* Bytes that are no UTF-8 are only shown differently. */
static void check_encoding(struct job *job, str_t text)
{
    size_t at;
    if (utf8_valid(text, &at))
        return;
    size_t line = 1;
    for (size_t i = 0; i < at; i++)
        line += text.ptr[i] == '\n';
    char *place = need_format("%s:%zu", job->input->path, line);
    message(job, place, "not valid UTF-8; bad bytes show as U+FFFD");
    free(place);
}

/* Whether the text can be SQL; JSON that was meant for an option is told. */
static bool check_text(struct job *job, str_t text)
{
    if (looks_like_json(text)) {
        message(job, job->input->path, "JSON, no SQL: -c takes catalogs, --batch records, trace and impact documents");
        return false;
    }
    check_encoding(job, text);
    return true;
}

static void file_work(struct worker *worker, struct job *job)
{
    const struct input *input = job->input;
    char *text;
    size_t len;
    const char *reason;
    if (!read_file(input->path, &text, &len, &reason)) {
        message(job, input->path, reason);
        job->unread = true;
        return;
    }
    job->unread = !check_text(job, str_make(text, len));
    if (!job->unread) {
        const colline_catalog *catalog = catalogs_get(job->lineage->options.catalogs, NULL, 0, NULL);
        bool is_file = strcmp(input->path, "-") != 0;
        struct script script = {
            .id = str_of(input->path),
            .path = is_file ? input->path : NULL,
            .root = input->root,
            .text = str_make(text, len),
            .database = job->lineage->options.database,
            .dialect = input->dialect,
            .guessed = input->guessed,
        };
        job_run(job, worker_analyzer(worker, catalog), &script);
    }
    free(text);
}

static void work(void *worker, void *item)
{
    struct job *job = item;
    if (job->input != NULL)
        file_work(worker, job);
    else
        batch_work(worker, job);
}

static void finish(void *context, void *item)
{
    struct lineage *lineage = context;
    struct job *job = item;
    if (job->messages.len > 0)
        progress_end(&lineage->progress);
    output_add(&lineage->output, buf_str(&job->out));
    output_message(&lineage->output, buf_str(&job->messages));
    lineage->broken_statements += job->result.broken;
    lineage->broken_scripts += job->result.broken > 0;
    lineage->partly |= job->unread || job->result.broken > 0;
    if (job->result.status != COLLINE_OK || job->messages.failed) {
        complain("out of memory");
        lineage->failed = true;
    }
    job_free(job);
    progress_step(&lineage->progress, ++lineage->done);
}

static void idle(void *context)
{
    struct lineage *lineage = context;
    output_flush(&lineage->output);
}

static void *start_worker(void *context)
{
    return worker_new(context);
}

static void end_worker(void *worker)
{
    worker_free(worker);
}

/* One note for all scripts whose dialect had to be guessed. */
static void note_guesses(const struct lineage *lineage)
{
    const struct input *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < lineage->inputs.count; i++) {
        const struct input *input = &lineage->inputs.items[i];
        count += input->guessed;
        if (input->guessed && first == NULL)
            first = input;
    }
    if (count == 0)
        return;
    const char *name = strcmp(first->path, "-") == 0 ? "standard input" : first->path;
    char *others = count == 1 ? need_copy("") : need_format(" and %zu more", count - 1);
    complain("note: %s%s: taken for Hive, as nothing tells the dialect (-d does)", name, others);
    free(others);
}

static void feed_files(struct lineage *lineage, struct pool *pool, bool direct)
{
    for (size_t i = 0; i < lineage->inputs.count; i++) {
        struct job *job = job_new(lineage);
        job->input = &lineage->inputs.items[i];
        job->direct = direct;
        pool_add(pool, job);
    }
}

static size_t thread_count(const struct lineage *lineage)
{
    size_t wanted = lineage->threads == 0 ? pool_processors() : lineage->threads;
    if (!lineage->batch && wanted > lineage->inputs.count)
        wanted = lineage->inputs.count;
    return wanted == 0 ? 1 : wanted;
}

static int conclude(struct lineage *lineage)
{
    bool told = !is_for_programs(lineage->format);
    if (lineage->broken_statements > 0 && !told && !lineage->batch)
        complain("%zu %s of %zu %s could not be analysed: see \"error\"", lineage->broken_statements,
                 lineage->broken_statements == 1 ? "statement" : "statements", lineage->broken_scripts,
                 lineage->broken_scripts == 1 ? "script" : "scripts");
    if (lineage->failed)
        return STATUS_FAILED;
    bool partly = lineage->partly || lineage->inputs.partly || catalogs_partly(lineage->options.catalogs);
    return partly ? STATUS_PARTLY : STATUS_DONE;
}

static int run(struct lineage *lineage)
{
    size_t threads = thread_count(lineage);
    struct pool_tasks tasks = {start_worker, end_worker, work, finish, idle, lineage};
    output_init(&lineage->output);
    if (!lineage->batch)
        note_guesses(lineage);
    catalogs_get(lineage->options.catalogs, NULL, 0, NULL);
    progress_start(&lineage->progress, lineage->batch ? 0 : lineage->inputs.count);
    struct pool *pool = pool_new(threads, &tasks);
    if (lineage->batch)
        batch_feed(lineage, pool);
    else
        feed_files(lineage, pool, threads == 1);
    pool_free(pool);
    progress_end(&lineage->progress);
    output_release(&lineage->output);
    return conclude(lineage);
}

/* Colours and width of standard output. */
static void look_at_terminal(struct lineage *lineage)
{
    struct winsize size;
    bool terminal = isatty(STDOUT_FILENO);
    const char *no_colour = getenv("NO_COLOR");
    lineage->colour = terminal && (no_colour == NULL || no_colour[0] == '\0');
    if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        lineage->width = size.ws_col;
    if (!lineage->format_given)
        lineage->format = lineage->batch ? COLLINE_JSONL : terminal ? COLLINE_TABLE : COLLINE_JSON;
    bool engine_log = lineage->format == COLLINE_HIVE_LOG || lineage->format == COLLINE_IMPALA_LOG;
    if (engine_log && !lineage->options.reading_given)
        lineage->options.reading = COLLINE_READING_ENGINE;
}

static int take_format(struct lineage *lineage, const char *value)
{
    lineage->format_given = colline_format_by_name(value, strlen(value), &lineage->format);
    if (!lineage->format_given)
        return wrong_use("lineage",
                         "--format %s: there are json, jsonl, table, tree, dot, mermaid, csv, fields, tables, hive, impala and ast",
                         value);
    return STATUS_DONE;
}

static int take_threads(struct lineage *lineage, const char *value)
{
    enum { MOST = 1024 };
    char *end;
    errno = 0;
    long count = strtol(value, &end, 10);
    if (errno != 0 || end == value || *end != '\0' || count < 1 || count > MOST)
        return wrong_use("lineage", "-j %s: a number from 1 to %d is wanted", value, MOST);
    lineage->threads = (size_t)count;
    return STATUS_DONE;
}

static int take_options(struct lineage *lineage, int argc, char **argv)
{
    static const struct option long_options[] = {COMMON_OPTIONS,
                                                 {"jobs", required_argument, NULL, 'j'},
                                                 {"format", required_argument, NULL, OPTION_FORMAT},
                                                 {"batch", no_argument, NULL, OPTION_BATCH},
                                                 {"against", required_argument, NULL, OPTION_AGAINST},
                                                 {NULL, 0, NULL, 0}};
    int option, status = STATUS_DONE;
    while (status == STATUS_DONE && (option = getopt_long(argc, argv, COMMON_LETTERS "j:", long_options, NULL)) != -1) {
        if (option == 'h') {
            printf("%s%s%s", help, common_help, own_help);
            exit(STATUS_DONE);
        }
        if (option == OPTION_FORMAT)
            status = take_format(lineage, optarg);
        else if (option == 'j')
            status = take_threads(lineage, optarg);
        else if (option == OPTION_BATCH)
            lineage->batch = true;
        else if (option == OPTION_AGAINST)
            lineage->against = optarg;
        else
            status = options_take(&lineage->options, option, optarg);
    }
    return status;
}

/* What follows the options; standard input where there is nothing else and nobody sits at it. */
static int take_inputs(struct lineage *lineage, int argc, char **argv)
{
    if (optind == argc && isatty(STDIN_FILENO))
        return wrong_use("lineage", "no file, folder or standard input is given");
    if (optind == argc)
        inputs_add(&lineage->inputs, "-", lineage->options.dialect, false);
    for (int i = optind; i < argc; i++)
        inputs_add(&lineage->inputs, argv[i], lineage->options.dialect, lineage->batch);
    return STATUS_DONE;
}

int cmd_lineage(int argc, char **argv)
{
    struct lineage lineage = {.options = {.command = "lineage"}};
    int status = take_options(&lineage, argc, argv);
    if (status == STATUS_DONE) {
        options_ready(&lineage.options);
        look_at_terminal(&lineage);
        if (lineage.against != NULL) {
            status = lineage_against(&lineage, argc - optind, argv + optind);
        } else {
            status = take_inputs(&lineage, argc, argv);
            if (status == STATUS_DONE)
                status = run(&lineage);
        }
    }
    inputs_release(&lineage.inputs);
    options_release(&lineage.options);
    return status;
}
