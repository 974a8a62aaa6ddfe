/* What the web collector says and counts: troubles once each, load, completeness, clocks. */
#include "collect/web_ask.h"
#include "collect/web_inner.h"

#include <stdio.h>

/* ---- metrics ------------------------------------------------------------------------------- */

void web_make_metrics(struct web *web)
{
    struct metrics *m = web->base.output.metrics;
    struct web_metrics *w = &web->metrics;
    const struct metric_label labels[] = {{"source", web->options.source->name}};
    w->polls =
        metrics_counter(m, "colline_web_polls_total", "Lists of queries asked for", labels, 1);
    w->failures = metrics_counter(m, "colline_web_failures_total", "Answers that could not be used",
                                  labels, 1);
    w->bytes = metrics_counter(m, "colline_web_answer_bytes_total", "Bytes that the daemon sent",
                               labels, 1);
    w->took = metrics_histogram(m, "colline_web_request_seconds",
                                "Time that the daemon took to answer", NULL, 0, labels, 1);
    w->texts = metrics_counter(m, "colline_web_texts_total", "Statements fetched by id", labels, 1);
    w->texts_gone = metrics_counter(
        m, "colline_web_texts_gone_total",
        "Statements that stay cut: forgotten by the daemon, or no time left", labels, 1);
    w->unreadable = metrics_counter(m, "colline_web_unreadable_total",
                                    "Entries of lists without a query id", labels, 1);
    w->missed = metrics_counter(m, "colline_web_missed_total",
                                "Queries whose end was not seen, estimated", labels, 1);
    w->completeness =
        metrics_gauge(m, "colline_web_completeness",
                      "Share of the ended queries that were seen, since the start", labels, 1);
    w->interval =
        metrics_gauge(m, "colline_web_interval_seconds", "From one poll to the next", labels, 1);
    w->queries = metrics_counter(
        m, "colline_capture_records_total", "Records read, by kind",
        METRIC_LABELS({"source", web->options.source->name}, {"kind", STR("QUERY")}));
    w->finishes = metrics_counter(
        m, "colline_capture_records_total", "Records read, by kind",
        METRIC_LABELS({"source", web->options.source->name}, {"kind", STR("FINISH")}));
    w->lag = metrics_gauge(
        m, "colline_capture_lag_seconds", "Age of the newest record of a host when it was read",
        METRIC_LABELS({"source", web->options.source->name}, {"host", web->host}));
    w->skew = metrics_gauge(
        m, "colline_capture_clock_skew_seconds", "How far a host's log is ahead of this clock",
        METRIC_LABELS({"source", web->options.source->name}, {"host", web->host}));
    metric_set(w->completeness, 1);
}

/* ---- troubles ------------------------------------------------------------------------------ */

/* Each kind of trouble of the lists once, until it is another or over. */
void web_trouble(struct web *web, const char *code, const char *text)
{
    char event[32];
    metric_add(web->metrics.failures, 1);
    if (web->phase == WEB_GIVING) { /* of a text: the lists are good */
        log_say(web->base.output.log, LOG_LEVEL_WARNING, "web.text", web->options.source->name,
                "%s: a statement cannot be fetched: %s", web->url, text);
        return;
    }
    if (web->trouble == code)
        return;
    web->trouble = code;
    snprintf(event, sizeof event, "web.%s", code);
    log_say(web->base.output.log, LOG_LEVEL_WARNING, event, web->options.source->name, "%s: %s",
            web->url, text);
}

void web_no_trouble(struct web *web)
{
    if (web->trouble != NULL)
        log_say(web->base.output.log, LOG_LEVEL_INFO, "web.back", web->options.source->name,
                "%s answers again", web->url);
    web->trouble = NULL;
}

static void say_status(struct web *web, const struct hook_answer *answer, const char **code)
{
    char why[WEB_REFUSAL] = "", text[WEB_REFUSAL + 32];
    bool refused = answer->status == 401 || answer->status == 403;
    *code = refused ? "refused" : "status";
    if (refused)
        web_refusal(web->options.source, answer, why);
    snprintf(text, sizeof text, "HTTP status %ld%s%s", answer->status, refused ? ": " : "", why);
    web_trouble(web, *code, text);
}

const char *web_judge(struct web *web, const struct hook_answer *answer, bool whole)
{
    const char *code = NULL;
    metric_add(web->metrics.bytes, answer->received);
    metric_observe(web->metrics.took, (double)answer->took_us / 1e6);
    if (web->phase == WEB_ASKED_LIST)
        web->pace.asked_us = answer->took_us;
    if (answer->status != 0 && answer->status != 200)
        say_status(web, answer, &code);
    else if (!whole)
        web_trouble(web, code = answer->status == 200 ? "half_answer" : "no_answer", answer->error);
    return code;
}

/* ---- completeness -------------------------------------------------------------------------- */

static int64_t newest_end(const struct web_page *page)
{
    return page->completed == 0 ? 0 : page->queries[page->completed - 1].end_ms;
}

/*
 * How many ended unseen, when the page has nothing in common with the one before: as many as ended
 * in the time that the page spans, by the time between its oldest and our last look. At least one.
 */
static uint64_t estimate_missed(const struct web *web, int64_t since_ms)
{
    const struct web_page *page = &web->page;
    int64_t spans = web_page_span(page);
    int64_t gap = since_ms - spans;
    if (spans <= 0 || gap <= 0)
        return 1;
    double missed = (double)page->completed * (double)gap / (double)spans;
    return missed < 1 ? 1 : missed > 1e9 ? 1000000000 : (uint64_t)missed;
}

/*
 * A list that is as full as before and has nothing in common with what it was: it turned over. One
 * that is shorter was emptied by a restart of the daemon.
 */
void web_watch_completeness(struct web *web, const struct web_change *change)
{
    uint64_t missed = change->vanished;
    const struct web_page *page = &web->page;
    int64_t now = clock_steady(web->base.output.clock);
    bool turned_over = change->common == 0 && web->knowledge.last_completed > 0 &&
                       page->completed >= web->knowledge.last_completed;
    if (turned_over)
        missed += estimate_missed(web, web->listed_at == 0 ? 0 : now - web->listed_at);
    web->knowledge.last_completed = page->completed;
    web->missed += missed;
    metric_add(web->metrics.missed, missed);
    if (missed > 0)
        log_say(web->base.output.log, LOG_LEVEL_WARNING, "web.incomplete",
                web->options.source->name,
                "%s: about %llu queries ended without being seen: shorten `interval`, raise the "
                "daemon's --query_log_size, or read "
                "its profile log",
                web->url, (unsigned long long)missed);
}

void web_watch_entries(struct web *web)
{
    size_t count = web->page.unreadable;
    metric_add(web->metrics.unreadable, count);
    if (count > 0)
        log_say(web->base.output.log, LOG_LEVEL_WARNING, "web.entries", web->options.source->name,
                "%s: %zu entries of the list have no query id; they are passed over", web->url,
                count);
}

void web_watch_clock(struct web *web)
{
    const struct collector_output *output = &web->base.output;
    int64_t newest = newest_end(&web->page), lag = clock_now(output->clock) - newest;
    if (newest == 0)
        return;
    int64_t ahead = lag < 0 ? -lag : 0;
    metric_set(web->metrics.skew, (double)ahead / 1000);
    if (ahead > web->options.clock_skew_ms)
        log_say(output->log, LOG_LEVEL_WARNING, "clock.skew", web->host,
                "the daemon is %lld s ahead of this machine's clock: set the clocks by NTP, and "
                "check the cluster's time zone",
                (long long)(ahead / 1000));
}
