/* Collectors, one sink. A cookie's upper bits say which collector it is of. */
#include "collect/capture.h"

#include "bus/file_sink.h"
#include "collect/sql_folder.h"
#include "collect/tail/tail.h"
#include "collect/web.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

enum {
    BUDGET = 4096,       /* records of a collector in one round */
    COLLECTOR_SHIFT = 55, /* cookies stay below 2^63 */
    COLLECTORS_MAX = 255,
    ACK_WAIT_MS = 10,
    FORGET_WRITTEN_MS = 600000
};

struct part {
    struct capture *capture;
    struct collector *collector;
    uint64_t index;
    struct zone *zone;
};

struct capture {
    struct capture_options options;
    struct part *parts;
    size_t count;
    struct buf value;
    uint64_t sent, acked;
    int64_t started_at;
    bool full, written_forgotten, save_failed;
    struct metric *sink_full, *waiting, *save_failures;
};

/* ---- records on their way --------------------------------------------------------------------------------------- */

static bool emit(void *context, const struct raw_record *record, uint64_t cookie)
{
    const struct part *part = context;
    struct capture *capture = part->capture;
    buf_clear(&capture->value);
    capture->value.failed = false;
    raw_write(&capture->value, record);
    capture->full = capture->value.failed || !sink_send(capture->options.sink, record->query_id, buf_str(&capture->value),
                                                        part->index << COLLECTOR_SHIFT | cookie);
    capture->sent += !capture->full;
    if (capture->full)
        metric_add(capture->sink_full, 1);
    return !capture->full;
}

static void acked(void *context, uint64_t cookie)
{
    struct capture *capture = context;
    size_t index = (size_t)(cookie >> COLLECTOR_SHIFT);
    struct collector *collector = capture->parts[index].collector;
    capture->acked++;
    collector->ops->acked(collector, cookie & (((uint64_t)1 << COLLECTOR_SHIFT) - 1));
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static struct collector *open_tail(const struct capture *capture, const struct config_source *source, const struct zone *zone,
                                   const struct collector_output *output, const char **reason)
{
    const struct capture_options *o = &capture->options;
    const struct tail_options options = {
        .source = source,
        .cluster = source->of_cluster->name,
        .sql_text = (enum config_sql_text)o->config->sql_text,
        .zone = zone,
        .checkpoint = o->checkpoint,
        .from_beginning = o->from_beginning,
        .once = o->once,
        .since_ms = o->since_ms,
        .in_flight = (size_t)o->config->limits.in_flight,
        .clock_skew_ms = o->config->limits.clock_skew,
    };
    return tail_new(&options, output, reason);
}

static struct collector *open_folder(const struct capture *capture, const struct config_source *source,
                                     const struct collector_output *output)
{
    const struct sql_folder_options options = {
        .source = source,
        .cluster = source->of_cluster->name,
        .sql_text = (enum config_sql_text)capture->options.config->sql_text,
        .checkpoint = capture->options.checkpoint,
        .once = capture->options.once,
    };
    return sql_folder_new(&options, output);
}

static struct collector *open_web(const struct capture *capture, const struct config_source *source,
                                  const struct zone *zone, const struct collector_output *output)
{
    const struct capture_options *o = &capture->options;
    const struct web_options options = {
        .source = source,
        .cluster = source->of_cluster->name,
        .sql_text = (enum config_sql_text)o->config->sql_text,
        .zone = zone,
        .checkpoint = o->checkpoint,
        .clock_skew_ms = o->config->limits.clock_skew,
        .once = o->once,
    };
    return web_new(&options, output);
}

static struct collector *open_collector(const struct capture *capture, const struct config_source *source,
                                        const struct zone *zone, const struct collector_output *output, const char **reason)
{
    *reason = "out of memory";
    switch ((enum config_kind)source->kind) {
    case KIND_SQL_FILE:
        return open_folder(capture, source, output);
    case KIND_DAEMON_LOG:
    case KIND_GLOG:
    case KIND_LINEAGE_LOG:
    case KIND_AUDIT_LOG:
    case KIND_HIVE_HOOK:
    case KIND_HIVE_LOG:
    case KIND_PROFILE_LOG:
        return open_tail(capture, source, zone, output, reason);
    case KIND_WEB:
        return open_web(capture, source, zone, output);
    }
    *reason = "this kind of source cannot be read yet";
    return NULL;
}

static void say(struct buf *error, str_t name, const char *text)
{
    buf_add(error, name);
    BUF_ADD(error, ": ");
    buf_add(error, str_make(text, strlen(text)));
}

static bool open_part(struct capture *capture, const struct config_source *source, struct buf *error)
{
    const char *reason = "too many sources";
    struct part *part = &capture->parts[capture->count];
    if (capture->count == COLLECTORS_MAX) {
        say(error, source->name, reason);
        return false;
    }
    *part = (struct part){.capture = capture, .index = capture->count};
    part->zone = zone_open(source->of_cluster->time_zone, NULL, &reason);
    if (part->zone == NULL) {
        say(error, source->of_cluster->time_zone, reason);
        return false;
    }
    const struct collector_output output = {emit, part, &capture->options.clock, capture->options.log, capture->options.metrics};
    part->collector = open_collector(capture, source, part->zone, &output, &reason);
    if (part->collector == NULL) {
        zone_free(part->zone);
        log_say(capture->options.log, LOG_LEVEL_ERROR, "capture.source", source->name, "%s", reason);
        return true;
    }
    capture->count++;
    return true;
}

static void free_parts(struct capture *capture)
{
    for (size_t i = 0; i < capture->count; i++) {
        capture->parts[i].collector->ops->close(capture->parts[i].collector);
        zone_free(capture->parts[i].zone);
    }
    free(capture->parts);
    buf_release(&capture->value);
    free(capture);
}

struct capture *capture_open(const struct capture_options *options, struct buf *error)
{
    struct capture *capture = calloc(1, sizeof *capture);
    size_t sources = options->config->sources.count;
    if (capture == NULL || (capture->parts = calloc(sources + 1, sizeof *capture->parts)) == NULL) {
        free(capture);
        BUF_ADD(error, "out of memory");
        return NULL;
    }
    capture->options = *options;
    buf_init(&capture->value, 0);
    options->sink->acked = acked;
    options->sink->context = capture;
    capture->started_at = clock_steady(&capture->options.clock);
    capture->sink_full = metrics_counter(options->metrics, "colline_capture_receiver_full_total",
                                         "Times the receiver took no more", METRIC_NO_LABELS);
    capture->waiting = metrics_gauge(options->metrics, "colline_capture_unacknowledged", "Records sent and not acknowledged",
                                     METRIC_NO_LABELS);
    capture->save_failures = metrics_counter(options->metrics, "colline_capture_save_failures_total",
                                             "Times the positions could not be saved", METRIC_NO_LABELS);
    for (size_t i = 0; i < sources; i++)
        if (!open_part(capture, &options->config->sources.items[i], error)) {
            free_parts(capture);
            return NULL;
        }
    return capture;
}

/* ---- rounds ----------------------------------------------------------------------------------------------------- */

/* The length goes with the positions: what is in the file is acknowledged, so the positions cover it, or will when it came again. */
static bool save(struct capture *capture, bool now)
{
    struct checkpoint *checkpoint = capture->options.checkpoint;
    for (size_t i = 0; i < capture->count; i++) {
        struct collector *collector = capture->parts[i].collector;
        collector->ops->settle(collector);
    }
    if (capture->options.sink_is_file)
        checkpoint->output_length = file_sink_covered(capture->options.sink);
    bool saved = checkpoint_save(checkpoint, now);
    for (size_t i = 0; i < capture->count; i++) {
        struct collector *collector = capture->parts[i].collector;
        saved = collector->ops->save(collector) && saved;
    }
    if (!saved) {
        metric_add(capture->save_failures, 1);
        log_say(capture->options.log, LOG_LEVEL_ERROR, "capture.positions", str_make(checkpoint->path, strlen(checkpoint->path)),
                "positions cannot be saved (%s); after a crash more would be read again", strerror(errno));
    }
    return saved;
}

static void watch_sink(struct capture *capture)
{
    if (!capture->options.sink_is_file)
        return;
    int error = file_sink_error(capture->options.sink);
    if (error != 0)
        log_say(capture->options.log, LOG_LEVEL_ERROR, "capture.output", STR(""),
                "the output cannot be written (%s): reading waits until it can", strerror(error));
    bool over = clock_steady(&capture->options.clock) - capture->started_at > FORGET_WRITTEN_MS;
    if (over && !capture->written_forgotten) {
        file_sink_caught_up(capture->options.sink);
        capture->written_forgotten = true;
    }
}

static bool is_stopping(const struct capture *capture)
{
    return capture->options.stop != NULL && stop_asked(capture->options.stop);
}

size_t capture_round(struct capture *capture)
{
    size_t count = 0;
    for (size_t i = 0; i < capture->count && !is_stopping(capture); i++) {
        struct collector *collector = capture->parts[i].collector;
        count += collector->ops->step(collector, BUDGET);
    }
    sink_poll(capture->options.sink, 0);
    watch_sink(capture);
    save(capture, false);
    metric_set(capture->waiting, (double)(capture->sent - capture->acked));
    log_tick(capture->options.log);
    return count;
}

bool capture_is_quiet(const struct capture *capture)
{
    for (size_t i = 0; i < capture->count; i++) {
        const struct collector *collector = capture->parts[i].collector;
        if (collector->ops->quiet != NULL && !collector->ops->quiet(collector))
            return false;
    }
    return !capture->full;
}

void capture_wait(struct capture *capture, int stop_descriptor)
{
    struct pollfd waits[COLLECTORS_MAX + 1];
    nfds_t count = 0;
    int idle = 1000;
    for (size_t i = 0; i < capture->count; i++) {
        struct collector *collector = capture->parts[i].collector;
        int ms = collector->ops->idle_ms(collector), descriptor = collector->ops->descriptor(collector);
        if (ms >= 0 && ms < idle)
            idle = ms;
        if (descriptor >= 0)
            waits[count++] = (struct pollfd){descriptor, POLLIN, 0};
    }
    struct sink *sink = capture->options.sink;
    if (capture->sent > capture->acked || sink->busy) {
        uint64_t before = capture->acked;
        idle = idle < ACK_WAIT_MS ? idle : ACK_WAIT_MS;
        sink_poll(sink, idle);
        idle = capture->acked > before || sink->busy ? 0 : idle; /* there is room again */
    }
    if (stop_descriptor >= 0)
        waits[count++] = (struct pollfd){stop_descriptor, POLLIN, 0};
    poll(waits, count, idle);
}

bool capture_finished(const struct capture *capture)
{
    for (size_t i = 0; i < capture->count; i++)
        if (!capture->parts[i].collector->ops->finished(capture->parts[i].collector))
            return false;
    return capture->sent == capture->acked;
}

bool capture_close(struct capture *capture, int flush_ms)
{
    bool flushed = sink_flush(capture->options.sink, flush_ms);
    bool saved = save(capture, true);
    free_parts(capture);
    return flushed && saved;
}
