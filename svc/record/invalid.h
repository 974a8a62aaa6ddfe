/*
 * What could not be used, with every reason and the bytes as they came, so that a later version can
 * take it up again. One JSON object on one line in the invalid topic:
 * {"v":1,"stage":…,"at":ms,"reasons":[…],"topic":…,"partition":n,"offset":n,"value":"…"}, or with
 * `"base64":true` where the value is no UTF-8.
 */
#ifndef COLLINE_RECORD_INVALID_H
#define COLLINE_RECORD_INVALID_H

#include "base/arena.h"
#include "base/buf.h"

struct invalid_record {
    uint32_t v;
    str_t stage;       /* capture, normalize … */
    int64_t at;        /* ms */
    str_t reason;      /* all of them, separated by `; ` */
    str_t topic;       /* where it came from; empty outside Kafka */
    int32_t partition; /* -1 unknown */
    int64_t offset;    /* -1 unknown */
    str_t value;       /* any bytes */
};

void invalid_write(struct buf *out, const struct invalid_record *record);
bool invalid_read(str_t json, struct arena *arena, struct invalid_record *record, str_t *reason);

#endif
