/*
 * Alarms. An alarm begins when a figure has stood above its limit for a time without a break, and
 * ends when it has stood at or below it for as long; each is told once, by webhook, in the shape
 * that the receiver understands. A state machine: it is fed figures and says what to send; hooks
 * send it.
 */
#ifndef COLLINE_RUN_ALARM_H
#define COLLINE_RUN_ALARM_H

#include "base/buf.h"

enum alarm_change { ALARM_SAME, ALARM_BEGINS, ALARM_ENDS };

struct alarm {
    double limit;
    int64_t after_ms;
    bool on;
    bool crossing;    /* the figure stands on the other side of the limit than `on` says */
    int64_t since_ms; /* of the crossing; of the alarm in `began_ms` */
    int64_t began_ms;
    double worst; /* since it began to cross */
};

void alarm_init(struct alarm *alarm, double limit, int64_t after_ms);

/* A figure at a steady time. */
enum alarm_change alarm_feed(struct alarm *alarm, double figure, int64_t now_ms);

enum alarm_shape { ALARM_GENERIC, ALARM_WECHAT, ALARM_DINGTALK, ALARM_SLACK };

struct alarm_notice {
    str_t name; /* of the alarm: lag */
    str_t host, stage;
    enum alarm_change change;
    int64_t at_ms; /* wall clock */
    double figure, limit;
    str_t unit; /* s */
    str_t text; /* for people */
};

/* The body of a POST, JSON in the shape. */
void alarm_write(struct buf *out, enum alarm_shape shape, const struct alarm_notice *notice);

#endif
