/* record_check raw|event|check: says of each line of standard input `ok` and the record as it is
 * written again, or why it is refused. */
#include "record/event.h"
#include "record/quality.h"

#include <stdio.h>
#include <stdlib.h>

static bool check(const char *kind, str_t line, struct arena *arena, struct buf *out, str_t *reason)
{
    struct raw_record record;
    struct event event;
    struct quality_check check;
    if (strcmp(kind, "event") == 0 && event_read(line, arena, &event, reason))
        event_write(out, &event);
    else if (strcmp(kind, "check") == 0 && quality_read(line, arena, &check, reason))
        quality_write(out, &check);
    else if (strcmp(kind, "raw") == 0 && raw_read(line, arena, &record, reason))
        raw_write(out, &record);
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    char *line = NULL;
    size_t capacity = 0;
    struct arena arena;
    struct buf out;
    if (argc != 2)
        return 2;
    arena_init(&arena, 0, NULL);
    buf_init(&out, 0);
    for (ssize_t len; (len = getline(&line, &capacity, stdin)) > 0;) {
        str_t reason, text = str_make(line, (size_t)len - (line[len - 1] == '\n'));
        arena_clear(&arena);
        buf_clear(&out);
        bool good = check(argv[1], text, &arena, &out, &reason);
        str_t said = good ? buf_str(&out) : reason;
        printf("%s %.*s\n", good ? "ok" : "no", (int)said.len, said.ptr);
    }
    buf_release(&out);
    arena_release(&arena);
    free(line);
    return 0;
}
