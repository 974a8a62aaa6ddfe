/*
 * hour FOLDER QUERIES NEVER local|memory: an hour of mixed load among others, by a clock that is set. Every hour QUERIES queries end, and so many begin and are
 * never heard of again that NEVER are open at any time: a query is given up after 25 hours and what is known of it kept for 25 more, so that is how long the load
 * takes to become steady; then an hour is measured; then nothing more comes, and two days pass. `local`: through the stages of one process, with their state in a
 * file in FOLDER; `memory`: with all states in memory, as a worker over Kafka keeps them.
 *
 * Of the queries that end, one in 20 tells a table half a minute late, which makes a second revision; of one in 10 a record comes twice within its window, of one
 * in 50 long after it. Exit status 1 unless each query gives one event and each late table one revision, exactly those that never ended come out as incomplete,
 * each when its time is over, no state is left, and memory was flat. Prints one line of JSON: memory in that hour, and what a state takes that is open.
 */
#include "normalize/driver_local.h"
#include "shared/queries.h"
#include "shared/seconds.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    FINGERPRINTS = 2000,
    HOUR_S = 3600,
    GIVEN_UP_S = 25 * HOUR_S,
    STEADY_S = 2 * GIVEN_UP_S + 1800, /* what was given up is kept as long again, in case its end comes */
    LOAD_S = STEADY_S + HOUR_S,
    PRICED = 100000, /* states whose bytes are counted */
    ENDS_AFTER_S = 5,
    TELLS_LATE_S = 35,
    REPEATS_S = 60,
    REPEATS_LATE_S = 1200,
    BATCH_S = 60, /* a commit waits for the disk */
    MINUTE_MS = 60000,
    DAY_MINUTES = 26 * 60
};

enum { PER_LATE = 20, PER_REPEAT = 10, PER_LATE_REPEAT = 50 };

struct totals {
    uint64_t events, revisions, incomplete, puts, dels;
};

struct hour {
    int64_t now;
    uint32_t queries, never; /* in all */
    unsigned char *seen; /* by number: events that came */
    bool wrong;
    struct totals totals;
    struct local *local; /* else the two below */
    struct normalizer *n;
    struct joiner *joiner;
    struct buf record;
    char output[4096];
};

/* ---- what comes out ---- */

static void count_event(struct hour *hour, str_t id, bool first, bool incomplete)
{
    uint32_t number = query_number(id);
    bool never_ended = number >= hour->queries;
    hour->wrong |= number >= hour->queries + hour->never || never_ended != incomplete || (first && hour->seen[number] != 0);
    if (number < hour->queries + hour->never)
        hour->seen[number] = 1;
    hour->totals.events += first;
    hour->totals.revisions += !first;
    hour->totals.incomplete += incomplete;
}

static void on_event(void *context, const struct event *event, str_t json)
{
    (void)json;
    count_event(context, event->query_id, event->revision == 1, event->incomplete);
}

static void on_invalid(void *context, str_t query_id, str_t json)
{
    struct hour *hour = context;
    (void)query_id;
    fprintf(stderr, "invalid: %.*s\n", (int)json.len, json.ptr);
    hour->wrong = true;
}

static void on_put(void *context, str_t query_id, str_t state)
{
    struct hour *hour = context;
    hour->totals.puts += query_id.len > 0 && state.len > 0;
}

static void on_del(void *context, str_t query_id)
{
    struct hour *hour = context;
    hour->totals.dels += query_id.len > 0;
}

/* The events of the local way, from its file. */
static bool read_events(struct hour *hour)
{
    static const char id[] = "\"query_id\":\"", first[] = "\"revision\":1,", incomplete[] = "\"incomplete\":true";
    FILE *file = fopen(hour->output, "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t len;
    while (file != NULL && (len = getline(&line, &room, file)) > 0) {
        const char *at = strstr(line, id);
        hour->wrong |= at == NULL;
        if (at != NULL)
            count_event(hour, str_make(at + sizeof id - 1, QUERY_ID_LEN), strstr(line, first) != NULL, strstr(line, incomplete) != NULL);
    }
    free(line);
    if (file != NULL)
        fclose(file);
    return file != NULL;
}

/* ---- the stages ---- */

static bool open_stage(struct hour *hour, const char *folder, bool local)
{
    struct buf reason;
    buf_init(&reason, 0);
    char state[4096];
    snprintf(state, sizeof state, "%s/hour.db", folder);
    snprintf(hour->output, sizeof hour->output, "%s/hour.jsonl", folder);
    const struct normalizer_options options = {.limits = {90000000, 300000, 10000, 90000000},
                                               .cache_entries = FINGERPRINTS,
                                               .clock_skew_ms = 5000,
                                               .clock = clock_manual(&hour->now)};
    const struct local_options local_options = {.normalizer = options, .state = state, .output = hour->output};
    const struct normalizer_output output = {on_event, on_invalid, on_put, on_del, NULL, NULL, hour};
    if (local) {
        hour->local = local_open(&local_options, &reason);
    } else {
        hour->n = normalizer_new(&options, &reason);
        hour->joiner = hour->n == NULL ? NULL : normalizer_joiner(hour->n, &output);
    }
    if (hour->local == NULL && hour->joiner == NULL)
        fprintf(stderr, "hour: %.*s\n", (int)reason.len, reason.ptr);
    buf_release(&reason);
    return hour->local != NULL || hour->joiner != NULL;
}

static void close_stage(struct hour *hour)
{
    if (hour->local != NULL)
        hour->wrong |= !local_close(hour->local);
    if (hour->joiner != NULL)
        normalizer_joiner_free(hour->n, hour->joiner);
    normalizer_free(hour->n);
}

/* A record that was written so many seconds ago. */
static void give_again(struct hour *hour, uint32_t number, enum raw_kind kind, int64_t ago)
{
    static const struct normalizer_origin origin = {{"raw", 3}, 0, 0};
    struct query query;
    query_make(&query, number, FINGERPRINTS, number);
    buf_clear(&hour->record);
    query_record(&hour->record, &query, kind, hour->now - ago * 1000);
    if (hour->joiner != NULL)
        normalizer_feed(hour->n, hour->joiner, buf_str(&hour->record), &origin);
    else if (!local_feed(hour->local, buf_str(&hour->record), -1))
        hour->wrong |= !local_commit(hour->local) || !local_feed(hour->local, buf_str(&hour->record), -1);
}

static void give(struct hour *hour, uint32_t number, enum raw_kind kind)
{
    give_again(hour, number, kind, 0);
}

static void end_batch(struct hour *hour)
{
    if (hour->joiner != NULL) {
        joiner_all_read(hour->joiner, hour->now);
        normalizer_tick(hour->n, hour->joiner);
        joiner_settle(hour->joiner);
        joiner_commit(hour->joiner);
    } else {
        local_all_read(hour->local);
        local_tick(hour->local);
        hour->wrong |= !local_commit(hour->local);
    }
}

static struct joiner_counts counts_of(const struct hour *hour)
{
    return hour->joiner != NULL ? joiner_counts(hour->joiner) : local_totals(hour->local).joined;
}

/* ---- time ---- */

/* How many of `count` have begun before a second. */
static uint32_t begun_by(uint32_t count, int64_t second)
{
    return second <= 0 ? 0 : second >= LOAD_S ? count : (uint32_t)((uint64_t)count * (uint64_t)second / LOAD_S);
}

/* Calls with every query that began so many seconds ago. */
static void each_begun(struct hour *hour, int64_t second, int64_t ago, void (*call)(struct hour *hour, uint32_t number))
{
    for (uint32_t i = begun_by(hour->queries, second - ago); i < begun_by(hour->queries, second - ago + 1); i++)
        call(hour, i);
}

static void begin(struct hour *hour, uint32_t number)
{
    give(hour, number, RAW_START);
    if (number % PER_LATE != 0)
        give(hour, number, RAW_INPUT);
    give(hour, number, RAW_OUTPUT);
}

static void end(struct hour *hour, uint32_t number)
{
    give(hour, number, RAW_SCAN);
    give(hour, number, RAW_FINISH);
}

static void tell_late(struct hour *hour, uint32_t number)
{
    if (number % PER_LATE == 0)
        give(hour, number, RAW_INPUT);
}

static void repeat(struct hour *hour, uint32_t number)
{
    if (number % PER_REPEAT == 0)
        give_again(hour, number, RAW_FINISH, REPEATS_S - ENDS_AFTER_S);
}

static void repeat_late(struct hour *hour, uint32_t number)
{
    if (number % PER_LATE_REPEAT == 0)
        give_again(hour, number, RAW_START, REPEATS_LATE_S);
}

static void run_second(struct hour *hour, int64_t second)
{
    each_begun(hour, second, 0, begin);
    each_begun(hour, second, ENDS_AFTER_S, end);
    each_begun(hour, second, TELLS_LATE_S, tell_late);
    each_begun(hour, second, REPEATS_S, repeat);
    each_begun(hour, second, REPEATS_LATE_S, repeat_late);
    for (uint32_t i = begun_by(hour->never, second); i < begun_by(hour->never, second + 1); i++) {
        give(hour, hour->queries + i, RAW_START);
        give(hour, hour->queries + i, RAW_INPUT);
    }
    if (hour->joiner != NULL || second % BATCH_S == 0)
        end_batch(hour);
    hour->now += 1000;
}

/* What is due within a minute may take several batches. */
static void run_minute(struct hour *hour)
{
    uint64_t before;
    hour->now += MINUTE_MS;
    do {
        before = counts_of(hour).incomplete;
        end_batch(hour);
    } while (counts_of(hour).incomplete > before);
}

/* ---- memory ---- */

static double resident_mib(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%*d %ld", &pages) != 1)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1048576;
}

static double used_bytes(void)
{
    struct mallinfo2 info = mallinfo2();
    return (double)(info.uordblks + info.hblkhd);
}

/* Of one figure in the measured hour. */
struct course {
    double first, last, least, most;
};

static void note(struct course *course, double value, bool first)
{
    if (first)
        *course = (struct course){value, value, value, value};
    course->last = value;
    course->least = value < course->least ? value : course->least;
    course->most = value > course->most ? value : course->most;
}

/* AddressSanitizer keeps what was freed, so under it memory tells nothing. */
#ifdef __SANITIZE_ADDRESS__
enum { TELLS_MEMORY = 0 };
#else
enum { TELLS_MEMORY = 1 };
#endif

/* Pages that were touched for the first time are no growth. */
static bool is_flat(const struct course *resident)
{
    double grown = resident->last - resident->first;
    if (!TELLS_MEMORY)
        return true;
    return grown < 1 || grown < resident->first / 50;
}

/* Whether so many were given up as are due: all that began 25 hours ago, but for those of the last batches. */
static bool given_up_in_time(const struct hour *hour, int64_t second)
{
    uint64_t given_up = counts_of(hour).incomplete;
    return given_up <= begun_by(hour->never, second - GIVEN_UP_S + 1) && given_up >= begun_by(hour->never, second - GIVEN_UP_S - 2 * BATCH_S);
}

static void run_load(struct hour *hour, struct course *resident, struct course *used)
{
    for (int64_t second = 0; second < LOAD_S; second++) {
        run_second(hour, second);
        if (second % BATCH_S != 0)
            continue;
        hour->wrong |= !given_up_in_time(hour, second);
        if (second < STEADY_S)
            continue;
        note(resident, resident_mib(), second < STEADY_S + BATCH_S);
        note(used, used_bytes() / 1048576, second < STEADY_S + BATCH_S);
    }
}

static void run_rest(struct hour *hour)
{
    for (int64_t second = LOAD_S; second <= LOAD_S + REPEATS_LATE_S; second++)
        run_second(hour, second); /* what began in the hour ends */
    for (int minute = 0; minute < 2 * DAY_MINUTES; minute++)
        run_minute(hour); /* the markers of the incomplete ones go, too */
}

/* Bytes that a state in memory takes that is open: of queries that nobody has heard of. */
static double price_of_open(struct hour *hour)
{
    uint32_t first = hour->queries + hour->never;
    double before = used_bytes();
    for (uint32_t i = 0; i < PRICED; i++) {
        give(hour, first + i, RAW_START);
        give(hour, first + i, RAW_INPUT);
        if (i % 100 == 99)
            end_batch(hour);
    }
    return (used_bytes() - before) / (double)PRICED;
}

/* Whether what came out is what must come out, of the load as it was when it ended. */
static bool is_right(const struct hour *hour)
{
    bool gone = hour->joiner == NULL || hour->totals.dels == (uint64_t)hour->queries + hour->never;
    return !hour->wrong && gone && counts_of(hour).open == 0;
}

static bool is_complete(const struct hour *hour)
{
    return hour->totals.incomplete == hour->never && hour->totals.events == (uint64_t)hour->queries + hour->never &&
           hour->totals.revisions == (hour->queries + PER_LATE - 1) / PER_LATE;
}

static bool prepare(struct hour *hour, char **argv)
{
    hour->queries = (uint32_t)((uint64_t)strtoul(argv[2], NULL, 10) * LOAD_S / HOUR_S);
    hour->never = (uint32_t)((uint64_t)strtoul(argv[3], NULL, 10) * LOAD_S / GIVEN_UP_S);
    hour->seen = malloc((size_t)hour->queries + hour->never + 1);
    if (hour->seen != NULL)
        memset(hour->seen, 0, (size_t)hour->queries + hour->never + 1); /* resident from the beginning */
    buf_init(&hour->record, 0);
    return hour->seen != NULL && open_stage(hour, argv[1], strcmp(argv[4], "local") == 0);
}

int main(int argc, char **argv)
{
    struct hour hour = {.now = 1773500000000};
    struct course resident = {0}, used = {0};
    if (argc != 5)
        return 2;
    if (!prepare(&hour, argv))
        return 3;
    double begin_s = processor_seconds();
    run_load(&hour, &resident, &used);
    uint64_t open = counts_of(&hour).open;
    run_rest(&hour);
    hour.wrong = !is_right(&hour);
    double took = processor_seconds() - begin_s, price = hour.joiner == NULL ? 0 : price_of_open(&hour);
    close_stage(&hour);
    if (hour.joiner == NULL)
        hour.wrong |= !read_events(&hour);
    hour.wrong |= !is_complete(&hour) || !is_flat(&resident);
    printf("{\"queries\":%" PRIu32 ",\"never_finished\":%" PRIu32 ",\"open\":%" PRIu64 ",\"incomplete\":%" PRIu64 ",\"events\":%" PRIu64
           ",\"revisions\":%" PRIu64 ",\"mib_begin\":%.1f,\"mib_end\":%.1f,\"mib_least\":%.1f,\"mib_most\":%.1f,\"used_mib_begin\":%.1f,\"used_mib_end\":%.1f"
           ",\"used_mib_most\":%.1f,\"bytes_per_open\":%.0f,\"processor_seconds\":%.1f}\n",
           hour.queries, hour.never, open, hour.totals.incomplete, hour.totals.events, hour.totals.revisions, resident.first, resident.last, resident.least,
           resident.most, used.first, used.last, used.most, price, took);
    buf_release(&hour.record);
    free(hour.seen);
    return hour.wrong ? 1 : 0;
}
