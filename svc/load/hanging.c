/* The worker sees what is committed, and so where the first unfinished transaction begins; the reader sees the end of the log. */
#include "load/hanging.h"

#include <stdlib.h>

enum { ASK_MS = 1000 };

struct hanging_watch {
    struct kafka_worker *worker;
    struct kafka_reader *reader;
    struct log *log;
    struct buf topic;
};

bool hanging_note(struct hanging *h, int64_t stable, int64_t end, int64_t now_ms)
{
    if (stable >= end) {
        *h = (struct hanging){stable, 0};
        return false;
    }
    if (h->since == 0 || h->stable != stable)
        *h = (struct hanging){stable, now_ms == 0 ? 1 : now_ms};
    return now_ms - h->since >= HANGING_MS;
}

struct hanging_watch *hanging_watch_open(const struct config_kafka *kafka, str_t topic, struct kafka_worker *worker, struct log *log, struct buf *error)
{
    struct hanging_watch *w = calloc(1, sizeof *w);
    if (w == NULL) {
        BUF_ADD(error, "out of memory");
        return NULL;
    }
    w->worker = worker;
    w->log = log;
    buf_init(&w->topic, 0);
    buf_add(&w->topic, topic);
    w->reader = kafka_reader_open(kafka, topic, log, error);
    if (w->reader != NULL && !w->topic.failed)
        return w;
    hanging_watch_close(w);
    return NULL;
}

void hanging_watch_close(struct hanging_watch *w)
{
    if (w == NULL)
        return;
    kafka_reader_close(w->reader);
    buf_release(&w->topic);
    free(w);
}

bool hanging_watch_look(struct hanging_watch *w, int32_t partition, struct hanging *h, int64_t now_ms, bool *hangs)
{
    int64_t stable, low, end;
    if (!kafka_worker_end(w->worker, partition, ASK_MS, &stable) || !kafka_reader_bounds(w->reader, partition, ASK_MS, &low, &end))
        return false;
    *hangs = hanging_note(h, stable, end, now_ms);
    if (*hangs)
        log_say(w->log, LOG_LEVEL_ERROR, "load.stuck", buf_str(&w->topic),
                "partition %d cannot be read beyond %lld, for a transaction there is not ended by anybody: look for it with `kafka-transactions.sh find-hanging`, "
                "end it with `abort`; nothing is lost meanwhile",
                (int)partition, (long long)stable);
    return true;
}
