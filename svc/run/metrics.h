/*
 * Figures of the running process, written out in Prometheus' text format. A metric is made once, by
 * name and labels (the same again gives the same metric), and lives as long as its registry.
 * Counting is lock-free, from any thread. All take a NULL metric and do nothing, so that code
 * without a registry, or without memory for it, need not ask.
 *
 * Names begin with `colline_` and end in their unit: `_total` for counters, `_seconds`, `_bytes`.
 */
#ifndef COLLINE_RUN_METRICS_H
#define COLLINE_RUN_METRICS_H

#include "base/buf.h"

struct metrics;
struct metric;

/* Label names are fixed words; values may be anything and are copied. */
struct metric_label {
    const char *name;
    str_t value;
};

#define METRIC_LABELS(...)                        \
    ((const struct metric_label[]){__VA_ARGS__}), \
        (sizeof((const struct metric_label[]){__VA_ARGS__}) / sizeof(struct metric_label))
#define METRIC_NO_LABELS NULL, 0

struct metrics *metrics_new(void);
void metrics_free(struct metrics *metrics);

/* `name` and `help` must outlive the registry: literals. NULL `metrics` gives NULL. */
struct metric *metrics_counter(struct metrics *metrics, const char *name, const char *help,
                               const struct metric_label *labels, size_t label_count);
struct metric *metrics_gauge(struct metrics *metrics, const char *name, const char *help,
                             const struct metric_label *labels, size_t label_count);

/* Buckets at most 30; `bounds` ascend and must outlive the registry. NULL bounds: those of
 * latencies, 1 ms to 60 s. */
struct metric *metrics_histogram(struct metrics *metrics, const char *name, const char *help,
                                 const double *bounds, size_t bound_count,
                                 const struct metric_label *labels, size_t label_count);

void metric_add(struct metric *counter, uint64_t more);
void metric_set(struct metric *gauge, double value);
void metric_observe(struct metric *histogram, double value);

/* Of a counter or gauge; of a histogram the number of observations. */
double metric_value(const struct metric *metric);

/* The sum of all series of one name; 0 when there is none. */
double metrics_sum(struct metrics *metrics, const char *name);

/* Their figures, at most `most`; gives how many. A series keeps its place: new ones come behind. */
size_t metrics_figures(struct metrics *metrics, const char *name, double *figures, size_t most);

/* `refresh(context)` is called before each writing, to set gauges that are cheaper asked than kept.
 * At most 32. */
bool metrics_on_write(struct metrics *metrics, void (*refresh)(void *context), void *context);

/* Prometheus text format 0.0.4: families in the order in which they were made. */
void metrics_write(struct metrics *metrics, struct buf *out);

#endif
