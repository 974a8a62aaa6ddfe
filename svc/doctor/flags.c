/* What each flag should be stands in one table. */
#include "doctor/flags.h"

#include "base/json.h"
#include "collect/line.h"

#include <stdlib.h>

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static void add_flag(struct arena *arena, struct flags *flags, str_t name, str_t value)
{
    struct flag *flag = VEC_PUSH(arena, &flags->items);
    if (flag != NULL)
        *flag = (struct flag){name, value};
}

bool flags_from_log(str_t text, struct arena *arena, struct flags *flags)
{
    static const char heading[] = "Flags (see also /varz are on debug webserver):";
    size_t at = str_find_text(text, str_make(heading, sizeof heading - 1), 0);
    str_t line;
    *flags = (struct flags){0};
    while (at < text.len && line_at(text, at, &line, &at)) {
        size_t sign = str_find(line, '=', 0);
        if (str_starts_with(line, STR("--")) && sign < line.len)
            add_flag(arena, flags, str_make(line.ptr + 2, sign - 2), str_from(line, sign + 1));
    }
    return flags->items.count > 0;
}

bool flags_from_page(str_t json, struct arena *arena, struct flags *flags)
{
    const char *message;
    size_t where;
    const struct json *list = json_member(json_read(arena, json, &message, &where), STR("flags"));
    *flags = (struct flags){0};
    if (list == NULL || list->kind != JSON_ARRAY)
        return false;
    for (const struct json *item = list->first; item != NULL; item = item->next)
        add_flag(arena, flags, json_member_text(item, STR("name")), json_member_text(item, STR("current")));
    return flags->items.count > 0;
}

bool flags_value(const struct flags *flags, str_t name, str_t *value)
{
    for (uint32_t i = 0; i < flags->items.count; i++)
        if (str_eq(flags->items.items[i].name, name)) {
            *value = flags->items.items[i].value;
            return true;
        }
    return false;
}

/* ---- judging ---------------------------------------------------------------------------------------------------- */

#define OF(kind) (1U << (kind))

enum wish {
    IS_SET,    /* not empty */
    IS_TRUE,
    IS_FALSE,
    AT_LEAST,
    AT_LEAST_OR_NONE, /* 0 and -1 have rules of their own */
    AT_MOST,
    ALL_OR_AT_LEAST, /* 0: all are kept */
    NOT              /* any but the number */
};

struct rule {
    str_t flag;
    unsigned kinds; /* that it matters to */
    enum wish wish;
    int64_t number;
    enum finding_level level;
    const char *wrong, *todo;
};

static const struct rule rules[] = {
    {STR("lineage_event_log_dir"), OF(KIND_LINEAGE_LOG), IS_SET, 0, FINDING_FAIL, "no lineage log is written",
     "start impalad with --lineage_event_log_dir=/var/log/impalad/lineage"},
    {STR("abort_on_failed_lineage_event"), OF(KIND_LINEAGE_LOG), IS_FALSE, 0, FINDING_WARN,
     "a full disk under the lineage log stops the daemon", "start impalad with --abort_on_failed_lineage_event=false"},
    {STR("audit_event_log_dir"), OF(KIND_AUDIT_LOG), IS_SET, 0, FINDING_FAIL, "no audit log is written",
     "start impalad with --audit_event_log_dir=/var/log/impalad/audit"},
    {STR("abort_on_failed_audit_event"), OF(KIND_AUDIT_LOG), IS_FALSE, 0, FINDING_WARN, "a full disk under the audit log stops the daemon",
     "start impalad with --abort_on_failed_audit_event=false"},
    {STR("max_audit_event_log_files"), OF(KIND_AUDIT_LOG), ALL_OR_AT_LEAST, 2, FINDING_WARN,
     "a file is removed as soon as the next begins, perhaps before it was read", "start impalad with --max_audit_event_log_files=10"},
    {STR("log_query_to_file"), OF(KIND_PROFILE_LOG), IS_TRUE, 0, FINDING_FAIL, "no profile log is written",
     "start impalad with --log_query_to_file=true"},
    {STR("max_profile_log_files"), OF(KIND_PROFILE_LOG), ALL_OR_AT_LEAST, 2, FINDING_WARN,
     "a file is removed as soon as the next begins, perhaps before it was read", "start impalad with --max_profile_log_files=10"},
    {STR("v"), OF(KIND_GLOG), AT_LEAST, 1, FINDING_FAIL, "the lines that tell of queries are of level 1 and are not written",
     "start impalad with --v=1"},
    {STR("max_log_files"), OF(KIND_GLOG) | OF(KIND_DAEMON_LOG), ALL_OR_AT_LEAST, 2, FINDING_WARN,
     "a file is removed as soon as the next begins, perhaps before it was read", "start impalad with --max_log_files=10"},
    {STR("logbufsecs"), OF(KIND_GLOG) | OF(KIND_DAEMON_LOG), AT_MOST, 5, FINDING_WARN, "lines stay in the daemon's memory for so many seconds",
     "start impalad with --logbufsecs=5, or 0 for lines at once"},
    {STR("redirect_stdout_stderr"), OF(KIND_DAEMON_LOG), IS_TRUE, 0, FINDING_WARN, "what is written to standard output is not in the INFO file",
     "start impalad with --redirect_stdout_stderr=true, or read the file that standard output goes to"},
    {STR("enable_webserver"), OF(KIND_WEB), IS_TRUE, 0, FINDING_FAIL, "there are no web pages to poll",
     "start impalad with --enable_webserver=true"},
    {STR("query_log_size"), OF(KIND_WEB), NOT, 0, FINDING_FAIL, "no ended query is kept: only what runs at a poll is seen",
     "start impalad with --query_log_size=1000"},
    {STR("query_log_size"), OF(KIND_WEB), NOT, -1, FINDING_WARN, "ended queries are kept for ever, and every poll gets all of them",
     "start impalad with --query_log_size=1000"},
    {STR("query_log_size"), OF(KIND_WEB), AT_LEAST_OR_NONE, 200, FINDING_WARN, "so few ended queries are kept that a busy second pushes them all out",
     "start impalad with --query_log_size=1000"},
    {STR("query_log_size_in_bytes"), OF(KIND_WEB), NOT, 0, FINDING_FAIL, "no ended query is kept: only what runs at a poll is seen",
     "start impalad with --query_log_size_in_bytes=2147483648"},
};

static bool fulfils(const struct rule *rule, str_t value)
{
    char text[32] = "";
    memcpy(text, value.ptr, value.len < sizeof text ? value.len : sizeof text - 1);
    int64_t number = strtoll(text, NULL, 10);
    switch (rule->wish) {
    case IS_SET:
        return value.len > 0;
    case IS_TRUE:
        return str_eq(value, STR("true"));
    case IS_FALSE:
        return str_eq(value, STR("false"));
    case AT_LEAST:
        return number >= rule->number;
    case AT_LEAST_OR_NONE:
        return number >= rule->number || number <= 0;
    case AT_MOST:
        return number <= rule->number;
    case ALL_OR_AT_LEAST:
        return number == 0 || number >= rule->number;
    case NOT:
        return number != rule->number;
    }
    return true;
}

/* Not a fault: said so that nobody wonders where the literals are. */
static void note_redaction(const struct flags *flags, str_t about, struct findings *findings)
{
    str_t value;
    if (flags_value(flags, STR("redaction_rules_file"), &value) && value.len > 0)
        finding_add(findings, FINDING_OK, "flags", about, "--redaction_rules_file=%.*s: texts come as the daemon's own rules leave them",
                    (int)value.len, value.ptr);
}

void flags_judge(const struct flags *flags, unsigned kinds, str_t about, const char *told_by, struct findings *findings)
{
    size_t before = findings->count;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const struct rule *rule = &rules[i];
        str_t value;
        if ((rule->kinds & kinds) == 0 || !flags_value(flags, rule->flag, &value) || fulfils(rule, value))
            continue;
        finding_add(findings, rule->level, "flags", about, "--%.*s=%.*s: %s", (int)rule->flag.len, rule->flag.ptr, (int)value.len,
                    value.ptr, rule->wrong);
        finding_todo(findings, "%s", rule->todo);
    }
    if (findings->count == before)
        finding_add(findings, FINDING_OK, "flags", about, "%u flags, told by %s: as they should be", (unsigned)flags->items.count, told_by);
    note_redaction(flags, about, findings);
}
