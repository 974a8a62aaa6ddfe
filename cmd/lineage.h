/* What the files of `colline lineage` share: its options, and a job: one script with all that becomes of it. */
#ifndef COLLINE_CMD_LINEAGE_H
#define COLLINE_CMD_LINEAGE_H

#include "output.h"
#include "pool.h"
#include "progress.h"
#include "script.h"

struct lineage {
    struct options options;
    colline_format format;
    bool format_given;
    bool batch;
    size_t threads; /* 0: not said */
    const char *against; /* a git revision; NULL: none */
    bool colour;
    uint32_t width;
    struct inputs inputs;

    /* While it runs; touched by one thread at a time, in the order of the jobs. */
    struct output output;
    struct progress progress;
    size_t done, broken_statements, broken_scripts;
    bool partly, failed;
};

struct job {
    struct lineage *lineage;
    const struct input *input; /* a file to read; NULL for a record */
    char *line;                /* a record of --batch */
    size_t line_len, line_number;
    struct buf out;      /* what was not written at once */
    struct buf messages; /* for standard error */
    struct script_result result;
    bool unread;         /* the script could not even be read */
    bool direct;         /* output may be written as it comes: nothing is before this job */
};

/* The task of a thread: analyzers, one for each catalog that it met. */
struct worker;

struct worker *worker_new(struct lineage *lineage);
void worker_free(struct worker *worker);
colline_analyzer *worker_analyzer(struct worker *worker, const colline_catalog *catalog);
struct arena *worker_arena(struct worker *worker);

/* Runs a script of a job: document, reports and counts go into the job. */
void job_run(struct job *job, colline_analyzer *an, const struct script *script);

/* Reads the job's record and runs it. */
void batch_work(struct worker *worker, struct job *job);

/* Feeds the lines of the inputs to the pool. */
void batch_feed(struct lineage *lineage, struct pool *pool);

/* `--against`: what changed since the revision. */
int lineage_against(struct lineage *lineage, int path_count, char **paths);

struct job *job_new(struct lineage *lineage);

#endif
