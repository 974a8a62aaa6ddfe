/* Alarms: the state machine, and what a notice looks like to each receiver. */
#include "run/alarm.h"

#include "base/jsonw.h"

#include <stdio.h>

void alarm_init(struct alarm *alarm, double limit, int64_t after_ms)
{
    *alarm = (struct alarm){.limit = limit, .after_ms = after_ms};
}

static enum alarm_change turn(struct alarm *alarm, int64_t now_ms)
{
    alarm->on = !alarm->on;
    alarm->crossing = false;
    if (!alarm->on)
        return ALARM_ENDS;
    alarm->began_ms = now_ms;
    return ALARM_BEGINS;
}

enum alarm_change alarm_feed(struct alarm *alarm, double figure, int64_t now_ms)
{
    bool above = figure > alarm->limit;
    if (above == alarm->on) {
        alarm->crossing = false;
        if (alarm->on && figure > alarm->worst)
            alarm->worst = figure;
        return ALARM_SAME;
    }
    if (!alarm->crossing) {
        alarm->crossing = true;
        alarm->since_ms = now_ms;
        if (above)
            alarm->worst = figure;
    }
    if (above && figure > alarm->worst)
        alarm->worst = figure;
    return now_ms - alarm->since_ms >= alarm->after_ms ? turn(alarm, now_ms) : ALARM_SAME;
}

/* ---- notices -------------------------------------------------------------------------------- */

static str_t change_name(enum alarm_change change)
{
    return change == ALARM_BEGINS ? STR("begins") : STR("ends");
}

static void member_figure(struct jsonw *w, str_t key, double value)
{
    char text[40];
    int len = snprintf(text, sizeof text, "%.3f", value);
    jsonw_key(w, key);
    jsonw_raw(w, str_make(text, len > 0 ? (size_t)len : 0));
}

/* {"alarm","change","stage","host","at","figure","limit","unit","text"} */
static void write_generic(struct jsonw *w, const struct alarm_notice *notice)
{
    jsonw_object_begin(w);
    jsonw_member(w, STR("alarm"), notice->name);
    jsonw_member(w, STR("change"), change_name(notice->change));
    jsonw_member(w, STR("stage"), notice->stage);
    jsonw_member(w, STR("host"), notice->host);
    jsonw_member_number(w, STR("at"), (uint64_t)notice->at_ms);
    member_figure(w, STR("figure"), notice->figure);
    member_figure(w, STR("limit"), notice->limit);
    jsonw_member(w, STR("unit"), notice->unit);
    jsonw_member(w, STR("text"), notice->text);
    jsonw_object_end(w);
}

/* One line for people: [Colline] lag begins: … (stage on host) */
static void add_line(struct buf *out, const struct alarm_notice *notice)
{
    BUF_ADD(out, "[Colline] ");
    buf_add(out, notice->name);
    buf_add_char(out, ' ');
    buf_add(out, change_name(notice->change));
    BUF_ADD(out, ": ");
    buf_add(out, notice->text);
    BUF_ADD(out, " (");
    buf_add(out, notice->stage);
    BUF_ADD(out, " on ");
    buf_add(out, notice->host);
    buf_add_char(out, ')');
}

/* {"msgtype":"text","text":{"content":…}}: WeChat Work and DingTalk take the same */
static void write_message(struct jsonw *w, str_t line)
{
    jsonw_object_begin(w);
    jsonw_member(w, STR("msgtype"), STR("text"));
    jsonw_key(w, STR("text"));
    jsonw_object_begin(w);
    jsonw_member(w, STR("content"), line);
    jsonw_object_end(w);
    jsonw_object_end(w);
}

/* {"text":…} */
static void write_slack(struct jsonw *w, str_t line)
{
    jsonw_object_begin(w);
    jsonw_member(w, STR("text"), line);
    jsonw_object_end(w);
}

void alarm_write(struct buf *out, enum alarm_shape shape, const struct alarm_notice *notice)
{
    struct jsonw w;
    struct buf line;
    jsonw_init(&w, out, false);
    buf_init(&line, 0);
    add_line(&line, notice);
    switch (shape) {
    case ALARM_GENERIC:
        write_generic(&w, notice);
        break;
    case ALARM_WECHAT:
    case ALARM_DINGTALK:
        write_message(&w, buf_str(&line));
        break;
    case ALARM_SLACK:
        write_slack(&w, buf_str(&line));
        break;
    }
    out->failed |= line.failed;
    buf_release(&line);
}
