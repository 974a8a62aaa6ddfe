/* The stage put together: records read, joined, resolved, checked; and its figures. */
#include "normalize/resolve.h"

#include "base/jsonw.h"
#include "normalize/scripts.h"
#include "record/invalid.h"
#include "record/members.h"

#include <stdlib.h>

enum {
    CATALOG_RECORD_VERSION = 1
};

struct stage_metrics {
    struct metric *records, *events, *revisions, *incomplete, *failed, *late, *duplicates, *invalid_records, *invalid_events;
    struct metric *analysed, *hits, *agreed, *disagreed, *ghosts;
    struct metric *latency, *open, *skew;
};

struct normalizer {
    struct resolver resolver;
    struct normalizer_options options;
    struct arena arena;   /* of one record */
    struct arena checking; /* of one event */
    struct arena kept;    /* of the options */
    struct buf json;
    struct stage_metrics metrics;
    struct joiner_counts reported; /* of all joiners, as far as the metrics know */
    struct lineage_counts lineage_reported;
    uint64_t reported_agreed, reported_disagreed, reported_ghosts;
};

/* What a joiner's callbacks are given. */
struct outlet {
    struct normalizer *n;
    struct normalizer_output output;
    struct joiner *joiner;
    struct joiner_counts reported;
};

/* ---- figures ---------------------------------------------------------------------------------------------------- */

#define RESULT(value) METRIC_LABELS({"result", STR(value)})

static void make_metrics(struct stage_metrics *m, struct metrics *r)
{
    static const char *const events = "colline_normalize_events_total", *const events_help = "Events given out";
    static const char *const records = "colline_normalize_records_total", *const records_help = "Raw records read";
    static const char *const lineages = "colline_normalize_lineage_total", *const lineages_help = "Statements that lineage was asked for";
    static const char *const engine = "colline_normalize_engine_lineage_total", *const engine_help = "Lineages held against the engine's own";
    static const char *const invalid = "colline_normalize_invalid_total", *const invalid_help = "What was given out as invalid";
    m->records = metrics_counter(r, records, records_help, METRIC_NO_LABELS);
    m->duplicates = metrics_counter(r, "colline_normalize_duplicates_total", "Raw records that told nothing new", METRIC_NO_LABELS);
    m->late = metrics_counter(r, "colline_normalize_late_total", "Raw records that came after the window of their query", METRIC_NO_LABELS);
    m->events = metrics_counter(r, events, events_help, METRIC_LABELS({"revision", STR("first")}));
    m->revisions = metrics_counter(r, events, events_help, METRIC_LABELS({"revision", STR("later")}));
    m->incomplete = metrics_counter(r, "colline_normalize_incomplete_total", "Queries whose end was never seen", METRIC_NO_LABELS);
    m->failed = metrics_counter(r, "colline_normalize_failed_total", "Queries that failed, were cancelled or run again: without lineage", METRIC_NO_LABELS);
    m->invalid_records = metrics_counter(r, invalid, invalid_help, METRIC_LABELS({"what", STR("record")}));
    m->invalid_events = metrics_counter(r, invalid, invalid_help, METRIC_LABELS({"what", STR("event")}));
    m->analysed = metrics_counter(r, lineages, lineages_help, RESULT("analysed"));
    m->hits = metrics_counter(r, lineages, lineages_help, RESULT("cached"));
    m->agreed = metrics_counter(r, engine, engine_help, RESULT("same"));
    m->disagreed = metrics_counter(r, engine, engine_help, RESULT("different"));
    m->ghosts = metrics_counter(r, "colline_normalize_ghosts_total", "Logged names of tables that were queries inside the text", METRIC_NO_LABELS);
    m->open = metrics_gauge(r, "colline_normalize_open_queries", "Queries without an end, in memory", METRIC_NO_LABELS);
    m->latency = metrics_histogram(r, "colline_end_to_end_seconds", "From the end of a query to its first event; not of archives", NULL, 0,
                                   METRIC_NO_LABELS);
    m->skew = metrics_gauge(r, "colline_normalize_clock_skew_seconds", "How far the last record's capture lay in the future", METRIC_NO_LABELS);
}

static void report_joiner(struct normalizer *n, struct outlet *outlet)
{
    struct joiner_counts now = joiner_counts(outlet->joiner), *was = &outlet->reported;
    struct stage_metrics *m = &n->metrics;
    metric_add(m->records, now.records - was->records);
    metric_add(m->duplicates, now.duplicates - was->duplicates);
    metric_add(m->late, now.late - was->late);
    metric_add(m->events, now.events - was->events);
    metric_add(m->revisions, now.revisions - was->revisions);
    metric_add(m->incomplete, now.incomplete - was->incomplete);
    metric_add(m->failed, now.failed - was->failed);
    n->reported.open += now.open - was->open;
    metric_set(m->open, (double)n->reported.open);
    *was = now;
}

static void report_lineage(struct normalizer *n)
{
    struct lineage_counts now = lineage_counts(n->resolver.lineage);
    struct stage_metrics *m = &n->metrics;
    metric_add(m->analysed, now.analysed - n->lineage_reported.analysed);
    metric_add(m->hits, now.hits - n->lineage_reported.hits);
    metric_add(m->agreed, n->resolver.agreed - n->reported_agreed);
    metric_add(m->disagreed, n->resolver.disagreed - n->reported_disagreed);
    metric_add(m->ghosts, n->resolver.ghosts - n->reported_ghosts);
    n->lineage_reported = now;
    n->reported_agreed = n->resolver.agreed;
    n->reported_disagreed = n->resolver.disagreed;
    n->reported_ghosts = n->resolver.ghosts;
}

/* ---- invalid ---------------------------------------------------------------------------------------------------- */

static void give_invalid(struct outlet *outlet, str_t query_id, str_t value, str_t reason, const struct normalizer_origin *origin)
{
    struct normalizer *n = outlet->n;
    struct invalid_record record = {
        .v = 1,
        .stage = STR("normalize"),
        .at = clock_now(&n->options.clock),
        .reason = reason,
        .topic = origin == NULL ? STR("") : origin->topic,
        .partition = origin == NULL ? -1 : origin->partition,
        .offset = origin == NULL ? -1 : origin->offset,
        .value = value,
    };
    struct buf json;
    buf_init(&json, 0);
    invalid_write(&json, &record);
    if (!json.failed)
        outlet->output.invalid(outlet->output.context, query_id, buf_str(&json));
    buf_release(&json);
}

static void on_invalid(void *context, const struct raw_record *record, str_t reason)
{
    struct outlet *outlet = context;
    struct buf value;
    buf_init(&value, 0);
    raw_write(&value, record);
    metric_add(outlet->n->metrics.invalid_records, 1);
    give_invalid(outlet, record->query_id, buf_str(&value), reason, NULL);
    buf_release(&value);
}

/* ---- the catalog's records -------------------------------------------------------------------------------------- */

/* namespace TAB table */
static void on_table(void *context, struct space *space, str_t table, int64_t time)
{
    struct outlet *outlet = context;
    if (outlet->output.catalog == NULL)
        return;
    struct buf key, value;
    buf_init(&key, 0);
    buf_init(&value, 0);
    buf_add(&key, space->name);
    buf_add_char(&key, '\t');
    buf_add(&key, table);
    BUF_ADD(&value, "{\"v\":1,\"time\":");
    buf_add_number(&value, (uint64_t)time);
    BUF_ADD(&value, ",\"catalog\":");
    if (space_table_json(space, table, &value))
        buf_add_char(&value, '}');
    else
        buf_clear(&value);
    if (!key.failed && !value.failed)
        outlet->output.catalog(outlet->output.context, buf_str(&key), buf_str(&value));
    buf_release(&key);
    buf_release(&value);
}

/* namespace TAB `@`session TAB query id */
static void on_session(void *context, const struct event *event)
{
    struct outlet *outlet = context;
    if (outlet->output.catalog == NULL)
        return;
    struct buf key, value;
    struct jsonw w;
    buf_init(&key, 0);
    buf_init(&value, 0);
    buf_add(&key, event->name_space);
    BUF_ADD(&key, "\t@");
    buf_add(&key, event->session_id);
    buf_add_char(&key, '\t');
    buf_add(&key, event->query_id);
    jsonw_init(&w, &value, false);
    jsonw_object_begin(&w);
    jsonw_member_number(&w, STR("v"), CATALOG_RECORD_VERSION);
    jsonw_member_number(&w, STR("time"), (uint64_t)event->event_time);
    jsonw_member(&w, STR("sql"), event->sql);
    jsonw_object_end(&w);
    if (!key.failed && !value.failed)
        outlet->output.catalog(outlet->output.context, buf_str(&key), buf_str(&value));
    buf_release(&key);
    buf_release(&value);
}

struct catalog_record {
    int64_t version, time;
    str_t catalog, sql;
};

static bool read_catalog_record(str_t value, struct arena *arena, struct catalog_record *record)
{
    struct member_reader reader = member_reader_of(value);
    struct member member;
    bool well = true;
    while (member_next(&reader, &member)) {
        if (str_eq(member.key, STR("v")))
            well &= member_integer(&member, &record->version);
        else if (str_eq(member.key, STR("time")))
            well &= member_integer(&member, &record->time);
        else if (str_eq(member.key, STR("catalog")))
            record->catalog = member.value;
        else if (str_eq(member.key, STR("sql")))
            well &= member_text(&member, arena, &record->sql);
    }
    return well && reader.message == NULL && record->version == CATALOG_RECORD_VERSION;
}

static bool take_table(struct normalizer *n, struct space *space, str_t table, const struct catalog_record *record)
{
    bool dropped = record->catalog.len == 0; /* a tombstone has no time: compaction keeps the newest record only */
    if (!dropped && !resolve_is_news(&n->resolver, space, table, record->time))
        return true;
    uint64_t before = space_table_digest(space, table);
    bool well = true;
    if (dropped)
        space_drop(space, table);
    else
        well = space_add_json(space, record->catalog);
    if (space_table_digest(space, table) != before)
        space_touch(space, table);
    return well;
}

bool normalizer_catalog(struct normalizer *n, str_t key, str_t value)
{
    struct catalog_record record = {0};
    size_t tab = str_find(key, '\t', 0);
    if (tab == key.len)
        return false;
    str_t name = str_make(key.ptr + tab + 1, key.len - tab - 1);
    struct space *space = spaces_get(n->resolver.spaces, str_make(key.ptr, tab));
    arena_clear(&n->arena);
    if (space == NULL || (value.len > 0 && !read_catalog_record(value, &n->arena, &record)))
        return false;
    if (!str_starts_with(name, STR("@")))
        return take_table(n, space, name, &record);
    str_t session = str_make(name.ptr + 1, str_find(name, '\t', 0) - 1);
    return value.len == 0 || sessions_add(&n->resolver.sessions, space->name, session, record.sql);
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

/* Statements that do not parse, by the code of the mistake: few, so the metric is looked up. */
static void count_syntax(struct normalizer *n, const struct event *event)
{
    for (uint32_t i = 0; i < event->problem_count; i++) {
        str_t message = event->problems[i].message;
        if (str_eq(event->problems[i].code, STR("syntax")))
            metric_add(metrics_counter(n->options.metrics, "colline_normalize_syntax_errors_total", "Statements that do not parse",
                                       METRIC_LABELS({"code", str_make(message.ptr, str_find(message, ':', 0))})), 1);
    }
}

static void observe(struct normalizer *n, const struct event *event)
{
    if (event->revision > 1 || event->backfill || event->incomplete)
        return;
    int64_t took = event->processing_time - event->event_time;
    metric_observe(n->metrics.latency, (double)(took < 0 ? 0 : took) / 1000.0);
}

static void on_event(void *context, const struct event *event)
{
    struct outlet *outlet = context;
    struct normalizer *n = outlet->n;
    const struct resolve_changes changes = {on_table, on_session, outlet, joiner_is_retrying(outlet->joiner)};
    str_t reason;
    arena_clear(&n->checking);
    buf_clear(&n->json);
    if (event_validate(event, &n->checking, &reason)) {
        event_write(&n->json, event);
        outlet->output.event(outlet->output.context, event, buf_str(&n->json));
        observe(n, event);
        count_syntax(n, event);
        resolve_ran(&n->resolver, event, &changes);
        return;
    }
    struct event marked = *event;
    struct event_problem problem = {STR("schema"), reason};
    marked.is_valid = false;
    marked.problems = &problem;
    marked.problem_count = 1;
    event_write(&n->json, &marked);
    metric_add(n->metrics.invalid_events, 1);
    give_invalid(outlet, event->query_id, buf_str(&n->json), reason, NULL);
}

static void on_put(void *context, str_t query_id, str_t state)
{
    struct outlet *outlet = context;
    outlet->output.put(outlet->output.context, query_id, state);
}

static void on_del(void *context, str_t query_id)
{
    struct outlet *outlet = context;
    outlet->output.del(outlet->output.context, query_id);
}

static bool on_get(void *context, str_t query_id, struct buf *state)
{
    struct outlet *outlet = context;
    return outlet->output.get(outlet->output.context, query_id, state);
}

static bool on_resolve(void *context, struct event *event, struct arena *arena)
{
    struct outlet *outlet = context;
    return resolve_event(&outlet->n->resolver, event, arena);
}

/* ---- making and feeding ----------------------------------------------------------------------------------------- */

static bool copy_clusters(struct normalizer *n)
{
    size_t count = n->options.cluster_count;
    struct normalizer_cluster *copy = ARENA_ARRAY(&n->kept, struct normalizer_cluster, count + 1);
    for (size_t i = 0; copy != NULL && i < count; i++)
        copy[i] = (struct normalizer_cluster){arena_copy(&n->kept, n->options.clusters[i].name),
                                              arena_copy(&n->kept, n->options.clusters[i].name_space),
                                              arena_copy(&n->kept, n->options.clusters[i].warehouse)};
    n->resolver.clusters = copy;
    n->resolver.cluster_count = count;
    return copy != NULL && !n->kept.failed;
}

struct normalizer *normalizer_new(const struct normalizer_options *options, struct buf *reason)
{
    struct normalizer *n = calloc(1, sizeof *n);
    if (n == NULL) {
        BUF_ADD(reason, "out of memory");
        return NULL;
    }
    n->options = *options;
    arena_init(&n->arena, 0, NULL);
    arena_init(&n->checking, 0, NULL);
    arena_init(&n->kept, 0, NULL);
    arena_init(&n->resolver.arena, 0, NULL);
    buf_init(&n->json, 0);
    buf_init(&n->resolver.text, 0);
    make_metrics(&n->metrics, options->metrics);
    n->resolver.spaces = spaces_new(options->catalogs, options->catalog_count, reason);
    n->resolver.lineage = lineage_new(options->cache_entries);
    if (n->resolver.spaces != NULL && n->resolver.lineage != NULL && copy_clusters(n))
        return n;
    if (reason->len == 0)
        BUF_ADD(reason, "out of memory");
    normalizer_free(n);
    return NULL;
}

void normalizer_free(struct normalizer *n)
{
    if (n == NULL)
        return;
    spaces_free(n->resolver.spaces);
    lineage_free(n->resolver.lineage);
    sessions_release(&n->resolver.sessions);
    buf_release(&n->resolver.text);
    buf_release(&n->json);
    arena_release(&n->resolver.arena);
    arena_release(&n->arena);
    arena_release(&n->checking);
    arena_release(&n->kept);
    free(n);
}

static struct outlet *outlet_new(struct normalizer *n, const struct normalizer_output *output)
{
    struct outlet *outlet = calloc(1, sizeof *outlet);
    if (outlet == NULL)
        return NULL;
    *outlet = (struct outlet){.n = n, .output = *output};
    const struct joiner_output joined = {on_event, on_put, on_del, on_invalid, output->get == NULL ? NULL : on_get, outlet};
    const struct joiner_resolver resolver = {on_resolve, outlet};
    outlet->joiner = joiner_new(&n->options.limits, &joined);
    if (outlet->joiner == NULL) {
        free(outlet);
        return NULL;
    }
    joiner_set_resolver(outlet->joiner, &resolver);
    return outlet;
}

struct joiner *normalizer_joiner(struct normalizer *n, const struct normalizer_output *output)
{
    struct outlet *outlet = outlet_new(n, output);
    return outlet == NULL ? NULL : outlet->joiner;
}

static struct outlet *outlet_of(struct joiner *joiner)
{
    return joiner_context(joiner);
}

void normalizer_joiner_free(struct normalizer *n, struct joiner *joiner)
{
    if (joiner == NULL)
        return;
    struct outlet *outlet = outlet_of(joiner);
    report_joiner(n, outlet);
    n->reported.open -= outlet->reported.open;
    joiner_free(joiner);
    free(outlet);
}

static void note_skew(struct normalizer *n, const struct raw_record *record, int64_t now_ms)
{
    int64_t ahead = record->captured_at - now_ms;
    if (ahead <= 0)
        return;
    metric_set(n->metrics.skew, (double)ahead / 1000.0);
    if (ahead > n->options.clock_skew_ms)
        log_say(n->options.log, LOG_LEVEL_WARNING, "clock.skew", record->host, "captured %lld ms in the future: a clock is wrong",
                (long long)ahead);
}

/* A file of several statements is as many queries. */
static void feed_script(struct normalizer *n, struct joiner *joiner, const struct raw_record *record, int64_t now_ms)
{
    struct script_part *parts;
    struct space *space = spaces_get(n->resolver.spaces, resolve_name_space(&n->resolver, record->cluster));
    size_t count = space == NULL ? 0 : script_split(space, record, &parts, &n->arena);
    if (count == 0)
        joiner_feed(joiner, record, now_ms);
    for (size_t i = 0; i < count; i++) {
        struct raw_record part = *record;
        part.query_id = parts[i].query_id;
        part.sql = parts[i].sql;
        part.database = parts[i].database;
        if (part.session_id.len == 0)
            part.session_id = record->query_id;
        joiner_feed(joiner, &part, now_ms);
    }
}

static void feed(struct normalizer *n, struct joiner *joiner, const struct raw_record *record, int64_t now_ms)
{
    note_skew(n, record, now_ms);
    if (record->source == RAW_SQL_FILE && record->sql.len > 0)
        feed_script(n, joiner, record, now_ms);
    else
        joiner_feed(joiner, record, now_ms);
}

void normalizer_feed(struct normalizer *n, struct joiner *joiner, str_t value, const struct normalizer_origin *origin)
{
    struct raw_record record;
    str_t reason;
    int64_t now_ms = clock_now(&n->options.clock);
    arena_clear(&n->arena);
    if (!raw_read(value, &n->arena, &record, &reason)) {
        metric_add(n->metrics.records, 1);
        metric_add(n->metrics.invalid_records, 1);
        give_invalid(outlet_of(joiner), STR(""), value, reason, origin);
        return;
    }
    feed(n, joiner, &record, now_ms);
}

void normalizer_feed_record(struct normalizer *n, struct joiner *joiner, const struct raw_record *record)
{
    str_t reason;
    int64_t now_ms = clock_now(&n->options.clock);
    arena_clear(&n->arena);
    if (!raw_validate(record, &n->arena, &reason)) {
        on_invalid(outlet_of(joiner), record, reason);
        return;
    }
    feed(n, joiner, record, now_ms);
}

int64_t normalizer_tick(struct normalizer *n, struct joiner *joiner)
{
    int64_t next = joiner_tick(joiner, clock_now(&n->options.clock));
    report_joiner(n, outlet_of(joiner));
    report_lineage(n);
    return next;
}
