/*
 * latency LOG RATE SECONDS file PATH | latency LOG RATE SECONDS kafka PORT TOPIC: how long a line of a log on disk takes to become an event.
 *
 * One thread appends RATE lines a second to LOG, a batch every millisecond: those of many queries at once, interleaved, five a query. The other
 * waits for the events, in a file of JSON lines or in a topic as a reader of committed records sees them. The time of a query goes from the
 * return of the write with its last line to the moment in which its event is seen; those of the first five seconds, while everything starts,
 * are left out. Prints one line of JSON. Exit status 1 when an event is missing or came twice.
 */
#include "bus/kafka_reader.h"
#include "shared/queries.h"
#include "shared/seconds.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    FINGERPRINTS = 20000,
    APART = 3, /* queries that begin between two lines of one */
    WARM_SECONDS = 5,
    GIVE_UP_SECONDS = 30
};

struct run {
    const char *log;
    double seconds, begins; /* how long it writes; queries that begin in one */
    uint32_t queries;
    double *written; /* by query: when its last line was on disk; 0 not yet */
    double *seen;
    uint32_t seen_count;
    uint64_t repeated;
    _Atomic bool failed;
};

/* ---- writing ---- */

static void add_round(struct run *run, struct buf *out, uint32_t round, int64_t now_ms)
{
    for (uint32_t kind = 0; kind < QUERY_KINDS && kind * APART <= round; kind++) {
        struct query query;
        if (round - kind * APART >= run->queries)
            continue;
        query_make(&query, round - kind * APART, FINGERPRINTS, round - kind * APART);
        query_line(out, &query, (enum raw_kind)kind, now_ms);
    }
}

static void note_written(struct run *run, uint32_t from, uint32_t to, double now)
{
    const uint32_t last = (QUERY_KINDS - 1) * APART;
    for (uint32_t round = from; round < to; round++)
        if (round >= last)
            run->written[round - last] = now;
}

static void nap(long nanoseconds)
{
    const struct timespec pause = {0, nanoseconds};
    nanosleep(&pause, NULL);
}

static void *write_log(void *context)
{
    struct run *run = context;
    struct buf out;
    buf_init(&out, 0);
    int file = open(run->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    uint32_t round = 0, rounds = run->queries + (QUERY_KINDS - 1) * APART;
    double begin = steady_seconds();
    while (round < rounds && file >= 0) {
        uint32_t from = round, due = (uint32_t)((steady_seconds() - begin) * run->begins);
        int64_t now_ms = (int64_t)(seconds_of(CLOCK_REALTIME) * 1000);
        buf_clear(&out);
        for (; round < rounds && round < due; round++)
            add_round(run, &out, round, now_ms);
        if (out.len > 0 && write(file, out.ptr, out.len) != (ssize_t)out.len)
            break;
        note_written(run, from, round, steady_seconds());
        nap(1000000);
    }
    run->failed = round < rounds;
    if (file >= 0)
        close(file);
    buf_release(&out);
    return NULL;
}

/* ---- waiting ---- */

static void note_seen(struct run *run, str_t id)
{
    uint32_t number = query_number(id);
    if (number >= run->queries)
        return;
    run->repeated += run->seen[number] > 0;
    run->seen_count += run->seen[number] <= 0;
    if (run->seen[number] <= 0)
        run->seen[number] = steady_seconds();
}

static bool is_waiting(const struct run *run, double begin)
{
    return run->seen_count < run->queries && !run->failed && steady_seconds() - begin < run->seconds + (double)GIVE_UP_SECONDS;
}

static void note_line(struct run *run, str_t line)
{
    static const char mark[] = "\"query_id\":\"";
    const char *at = memmem(line.ptr, line.len, mark, sizeof mark - 1);
    if (at != NULL && (size_t)(line.ptr + line.len - at) > sizeof mark + QUERY_ID_LEN)
        note_seen(run, str_make(at + sizeof mark - 1, QUERY_ID_LEN));
}

static void watch_file(struct run *run, const char *path)
{
    struct buf bytes;
    buf_init(&bytes, 0);
    double begin = steady_seconds();
    for (int file = -1; is_waiting(run, begin);) {
        if (file < 0)
            file = open(path, O_RDONLY | O_CLOEXEC);
        ssize_t got = file < 0 || !buf_reserve(&bytes, 1 << 20) ? 0 : read(file, bytes.ptr + bytes.len, 1 << 20);
        if (got <= 0) {
            nap(500000);
            continue;
        }
        bytes.len += (size_t)got;
        size_t at = 0;
        for (const char *end; (end = memchr(bytes.ptr + at, '\n', bytes.len - at)) != NULL; at = (size_t)(end - bytes.ptr) + 1)
            note_line(run, str_make(bytes.ptr + at, (size_t)(end - bytes.ptr) - at));
        memmove(bytes.ptr, bytes.ptr + at, bytes.len - at);
        bytes.len -= at;
    }
    buf_release(&bytes);
}

static bool watch_topic(struct run *run, const char *port, const char *topic)
{
    struct config config;
    struct buf error;
    struct kafka_input input;
    char broker[64];
    snprintf(broker, sizeof broker, "127.0.0.1:%s", port);
    str_t brokers = str_make(broker, strlen(broker));
    config_init(&config);
    buf_init(&error, 4096);
    config.kafka.brokers = (struct config_list){&brokers, 1};
    struct kafka_reader *reader = kafka_reader_open(&config.kafka, str_make(topic, strlen(topic)), NULL, &error);
    int32_t partitions = reader == NULL ? 0 : kafka_reader_partitions(reader, 10000, &error);
    bool good = partitions > 0;
    for (int32_t i = 0; good && i < partitions; i++)
        good = kafka_reader_start(reader, i, 0);
    for (double begin = steady_seconds(); good && is_waiting(run, begin);) {
        if (kafka_reader_poll(reader, 100, &input) == KAFKA_READ_RECORD)
            note_seen(run, input.key);
        kafka_input_release(&input);
    }
    if (!good)
        fprintf(stderr, "latency: %s cannot be read: %.*s\n", topic, (int)error.len, error.ptr);
    kafka_reader_close(reader);
    buf_release(&error);
    config_release(&config);
    return good;
}

/* ---- figures ---- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_figures(const struct run *run)
{
    double *ms = calloc(run->queries + 1, sizeof *ms);
    uint32_t count = 0, warm = (uint32_t)(run->begins * (double)WARM_SECONDS);
    for (uint32_t i = warm < run->queries / 2 ? warm : 0; ms != NULL && i < run->queries; i++)
        if (run->seen[i] > 0)
            ms[count++] = (run->seen[i] - run->written[i]) * 1e3;
    if (count > 0)
        qsort(ms, count, sizeof *ms, compare);
    printf("{\"queries\":%u,\"seen\":%u,\"repeated\":%llu", run->queries, run->seen_count, (unsigned long long)run->repeated);
    if (count > 0)
        printf(",\"p50_ms\":%.1f,\"p95_ms\":%.1f,\"p99_ms\":%.1f,\"max_ms\":%.1f", ms[count / 2], ms[count * 95 / 100], ms[count * 99 / 100],
               ms[count - 1]);
    printf("}\n");
    free(ms);
}

int main(int argc, char **argv)
{
    bool kafka = argc == 7 && strcmp(argv[4], "kafka") == 0, file = argc == 6 && strcmp(argv[4], "file") == 0;
    if (!kafka && !file)
        return 2;
    struct run run = {.log = argv[1], .seconds = strtod(argv[3], NULL)};
    run.begins = strtod(argv[2], NULL) / (double)QUERY_KINDS;
    run.queries = (uint32_t)(run.begins * run.seconds);
    run.written = calloc(run.queries, sizeof *run.written);
    run.seen = calloc(run.queries, sizeof *run.seen);
    pthread_t writer;
    if (run.written == NULL || run.seen == NULL || pthread_create(&writer, NULL, write_log, &run) != 0)
        return 3;
    bool good = true;
    if (file)
        watch_file(&run, argv[5]);
    else
        good = watch_topic(&run, argv[5], argv[6]);
    pthread_join(writer, NULL);
    print_figures(&run);
    good = good && !run.failed && run.seen_count == run.queries && run.repeated == 0;
    free(run.written);
    free(run.seen);
    return good ? 0 : 1;
}
