/*
 * logs FOLDER QUERIES [FINGERPRINTS [FILES [HOSTS]]]: a day's log of daemons: five lines a query (the text, tables read and written, a path, the
 * end), written at once. FINGERPRINTS is 20,000, and no two texts are the same unless told otherwise by their literals; the queries of a host go
 * into FILES (4) files one after the other, FOLDER/hN/impalad.INFO.K. The lines of 50 queries are interleaved; their times are the last 24 hours.
 * Prints one line of JSON.
 */
#include "shared/queries.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

enum {
    FINGERPRINTS = 20000,
    BETWEEN = 50, /* queries that begin between two lines of one */
    DAY_S = 24 * 3600,
    CHUNK = 4 << 20
};

static uint32_t number_of(int argc, char **argv, int at, uint32_t otherwise)
{
    return argc > at ? (uint32_t)strtoul(argv[at], NULL, 10) : otherwise;
}

/* Queries `first`, `first` + `step` … below `end`: each begins in a round of its own, its other lines follow BETWEEN rounds apart. */
static void write_queries(FILE *file, uint32_t first, uint32_t end, uint32_t step, uint32_t fingerprints, const int64_t times[2])
{
    struct buf out;
    buf_init(&out, 0);
    uint32_t count = end > first ? (end - first + step - 1) / step : 0, rounds = count + (QUERY_KINDS - 1) * BETWEEN;
    for (uint32_t round = 0; count > 0 && round < rounds; round++) {
        int64_t time_ms = times[0] + (times[1] - times[0]) * round / rounds;
        for (uint32_t kind = 0; kind < QUERY_KINDS && kind * BETWEEN <= round; kind++) {
            struct query query;
            uint32_t at = round - kind * BETWEEN;
            if (at >= count)
                continue;
            query_make(&query, first + at * step, fingerprints, first + at * step);
            query_line(&out, &query, (enum raw_kind)kind, time_ms);
        }
        if (out.len > CHUNK || round + 1 == rounds) {
            fwrite(out.ptr, 1, out.len, file);
            buf_clear(&out);
        }
    }
    buf_release(&out);
}

static bool write_file(const char *folder, uint32_t host, uint32_t k, const uint32_t range[3], uint32_t fingerprints, const int64_t times[2])
{
    char path[4096];
    snprintf(path, sizeof path, "%s/h%u", folder, host);
    if (mkdir(path, 0755) != 0 && errno != EEXIST)
        return false;
    snprintf(path, sizeof path, "%s/h%u/impalad.INFO.%u", folder, host, k);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return false;
    write_queries(file, range[0], range[1], range[2], fingerprints, times);
    return fclose(file) == 0;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    uint32_t queries = number_of(argc, argv, 2, 0), fingerprints = number_of(argc, argv, 3, FINGERPRINTS);
    uint32_t files = number_of(argc, argv, 4, 4), hosts = number_of(argc, argv, 5, 1);
    int64_t begin_ms = ((int64_t)time(NULL) - DAY_S) * 1000;
    for (uint32_t host = 0; host < hosts; host++)
        for (uint32_t k = 0; k < files; k++) {
            uint32_t from = (uint32_t)((uint64_t)queries * k / files), to = (uint32_t)((uint64_t)queries * (k + 1) / files);
            uint32_t first = from + (host + hosts - from % hosts) % hosts; /* query q is of host q % hosts */
            const int64_t times[] = {begin_ms + DAY_S * (int64_t)1000 * k / files, begin_ms + DAY_S * (int64_t)1000 * (k + 1) / files};
            if (!write_file(argv[1], host, k, (const uint32_t[]){first, to, hosts}, fingerprints, times)) {
                perror(argv[1]);
                return 3;
            }
        }
    printf("{\"log_queries\":%u,\"log_lines\":%u}\n", queries, queries * QUERY_KINDS);
    return 0;
}
