/* One process: batches, acknowledgements, a process that is killed at any moment, an output that cannot be written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "normalize/driver_local.h"
#include "normalize/state_db.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    QUERIES = 300,
    RECORDS = QUERIES * 3
};

struct folder {
    char path[64], state[96], output[96];
};

static void folder_make(struct folder *f)
{
    strcpy(f->path, "/tmp/colline-local-XXXXXX");
    assert_non_null(mkdtemp(f->path));
    snprintf(f->state, sizeof f->state, "%s/state.db", f->path);
    snprintf(f->output, sizeof f->output, "%s/events.jsonl", f->path);
}

static void folder_remove(const struct folder *f)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", f->path);
    assert_int_equal(system(command), 0);
}

static struct local *open_local(const struct folder *f, struct clock clock, size_t batch, bool into_state)
{
    const struct local_options options = {
        .normalizer = {.limits = {90000000, 300000, 10000, 90000000}, .clock = clock},
        .state = f->state,
        .output = into_state ? NULL : f->output,
        .batch = batch,
    };
    struct buf reason;
    buf_init(&reason, 0);
    struct local *local = local_open(&options, &reason);
    if (local == NULL)
        fail_msg("%.*s", (int)reason.len, reason.ptr);
    buf_release(&reason);
    return local;
}

/* The record number i: START, INPUT, FINISH of each query, those of three queries mixed. */
static str_t record(size_t i, char *out, size_t size)
{
    static const char *const kinds[] = {"\"kind\":\"START\",\"user\":\"etl\",\"sql\":\"insert into ads.t select a from ods.s\"",
                                        "\"kind\":\"INPUT\",\"tables\":[\"ods.s\"]", "\"kind\":\"FINISH\",\"status\":\"OK\",\"duration_ms\":5"};
    size_t query = i / 9 * 3 + i % 3, kind = i / 3 % 3;
    int len = snprintf(out, size,
                       "{\"v\":1,\"source\":\"daemon-log\",%s,\"query_id\":\"q%05zu\",\"position\":{\"file\":\"x\",\"offset\":%zu},"
                       "\"captured_at\":1773584553000,\"time_ms\":1773584553000}",
                       kinds[kind], query, i);
    return str_make(out, (size_t)len);
}

/* ---- what was acknowledged, as capture would keep it ------------------------------------------------------------ */

struct acks {
    bool done[RECORDS];
    int descriptor; /* a position is written here, as a checkpoint would be */
};

static void acked(void *context, uint64_t cookie)
{
    struct acks *acks = context;
    acks->done[cookie] = true;
}

static size_t first_missing(const struct acks *acks)
{
    size_t at = 0;
    while (at < RECORDS && acks->done[at])
        at++;
    return at;
}

static void send_all(struct local *local, struct acks *acks, size_t from)
{
    char line[512];
    struct sink *sink = local_sink(local);
    sink->acked = acked;
    sink->context = acks;
    for (size_t i = from; i < RECORDS; i++) {
        str_t value = record(i, line, sizeof line);
        while (!sink_send(sink, STR("k"), value, i))
            sink_poll(sink, 0);
        if (i % 7 == 0)
            sink_poll(sink, 0);
        size_t position = first_missing(acks);
        if (acks->descriptor > 0 && pwrite(acks->descriptor, &position, sizeof position, 0) != sizeof position)
            abort();
    }
    assert_true(sink_flush(sink, 1000));
}

/* Each query's event is in the file exactly once. */
static void check_file(const char *path)
{
    bool seen[QUERIES] = {false};
    char *line = NULL;
    size_t size = 0, count = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (getline(&line, &size, file) > 0) {
        const char *id = strstr(line, "\"query_id\":\"q");
        assert_non_null(id);
        size_t query = strtoul(id + 13, NULL, 10);
        assert_true(query < QUERIES && !seen[query]);
        assert_non_null(strstr(line, "\"user\":\"etl\""));
        assert_non_null(strstr(line, "\"is_valid\":true}\n"));
        seen[query] = true;
        count++;
    }
    assert_int_equal(count, QUERIES);
    free(line);
    fclose(file);
}

static void into_a_file(void **state)
{
    (void)state;
    struct folder f;
    folder_make(&f);
    static struct acks acks;
    memset(&acks, 0, sizeof acks);
    struct local *local = open_local(&f, clock_system(), 50, false);
    send_all(local, &acks, 0);
    assert_int_equal(first_missing(&acks), RECORDS);
    assert_int_equal(local_totals(local).events, QUERIES);
    assert_true(local_close(local));
    check_file(f.output);
    local = open_local(&f, clock_system(), 50, false); /* everything once more: nothing new */
    memset(&acks, 0, sizeof acks);
    send_all(local, &acks, 0);
    assert_true(local_close(local));
    check_file(f.output);
    folder_remove(&f);
}

/* Killed at random places, started again from the positions that were acknowledged. */
static void killed(void **state)
{
    (void)state;
    struct folder f;
    folder_make(&f);
    static struct acks acks;
    char position_path[96];
    snprintf(position_path, sizeof position_path, "%s/position", f.path);
    size_t from = 0;
    unsigned seed = 20261129;
    for (int round = 0; round < 200; round++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            memset(&acks, 0, sizeof acks);
            for (size_t i = 0; i < from; i++)
                acks.done[i] = true;
            acks.descriptor = open(position_path, O_WRONLY | O_CREAT, 0600);
            struct local *local = open_local(&f, clock_system(), 20, false);
            send_all(local, &acks, from);
            _exit(local_close(local) ? 0 : 1);
        }
        if (round < 12) {
            usleep((useconds_t)(5000 + rand_r(&seed) % 30000));
            kill(child, SIGKILL);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        int descriptor = open(position_path, O_RDONLY);
        if (descriptor >= 0) {
            if (pread(descriptor, &from, sizeof from, 0) != sizeof from)
                from = 0;
            close(descriptor);
        }
        if (WIFEXITED(status)) {
            assert_int_equal(WEXITSTATUS(status), 0);
            break;
        }
    }
    check_file(f.output);
    folder_remove(&f);
}

/* The output cannot grow for a while. */
static void no_room(void **state)
{
    (void)state;
    struct folder f;
    folder_make(&f);
    static struct acks acks;
    memset(&acks, 0, sizeof acks);
    int64_t now = 1773584553000;
    struct local *local = open_local(&f, clock_manual(&now), 60, false);
    struct rlimit before, small = {100000, RLIM_INFINITY};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    struct sink *sink = local_sink(local);
    sink->acked = acked;
    sink->context = &acks;
    char line[512];
    size_t refused = 0;
    for (size_t i = 0; i < RECORDS; i++) {
        str_t value = record(i, line, sizeof line);
        while (!sink_send(sink, STR("k"), value, i)) {
            now += 2000;
            if (++refused == 20)
                assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
            sink_poll(sink, 0);
        }
    }
    assert_true(sink_flush(sink, 0));
    assert_true(refused >= 20);
    assert_int_equal(first_missing(&acks), RECORDS);
    assert_true(local_close(local));
    check_file(f.output);
    folder_remove(&f);
}

static bool count_row(void *context, str_t key, str_t value)
{
    (void)key, (void)value;
    ++*(size_t *)context;
    return true;
}

/* Windows end and markers go by the clock, although the states are in the file only. */
static void time_goes_on(void **state)
{
    (void)state;
    struct folder f;
    folder_make(&f);
    static struct acks acks;
    memset(&acks, 0, sizeof acks);
    int64_t now = 1773584553000;
    struct local *local = open_local(&f, clock_manual(&now), 5000, true);
    send_all(local, &acks, 0);
    char line[512];
    str_t value = record(0, line, sizeof line);
    memcpy(strstr(line, "q00000"), "never1", 6);
    assert_true(local_feed(local, value, 0));
    assert_true(local_commit(local));
    for (int i = 0; i < 60; i++) {
        now += 3600 * 1000;
        local_all_read(local);
        local_tick(local);
        assert_true(local_commit(local));
    }
    assert_int_equal(local_totals(local).events, QUERIES + 1);
    assert_int_equal(local_totals(local).joined.incomplete, 1);
    assert_true(local_close(local));
    struct buf reason;
    buf_init(&reason, 0);
    struct state_db *db = state_db_open(f.state, &reason);
    assert_non_null(db);
    size_t rows = 0;
    assert_true(state_db_each_due(db, INT64_MAX, 100000, count_row, &rows));
    assert_int_equal(rows, 0);
    state_db_close(db);
    buf_release(&reason);
    folder_remove(&f);
}

static void newer_state_is_refused(void **state)
{
    (void)state;
    struct folder f;
    folder_make(&f);
    int64_t now = 1;
    assert_true(local_close(open_local(&f, clock_manual(&now), 10, true)));
    char command[192];
    snprintf(command, sizeof command, "printf '\\0\\0\\0\\11' | dd of=%s bs=1 seek=60 conv=notrunc status=none", f.state); /* user_version */
    assert_int_equal(system(command), 0);
    struct buf reason;
    buf_init(&reason, 0);
    assert_null(state_db_open(f.state, &reason));
    assert_non_null(memmem(reason.ptr, reason.len, "newer version", 13));
    buf_release(&reason);
    folder_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(into_a_file), cmocka_unit_test(killed),       cmocka_unit_test(no_room),
        cmocka_unit_test(time_goes_on), cmocka_unit_test(newer_state_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
