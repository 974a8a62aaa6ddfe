/* The collector's operations: passes over the files, acknowledgements, metrics. */
#include "collect/tail/tail.h"

#include "collect/tail/internal.h"

#include <stdlib.h>
#include <unistd.h>

enum {
    BLOCKED_MS = 5, /* until the receiver is asked again */
    INODES_MAX = 1 << 20
};

/* ---- positions -------------------------------------------------------------------------------------------------- */

void tail_settle(struct tail *tail)
{
    struct inflight_entry entry;
    while (inflight_pop(&tail->inflight, &entry)) {
        struct tail_file *file = entry.file;
        file->waiting--;
        if (entry.generation != file->generation)
            continue; /* the file was cut since */
        file->position->offset = entry.end;
        tail->options.checkpoint->dirty = true;
    }
}

void tail_mark(struct tail *tail, struct tail_file *file)
{
    if (file->offset == file->marked || !inflight_room(&tail->inflight))
        return;
    inflight_push(&tail->inflight, file, file->offset, file->generation, true);
    file->waiting++;
    file->marked = file->offset;
    if (inflight_count(&tail->inflight) == 1)
        tail_settle(tail);
}

/* ---- operations ------------------------------------------------------------------------------------------------- */

static void look_around(struct tail *tail)
{
    struct watch_news news = tail->watch->ops->news(tail->watch);
    tail->scan_due = tail->scan_due || news.moved;
    int64_t since = tail_steady(tail) - tail->scanned_at;
    if (!tail->scanned_once || since >= tail->options.source->interval || (tail->scan_due && since >= BLOCKED_MS))
        tail_scan(tail);
}

/* One piece of one file; whether there is more. */
static bool visit(struct tail *tail, struct tail_file *file)
{
    if (!tail_refresh(tail, file))
        return false;
    if (tail->format_ops->remembers && file->host->busy == tail->pass)
        return true; /* an older file of the host comes first */
    bool more = tail_read(tail, file) || (file->archive && !file->done);
    if (more)
        file->host->busy = tail->pass;
    return more;
}

/* One archive at a time, the oldest first, and before what its host writes now. */
static bool read_archive(struct tail *tail)
{
    for (size_t i = 0; i < tail->file_count; i++)
        if (tail->files[i]->archive && visit(tail, tail->files[i]))
            return true;
    return false;
}

static bool visit_plain(struct tail *tail, struct tail_file *file)
{
    return !file->archive && visit(tail, file);
}

static void count_lag(struct tail *tail)
{
    uint64_t lag = 0;
    for (size_t i = 0; i < tail->file_count; i++) {
        const struct tail_file *file = tail->files[i];
        if (!file->archive && !file->copy && file->size > file->offset)
            lag += file->size - file->offset;
    }
    metric_set(tail->lag_bytes, (double)lag);
}

static size_t tail_step(struct collector *collector, size_t budget)
{
    struct tail *tail = (struct tail *)collector;
    look_around(tail);
    tail_settle(tail);
    tail->pass++;
    tail->budget = budget;
    tail->emitted = 0;
    bool more = read_archive(tail);
    size_t first = tail->format_ops->remembers || tail->file_count == 0 ? 0 : (size_t)(tail->pass % tail->file_count);
    for (size_t i = 0, count = tail->file_count; i < count; i++)
        more = visit_plain(tail, tail->files[(first + i) % count]) || more;
    tail->quiet = !more && tail->emitted == 0 && !tail->scan_due;
    count_lag(tail);
    tail_drop_done(tail);
    return tail->emitted;
}

static int tail_idle_ms(struct collector *collector)
{
    const struct tail *tail = (const struct tail *)collector;
    return tail->quiet && !tail->options.once ? tail->watch->idle_ms : BLOCKED_MS;
}

static bool tail_is_quiet(const struct collector *collector)
{
    return ((const struct tail *)collector)->quiet;
}

static int tail_descriptor(struct collector *collector)
{
    return ((const struct tail *)collector)->watch->descriptor;
}

static void tail_acked(struct collector *collector, uint64_t cookie)
{
    inflight_acked(&((struct tail *)collector)->inflight, cookie);
}

static void tail_settle_all(struct collector *collector)
{
    tail_settle((struct tail *)collector);
}

static bool tail_save(struct collector *collector)
{
    (void)collector; /* the checkpoint is saved by whoever opened it */
    return true;
}

static bool tail_finished(const struct collector *collector)
{
    const struct tail *tail = (const struct tail *)collector;
    return tail->options.once && tail->scanned_once && tail->quiet && inflight_count(&tail->inflight) == 0;
}

static void tail_close(struct collector *collector)
{
    struct tail *tail = (struct tail *)collector;
    for (size_t i = 0; i < tail->file_count; i++)
        tail_free_file(tail->files[i]);
    for (size_t i = 0; i < tail->host_count; i++) {
        format_free(tail->hosts[i]->format);
        free((char *)(uintptr_t)tail->hosts[i]->name.ptr);
        free(tail->hosts[i]);
    }
    free(tail->files);
    free(tail->hosts);
    if (tail->watch != NULL)
        tail->watch->ops->free(tail->watch);
    inflight_release(&tail->inflight);
    id_table_release(&tail->by_inode);
    arena_release(&tail->scratch);
    arena_release(&tail->scan_arena);
    free(tail->source_name);
    free(tail->machine);
    free(tail->buffer);
    free(tail);
}

/* ---- making one ------------------------------------------------------------------------------------------------- */

static struct watch *new_watch(const struct config_source *source)
{
    struct watch *watch = source->watch == WATCH_POLL ? NULL : watch_inotify_new();
    return watch != NULL ? watch : watch_poll_new((int)source->interval);
}

static struct metric *counter(struct tail *tail, const char *name, const char *help)
{
    return metrics_counter(tail->base.output.metrics, name, help, METRIC_LABELS({"source", tail_text(tail->source_name)}));
}

static struct metric *gauge(struct tail *tail, const char *name, const char *help)
{
    return metrics_gauge(tail->base.output.metrics, name, help, METRIC_LABELS({"source", tail_text(tail->source_name)}));
}

static void make_metrics(struct tail *tail)
{
    for (int kind = 0; kind < RAW_KIND_COUNT; kind++)
        tail->records[kind] =
            metrics_counter(tail->base.output.metrics, "colline_capture_records_total", "Records read, by kind",
                            METRIC_LABELS({"source", tail_text(tail->source_name)}, {"kind", raw_kind_name((enum raw_kind)kind)}));
    tail->lines = counter(tail, "colline_capture_lines_total", "Lines read");
    tail->foreign = counter(tail, "colline_capture_foreign_lines_total", "Lines that tell nothing of queries");
    tail->bytes = counter(tail, "colline_capture_bytes_total", "Bytes read");
    tail->skipped = counter(tail, "colline_capture_skipped_total", "Records from before the time asked for");
    tail->too_long = counter(tail, "colline_capture_too_long_total", "Records longer than max_line, passed over");
    tail->rotations = counter(tail, "colline_capture_rotations_total", "Files that were rotated away or cut");
    tail->lost = counter(tail, "colline_capture_lost_files_total", "Files that vanished or broke before they were read");
    tail->lag_bytes = gauge(tail, "colline_capture_lag_bytes", "Bytes written and not read yet");
    tail->file_gauge = gauge(tail, "colline_capture_files", "Files followed");
}

static bool has_positions(const struct checkpoint *cp, const char *source)
{
    for (size_t i = 0; i < cp->count; i++)
        if (strcmp(cp->items[i]->source, source) == 0)
            return true;
    return false;
}

static int64_t last_look(const struct checkpoint *cp, const char *source)
{
    int64_t last = -1;
    for (size_t i = 0; i < cp->count; i++)
        if (strcmp(cp->items[i]->source, source) == 0 && cp->items[i]->seen_ms > last)
            last = cp->items[i]->seen_ms;
    return last < 0 ? INT64_MAX : last;
}

static char *machine_name(void)
{
    char name[256] = "localhost";
    gethostname(name, sizeof name - 1);
    return strdup(name);
}

struct collector *tail_new(const struct tail_options *options, const struct collector_output *output, const char **reason)
{
    static const struct collector_ops ops = {
        .name = "tail",
        .step = tail_step,
        .idle_ms = tail_idle_ms,
        .descriptor = tail_descriptor,
        .acked = tail_acked,
        .settle = tail_settle_all,
        .save = tail_save,
        .finished = tail_finished,
        .close = tail_close,
        .quiet = tail_is_quiet,
    };
    struct tail *tail = calloc(1, sizeof *tail);
    *reason = "out of memory";
    if (tail == NULL)
        return NULL;
    tail->base = (struct collector){&ops, *output};
    tail->options = *options;
    arena_init(&tail->scratch, 0, NULL);
    arena_init(&tail->scan_arena, 0, NULL);
    inflight_init(&tail->inflight, options->in_flight);
    id_table_init(&tail->by_inode, INODES_MAX);
    tail->format_ops = format_of_source((enum raw_source)options->source->kind);
    tail->source_name = strndup(options->source->name.ptr, options->source->name.len);
    tail->machine = machine_name();
    tail->watch = new_watch(options->source);
    if (tail->format_ops == NULL)
        *reason = "no kind of log that is read from files";
    if (tail->format_ops == NULL || tail->source_name == NULL || tail->machine == NULL || tail->watch == NULL) {
        tail_close(&tail->base);
        return NULL;
    }
    tail->archives = options->once || options->from_beginning || options->since_ms > 0 || options->source->backfill ||
                     options->source->from_beginning;
    tail->first_start = !options->checkpoint->damaged && !has_positions(options->checkpoint, tail->source_name);
    tail->left_at = last_look(options->checkpoint, tail->source_name);
    tail->scanned_at = tail->allowance_at = tail_steady(tail);
    make_metrics(tail);
    return &tail->base;
}
