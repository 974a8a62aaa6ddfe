/* Files of a source: found by the scanner of the tail, looked at one by one, the newest of each host read. */
#include "doctor/files.h"

#include "collect/tail/scan.h"
#include "doctor/access.h"
#include "doctor/flags.h"
#include "doctor/span.h"
#include "doctor/sample.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define SHOWN(text) (int)(text).len, (text).ptr

enum {
    SHOWN_MAX = 5,   /* findings of one kind about one source; more are counted */
    HOSTS_MAX = 64,  /* whose newest file is read */
    STILL_MS = 600000,
    BEHIND_MS = 120000, /* a line may wait in the daemon's buffer */
    QUARTER_MS = 900000,
    ZONES_MS = 93600000, /* 26 hours: no two zones are further apart */
    FEW_PERCENT = 1,
    MANY_PERCENT = 20,
    HEAD_BYTES = 1 << 20,
    HEADS_MAX = 32
};

struct looking {
    const struct config *config;
    const struct config_source *source;
    const struct clock *clock;
    const struct zone *zone;
    struct findings *findings;
    struct arena arena;
    struct scan scan;
    bool hook_seen;
    uint64_t hook_bytes;
};

/* ---- patterns and rights ---------------------------------------------------------------------------------------- */

static void explain_no_match(struct looking *looking, str_t pattern)
{
    struct access_answer answer;
    access_explain(pattern, &answer);
    finding_add(looking->findings, FINDING_FAIL, "files", looking->source->name, "nothing matches %.*s: %s", SHOWN(pattern),
                answer.state == ACCESS_OPEN ? "it holds no file" : answer.why);
    if (answer.todo[0] != '\0')
        finding_todo(looking->findings, "%s", answer.todo);
    else
        finding_todo(looking->findings, "correct `paths`, or look whether the daemon has ever run here and where its log goes");
}

static bool matches_something(struct looking *looking, str_t *pattern)
{
    struct config_source one = *looking->source;
    struct scan scan;
    one.paths = (struct config_list){pattern, 1};
    return scan_run(&scan, &one, &looking->arena) && scan.files.count > 0;
}

/* True when every file can be read. */
static bool check_rights(struct looking *looking)
{
    struct access_answer answer;
    size_t closed = 0;
    for (uint32_t i = 0; i < looking->scan.files.count; i++) {
        const char *path = looking->scan.files.items[i].path;
        access_explain(str_make(path, strlen(path)), &answer);
        if (answer.state != ACCESS_CLOSED || ++closed > SHOWN_MAX)
            continue;
        finding_add(looking->findings, FINDING_FAIL, "files", looking->source->name, "%s", answer.why);
        finding_todo(looking->findings, "%s", answer.todo);
    }
    if (closed > SHOWN_MAX)
        finding_add(looking->findings, FINDING_FAIL, "files", looking->source->name, "%zu more files cannot be read", closed - SHOWN_MAX);
    return closed == 0;
}

static bool check_patterns(struct looking *looking)
{
    const struct config_source *source = looking->source;
    bool good = true;
    for (uint32_t i = 0; i < source->paths.count; i++)
        if (!matches_something(looking, &source->paths.items[i])) {
            explain_no_match(looking, source->paths.items[i]);
            good = false;
        }
    if (!scan_run(&looking->scan, source, &looking->arena) || looking->scan.files.count == 0)
        return false;
    return check_rights(looking) && good;
}

/* ---- the newest file of a host ---------------------------------------------------------------------------------- */

/* About a source, or about one of its hosts where it has several. */
static str_t about(struct looking *looking, const struct scanned *file)
{
    if (file->host.len == 0)
        return looking->source->name;
    str_t with = arena_join(&looking->arena, looking->source->name, STR(", host "));
    return arena_join(&looking->arena, with, file->host);
}

static void check_freshness(struct looking *looking, const struct scanned *file)
{
    char age[SPAN_TEXT];
    int64_t written = (int64_t)file->status.st_mtim.tv_sec * 1000, still = clock_now(looking->clock) - written;
    span_text(still, age);
    if (looking->source->backfill || still <= STILL_MS) {
        finding_add(looking->findings, FINDING_OK, "fresh", about(looking, file), "%s was written %s ago", file->path, age);
        return;
    }
    finding_add(looking->findings, FINDING_WARN, "fresh", about(looking, file), "%s was last written %s ago", file->path, age);
    finding_todo(looking->findings, "if queries ran since, the daemon writes elsewhere: compare `paths` with its --log_dir; or its disk is full");
}

/* Zones differ by whole quarters of an hour. */
static bool is_zone_apart(int64_t ms)
{
    int64_t rest = ms % QUARTER_MS;
    return ms >= QUARTER_MS && ms <= ZONES_MS && (rest < BEHIND_MS || QUARTER_MS - rest < BEHIND_MS);
}

static void advise_zone(struct looking *looking)
{
    const struct config_cluster *cluster = looking->source->of_cluster;
    finding_todo(looking->findings, "set `time_zone` of the cluster %.*s, %.*s by now, to the zone in which the daemon's log tells the time",
                 SHOWN(cluster->name), SHOWN(cluster->time_zone));
}

static void check_clock(struct looking *looking, const struct scanned *file, const struct sample *sample)
{
    char apart[SPAN_TEXT];
    int64_t written = (int64_t)file->status.st_mtim.tv_sec * 1000;
    int64_t ahead = sample->newest_ms - clock_now(looking->clock), behind = written - sample->newest_ms;
    if (sample->newest_ms == 0)
        return;
    if (ahead > looking->config->limits.clock_skew) {
        span_text(ahead, apart);
        finding_add(looking->findings, FINDING_WARN, "clock", about(looking, file), "the newest record is %s ahead of this machine's clock", apart);
        if (is_zone_apart(ahead + BEHIND_MS / 2))
            advise_zone(looking);
        else
            finding_todo(looking->findings, "set the clocks of both machines by NTP: timedatectl set-ntp true");
    } else if (sample->newest_at_end && is_zone_apart(behind)) {
        span_text(behind, apart);
        finding_add(looking->findings, FINDING_WARN, "clock", about(looking, file), "the last record says a time %s before it was written", apart);
        advise_zone(looking);
    } else {
        span_text(-ahead, apart);
        finding_add(looking->findings, FINDING_OK, "clock", about(looking, file), "the newest record is %s old", apart);
    }
}

static void check_parsing(struct looking *looking, const struct scanned *file, const struct sample *sample)
{
    uint64_t all = sample->records + sample->failures;
    if (all == 0 && sample->lines > 0) {
        finding_add(looking->findings, FINDING_WARN, "parsing", about(looking, file), "none of the last %llu lines is a record of this kind",
                    (unsigned long long)sample->lines);
        finding_todo(looking->findings, "look whether `kind` fits %s; `colline capture --to - --once --from-beginning` shows what is read", file->path);
        return;
    }
    uint64_t share = all == 0 ? 0 : sample->failures * 100 / all;
    enum finding_level level = share >= MANY_PERCENT ? FINDING_FAIL : share >= FEW_PERCENT ? FINDING_WARN : FINDING_OK;
    if (sample->failures == 0) {
        finding_add(looking->findings, level, "parsing", about(looking, file), "all of the last %llu records can be read", (unsigned long long)all);
        return;
    }
    finding_add(looking->findings, level, "parsing", about(looking, file), "%llu of the last %llu records cannot be read, most often `%s`",
                (unsigned long long)sample->failures, (unsigned long long)all, sample->codes[0].code);
    if (level != FINDING_OK)
        finding_todo(looking->findings, "metric colline_capture_parse_failures_total counts them by code; look at the lines in %s", file->path);
}

static void check_newest(struct looking *looking, const struct scanned *file)
{
    struct sample sample;
    if (looking->source->kind == KIND_SQL_FILE)
        return;
    check_freshness(looking, file);
    if (str_ends_with(str_make(file->path, strlen(file->path)), STR(".gz")))
        return;
    if (!sample_read(looking->source, file->path, &file->status, looking->zone, &sample)) {
        finding_add(looking->findings, FINDING_FAIL, "parsing", about(looking, file), "%s: %s", file->path, strerror(errno));
        return;
    }
    looking->hook_seen |= sample.records > 0;
    looking->hook_bytes += file->status.st_size < SAMPLE_BYTES ? (uint64_t)file->status.st_size : SAMPLE_BYTES;
    if (!looking->source->backfill)
        check_clock(looking, file, &sample);
    bool hive = looking->source->kind == KIND_HIVE_HOOK || looking->source->kind == KIND_HIVE_LOG; /* much else stands in these logs */
    if (!hive || sample.records + sample.failures > 0)
        check_parsing(looking, file, &sample);
}

/* Files come the oldest first, so a host's last one is its newest. */
static bool is_newest(const struct scan *scan, uint32_t at)
{
    for (uint32_t i = at + 1; i < scan->files.count; i++)
        if (str_eq(scan->files.items[i].host, scan->files.items[at].host))
            return false;
    return true;
}

static void check_hook(struct looking *looking)
{
    if (looking->source->kind != KIND_HIVE_HOOK || looking->hook_seen || looking->hook_bytes == 0)
        return;
    finding_add(looking->findings, FINDING_WARN, "hook", looking->source->name, "no line of Hive's LineageLogger in the last %llu KiB",
                (unsigned long long)((looking->hook_bytes + 1023) / 1024));
    finding_todo(looking->findings,
                 "hive-site.xml of HiveServer2: hive.exec.post.hooks must name org.apache.hadoop.hive.ql.hooks.LineageLogger; 4.0 also "
                 "needs hive.lineage.hook.info.enabled=true, later ones hive.lineage.statement.filter=ALL; its logger must be at INFO");
}

/* ---- sources ---------------------------------------------------------------------------------------------------- */

static void check_source(struct looking *looking)
{
    const struct scan *scan = &looking->scan;
    const char *reason = "";
    uint64_t bytes = 0;
    size_t hosts = 0;
    bool readable = check_patterns(looking);
    for (uint32_t i = 0; i < scan->files.count; i++)
        bytes += (uint64_t)scan->files.items[i].status.st_size;
    if (readable)
        finding_add(looking->findings, FINDING_OK, "files", looking->source->name, "%u %s of %llu KiB can be read", (unsigned)scan->files.count,
                    scan->files.count == 1 ? "file" : "files", (unsigned long long)(bytes + 1023) / 1024);
    struct zone *zone = zone_open(looking->source->of_cluster->time_zone, NULL, &reason);
    looking->zone = zone;
    for (uint32_t i = 0; i < scan->files.count && hosts < HOSTS_MAX; i++)
        if (is_newest(scan, i) && faccessat(AT_FDCWD, scan->files.items[i].path, R_OK, AT_EACCESS) == 0) {
            check_newest(looking, &scan->files.items[i]);
            hosts++;
        }
    check_hook(looking);
    zone_free(zone);
}

void files_check(const struct config *config, const struct clock *clock, struct findings *findings)
{
    for (uint32_t i = 0; i < config->sources.count; i++) {
        struct looking looking = {.config = config, .source = &config->sources.items[i], .clock = clock, .findings = findings};
        if (looking.source->kind == KIND_WEB)
            continue;
        arena_init(&looking.arena, 0, NULL);
        check_source(&looking);
        arena_release(&looking.arena);
    }
}

/* ---- flags ------------------------------------------------------------------------------------------------------ */

bool files_flags(const struct config_source *source, struct arena *arena, struct flags *flags)
{
    struct scan scan;
    if ((source->kind != KIND_GLOG && source->kind != KIND_DAEMON_LOG) || !scan_run(&scan, source, arena))
        return false;
    for (uint32_t tried = 0; tried < HEADS_MAX && tried < scan.files.count; tried++) {
        struct buf head;
        buf_init(&head, 0);
        bool good = sample_head(scan.files.items[scan.files.count - 1 - tried].path, HEAD_BYTES, &head);
        str_t kept = good && head.len > 0 ? arena_copy(arena, buf_str(&head)) : STR("");
        buf_release(&head);
        if (flags_from_log(kept, arena, flags))
            return true;
    }
    return false;
}
