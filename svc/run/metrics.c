/*
 * The registry: families in a list, each with its series. The list is guarded by a lock while
 * metrics are made and written out; a series, once made, never moves, and its figures are atomics.
 * Doubles are kept as their bits.
 */
#include "run/metrics.h"

#include "base/utf8.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { BUCKETS_MAX = 30, REFRESH_MAX = 32 };

enum metric_type { METRIC_COUNTER, METRIC_GAUGE, METRIC_HISTOGRAM };

struct family {
    const char *name, *help;
    enum metric_type type;
    const double *bounds;
    size_t bound_count;
    struct metric *first, *last;
    struct family *next;
};

struct metric {
    const struct family *family;
    char *labels; /* a="b",c="d" as they are written; NULL: none */
    size_t labels_len;
    _Atomic uint64_t figure;   /* count of a counter or histogram, bits of a gauge */
    _Atomic uint64_t sum;      /* bits; histogram */
    _Atomic uint64_t *buckets; /* bound_count; not cumulative */
    struct metric *next;
};

struct refresh {
    void (*call)(void *context);
    void *context;
};

struct metrics {
    pthread_mutex_t lock; /* guards the lists */
    struct family *first, *last;
    struct refresh refresh[REFRESH_MAX];
    size_t refresh_count;
};

/* ---- bits ----------------------------------------------------------------------------------- */

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void add_double(_Atomic uint64_t *bits, double more)
{
    uint64_t old = atomic_load_explicit(bits, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(bits, &old, bits_of(double_of(old) + more),
                                                  memory_order_relaxed, memory_order_relaxed))
        continue;
}

/* ---- making --------------------------------------------------------------------------------- */

struct metrics *metrics_new(void)
{
    struct metrics *metrics = calloc(1, sizeof *metrics);
    if (metrics != NULL)
        pthread_mutex_init(&metrics->lock, NULL);
    return metrics;
}

static void free_series(struct metric *metric)
{
    free(metric->labels);
    free(metric->buckets);
    free(metric);
}

void metrics_free(struct metrics *metrics)
{
    if (metrics == NULL)
        return;
    for (struct family *family = metrics->first, *next; family != NULL; family = next) {
        next = family->next;
        for (struct metric *metric = family->first, *after; metric != NULL; metric = after) {
            after = metric->next;
            free_series(metric);
        }
        free(family);
    }
    pthread_mutex_destroy(&metrics->lock);
    free(metrics);
}

static struct family *find_family(const struct metrics *metrics, const char *name)
{
    struct family *family = metrics->first;
    while (family != NULL && strcmp(family->name, name) != 0)
        family = family->next;
    return family;
}

static struct family *make_family(struct metrics *metrics, const struct family *like)
{
    struct family *family = find_family(metrics, like->name);
    if (family != NULL)
        return family->type == like->type ? family : NULL;
    family = malloc(sizeof *family);
    if (family == NULL)
        return NULL;
    *family = *like;
    if (metrics->last != NULL)
        metrics->last->next = family;
    else
        metrics->first = family;
    metrics->last = family;
    return family;
}

/* `\`, `"` and line breaks are escaped; what is no UTF-8 becomes U+FFFD. */
static void add_label_value(struct buf *out, str_t value)
{
    size_t from = 0;
    for (size_t i = 0; i < value.len; i++) {
        char c = value.ptr[i];
        if (c != '\\' && c != '"' && c != '\n')
            continue;
        add_valid_utf8(out, str_make(value.ptr + from, i - from));
        buf_add_char(out, '\\');
        buf_add_char(out, c == '\n' ? 'n' : c);
        from = i + 1;
    }
    if (from < value.len)
        add_valid_utf8(out, str_make(value.ptr + from, value.len - from));
}

static void add_labels(struct buf *out, const struct metric_label *labels, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            buf_add_char(out, ',');
        buf_add(out, str_make(labels[i].name, strlen(labels[i].name)));
        BUF_ADD(out, "=\"");
        add_label_value(out, labels[i].value);
        buf_add_char(out, '"');
    }
}

static struct metric *find_series(const struct family *family, str_t labels)
{
    struct metric *metric = family->first;
    while (metric != NULL && !str_eq(str_make(metric->labels, metric->labels_len), labels))
        metric = metric->next;
    return metric;
}

/* Takes the labels' memory. */
static struct metric *new_series(struct family *family, struct buf *labels)
{
    struct metric *metric = calloc(1, sizeof *metric);
    if (metric == NULL || labels->failed) {
        free(metric);
        return NULL;
    }
    if (family->type == METRIC_HISTOGRAM)
        metric->buckets = calloc(family->bound_count, sizeof *metric->buckets);
    if (family->type == METRIC_HISTOGRAM && metric->buckets == NULL) {
        free(metric);
        return NULL;
    }
    metric->family = family;
    metric->labels = labels->ptr;
    metric->labels_len = labels->len;
    *labels = (struct buf){0};
    if (family->last != NULL)
        family->last->next = metric;
    else
        family->first = metric;
    family->last = metric;
    return metric;
}

static struct metric *make(struct metrics *metrics, const struct family *like,
                           const struct metric_label *labels, size_t label_count)
{
    if (metrics == NULL)
        return NULL;
    struct buf text;
    buf_init(&text, 0);
    add_labels(&text, labels, label_count);
    pthread_mutex_lock(&metrics->lock);
    struct family *family = make_family(metrics, like);
    struct metric *metric = family == NULL ? NULL : find_series(family, buf_str(&text));
    if (family != NULL && metric == NULL)
        metric = new_series(family, &text);
    pthread_mutex_unlock(&metrics->lock);
    buf_release(&text);
    return metric;
}

struct metric *metrics_counter(struct metrics *metrics, const char *name, const char *help,
                               const struct metric_label *labels, size_t label_count)
{
    return make(metrics, &(struct family){.name = name, .help = help, .type = METRIC_COUNTER},
                labels, label_count);
}

struct metric *metrics_gauge(struct metrics *metrics, const char *name, const char *help,
                             const struct metric_label *labels, size_t label_count)
{
    return make(metrics, &(struct family){.name = name, .help = help, .type = METRIC_GAUGE}, labels,
                label_count);
}

struct metric *metrics_histogram(struct metrics *metrics, const char *name, const char *help,
                                 const double *bounds, size_t bound_count,
                                 const struct metric_label *labels, size_t label_count)
{
    static const double latencies[] = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
                                       0.5,   1,      2,     5,    10,    30,   60};
    struct family like = {.name = name,
                          .help = help,
                          .type = METRIC_HISTOGRAM,
                          .bounds = bounds,
                          .bound_count = bound_count};
    if (bounds == NULL) {
        like.bounds = latencies;
        like.bound_count = sizeof latencies / sizeof latencies[0];
    }
    if (like.bound_count > BUCKETS_MAX)
        like.bound_count = BUCKETS_MAX;
    return make(metrics, &like, labels, label_count);
}

bool metrics_on_write(struct metrics *metrics, void (*refresh)(void *context), void *context)
{
    if (metrics == NULL)
        return false;
    pthread_mutex_lock(&metrics->lock);
    bool room = metrics->refresh_count < REFRESH_MAX;
    if (room)
        metrics->refresh[metrics->refresh_count++] = (struct refresh){refresh, context};
    pthread_mutex_unlock(&metrics->lock);
    return room;
}

/* ---- counting ------------------------------------------------------------------------------- */

void metric_add(struct metric *counter, uint64_t more)
{
    if (counter != NULL)
        atomic_fetch_add_explicit(&counter->figure, more, memory_order_relaxed);
}

void metric_set(struct metric *gauge, double value)
{
    if (gauge != NULL)
        atomic_store_explicit(&gauge->figure, bits_of(value), memory_order_relaxed);
}

void metric_observe(struct metric *histogram, double value)
{
    if (histogram == NULL || isnan(value))
        return;
    const struct family *family = histogram->family;
    size_t at = 0;
    while (at < family->bound_count && value > family->bounds[at])
        at++;
    if (at < family->bound_count)
        atomic_fetch_add_explicit(&histogram->buckets[at], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&histogram->figure, 1, memory_order_relaxed);
    add_double(&histogram->sum, value);
}

double metric_value(const struct metric *metric)
{
    if (metric == NULL)
        return 0;
    uint64_t figure = atomic_load_explicit(&metric->figure, memory_order_relaxed);
    return metric->family->type == METRIC_GAUGE ? double_of(figure) : (double)figure;
}

size_t metrics_figures(struct metrics *metrics, const char *name, double *figures, size_t most)
{
    size_t count = 0;
    pthread_mutex_lock(&metrics->lock);
    const struct family *family = find_family(metrics, name);
    for (const struct metric *m = family == NULL ? NULL : family->first; m != NULL && count < most; m = m->next)
        figures[count++] = metric_value(m);
    pthread_mutex_unlock(&metrics->lock);
    return count;
}

double metrics_sum(struct metrics *metrics, const char *name)
{
    double sum = 0;
    pthread_mutex_lock(&metrics->lock);
    const struct family *family = find_family(metrics, name);
    for (const struct metric *m = family == NULL ? NULL : family->first; m != NULL; m = m->next)
        sum += metric_value(m);
    pthread_mutex_unlock(&metrics->lock);
    return sum;
}

/* ---- writing -------------------------------------------------------------------------------- */

/* The shortest text that reads back as the same. */
static void add_finite(struct buf *out, double value)
{
    char text[48];
    int len = 0;
    bool whole = value == floor(value) && fabs(value) < 1e15;
    for (int precision = whole ? 17 : 1; precision <= 17; precision++) {
        len = whole ? snprintf(text, sizeof text, "%.0f", value)
                    : snprintf(text, sizeof text, "%.*g", precision, value);
        if (strtod(text, NULL) == value)
            break;
    }
    buf_add(out, str_make(text, (size_t)len));
}

static void add_double_text(struct buf *out, double value)
{
    if (isnan(value))
        BUF_ADD(out, "NaN");
    else if (isinf(value))
        buf_add(out, value > 0 ? STR("+Inf") : STR("-Inf"));
    else
        add_finite(out, value);
}

/* name suffix [{labels[,le="bound"]}] blank */
static void add_series_name(struct buf *out, const struct metric *metric, str_t suffix, str_t bound)
{
    buf_add(out, str_make(metric->family->name, strlen(metric->family->name)));
    buf_add(out, suffix);
    if (metric->labels_len > 0 || bound.len > 0) {
        buf_add_char(out, '{');
        buf_add(out, str_make(metric->labels, metric->labels_len));
        if (bound.len > 0) {
            if (metric->labels_len > 0)
                buf_add_char(out, ',');
            BUF_ADD(out, "le=\"");
            buf_add(out, bound);
            buf_add_char(out, '"');
        }
        buf_add_char(out, '}');
    }
    buf_add_char(out, ' ');
}

static void write_count(struct buf *out, const struct metric *metric, str_t suffix, str_t bound,
                        uint64_t count)
{
    add_series_name(out, metric, suffix, bound);
    buf_add_number(out, count);
    buf_add_char(out, '\n');
}

static void write_histogram(struct buf *out, const struct metric *metric)
{
    uint64_t below = 0, all = atomic_load_explicit(&metric->figure, memory_order_relaxed);
    struct buf bound;
    buf_init(&bound, 0);
    for (size_t i = 0; i < metric->family->bound_count; i++) {
        buf_clear(&bound);
        add_double_text(&bound, metric->family->bounds[i]);
        below += atomic_load_explicit(&metric->buckets[i], memory_order_relaxed);
        write_count(out, metric, STR("_bucket"), buf_str(&bound), below);
    }
    buf_release(&bound);
    /* observed since the first figure was read */
    all = all < below ? below : all;
    write_count(out, metric, STR("_bucket"), STR("+Inf"), all);
    add_series_name(out, metric, STR("_sum"), STR(""));
    add_double_text(out, double_of(atomic_load_explicit(&metric->sum, memory_order_relaxed)));
    buf_add_char(out, '\n');
    write_count(out, metric, STR("_count"), STR(""), all);
}

static void write_series(struct buf *out, const struct metric *metric)
{
    switch (metric->family->type) {
    case METRIC_COUNTER:
        write_count(out, metric, STR(""), STR(""),
                    atomic_load_explicit(&metric->figure, memory_order_relaxed));
        break;
    case METRIC_GAUGE:
        add_series_name(out, metric, STR(""), STR(""));
        add_double_text(out, metric_value(metric));
        buf_add_char(out, '\n');
        break;
    case METRIC_HISTOGRAM:
        write_histogram(out, metric);
        break;
    }
}

static void write_family(struct buf *out, const struct family *family)
{
    static const str_t types[] = {STR(" counter\n"), STR(" gauge\n"), STR(" histogram\n")};
    str_t name = str_make(family->name, strlen(family->name));
    BUF_ADD(out, "# HELP ");
    buf_add(out, name);
    buf_add_char(out, ' ');
    buf_add(out, str_make(family->help, strlen(family->help)));
    BUF_ADD(out, "\n# TYPE ");
    buf_add(out, name);
    buf_add(out, types[family->type]);
    for (const struct metric *metric = family->first; metric != NULL; metric = metric->next)
        write_series(out, metric);
}

void metrics_write(struct metrics *metrics, struct buf *out)
{
    if (metrics == NULL)
        return;
    pthread_mutex_lock(&metrics->lock);
    size_t count = metrics->refresh_count;
    pthread_mutex_unlock(&metrics->lock);
    /* Unlocked: a refresh may make metrics of its own. Entries are only ever added. */
    for (size_t i = 0; i < count; i++)
        metrics->refresh[i].call(metrics->refresh[i].context);
    pthread_mutex_lock(&metrics->lock);
    for (const struct family *family = metrics->first; family != NULL; family = family->next)
        write_family(out, family);
    pthread_mutex_unlock(&metrics->lock);
}
