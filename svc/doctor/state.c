/* state.db, only looked at. */
#include "doctor/state.h"

#include "base/json.h"
#include "collect/json_text.h"
#include "doctor/tally.h"
#include "normalize/state_db.h"

#include <stdio.h>
#include <sys/stat.h>

enum {
    PATH_SIZE = 4096,
    LAST = 2000 /* events */
};

struct looking {
    struct tally tally;
    uint64_t events;
    int64_t since; /* ms, when the oldest of the events was made */
};

static int64_t member_time(str_t json, str_t name)
{
    struct arena arena;
    const char *message;
    size_t where;
    int64_t time = 0;
    arena_init(&arena, 0, NULL);
    const struct json *root = json_read(&arena, json, &message, &where);
    if (root == NULL || !json_member_integer(root, name, &time))
        time = 0;
    arena_release(&arena);
    return time;
}

static bool count_event(void *context, str_t key, str_t value)
{
    struct looking *looking = context;
    (void)key;
    looking->events++;
    looking->since = member_time(value, STR("processing_time"));
    return true;
}

/* Those that came while the events were made. */
static bool count_invalid(void *context, str_t key, str_t value)
{
    struct looking *looking = context;
    (void)key;
    if (member_time(value, STR("at")) < looking->since)
        return false;
    (void)tally_add(&looking->tally, value);
    return true;
}

/* The reason without the path that the finding is about. */
static str_t without(str_t reason, str_t path)
{
    bool named = str_starts_with(reason, path) && reason.len > path.len + 2;
    return named ? str_make(reason.ptr + path.len + 2, reason.len - path.len - 2) : reason;
}

void state_check(const struct config *config, struct findings *findings)
{
    char path[PATH_SIZE];
    struct stat status;
    struct buf reason;
    struct looking looking = {.tally.arena = &findings->arena};
    (void)snprintf(path, sizeof path, "%.*s/state.db", (int)config->data_dir.len, config->data_dir.ptr);
    if (stat(path, &status) != 0)
        return;
    buf_init(&reason, 0);
    bool good = state_db_look(path, &(struct state_look){false, LAST, count_event, &looking}, &reason) &&
                state_db_look(path, &(struct state_look){true, LAST, count_invalid, &looking}, &reason);
    str_t about = str_make(path, strlen(path));
    if (good) {
        finding_add(findings, FINDING_OK, "state", about, "can be opened, %llu MiB", (unsigned long long)status.st_size >> 20);
        tally_judge(&looking.tally, looking.events + looking.tally.total, about, "records are invalid", findings);
    } else {
        str_t why = without(buf_str(&reason), about);
        finding_add(findings, FINDING_FAIL, "state", about, "cannot be read: %.*s", (int)why.len, why.ptr);
        finding_todo(findings, "stop the service, then put back the last backup of the data folder; or chown the file to the user of the service");
    }
    buf_release(&reason);
}
