/* A list of findings, and its two ways to be written. */
#include "doctor/findings.h"

#include "base/jsonw.h"

#include <stdarg.h>
#include <stdio.h>

enum {
    TEXT_MAX = 1024,
    LEVEL_WIDTH = 6,
    CHECK_WIDTH = 14
};

static str_t level_name(enum finding_level level)
{
    static const str_t names[FINDING_LEVELS] = {[FINDING_OK] = STR("ok"), [FINDING_WARN] = STR("warn"), [FINDING_FAIL] = STR("fail")};
    return names[level];
}

void findings_init(struct findings *findings)
{
    *findings = (struct findings){0};
    arena_init(&findings->arena, 0, NULL);
}

void findings_release(struct findings *findings)
{
    arena_release(&findings->arena);
}

/* Stays on one line, whatever a file or a server said. */
static str_t keep(struct findings *findings, char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7F)
            text[i] = ' ';
    return arena_copy(&findings->arena, str_make(text, len));
}

static __attribute__((format(printf, 2, 0))) str_t format_text(struct findings *findings, const char *format, va_list arguments)
{
    char text[TEXT_MAX];
    int len = vsnprintf(text, sizeof text, format, arguments);
    return len < 0 ? STR("") : keep(findings, text, (size_t)len < sizeof text ? (size_t)len : sizeof text - 1);
}

static struct finding *room_for_one(struct findings *findings)
{
    if (findings->count == findings->capacity) {
        size_t capacity = findings->capacity == 0 ? 32 : findings->capacity * 2;
        struct finding *items = ARENA_ARRAY(&findings->arena, struct finding, capacity);
        if (items == NULL)
            return NULL;
        if (findings->count > 0)
            memcpy(items, findings->items, findings->count * sizeof *items);
        findings->items = items;
        findings->capacity = capacity;
    }
    return &findings->items[findings->count];
}

void finding_add(struct findings *findings, enum finding_level level, const char *check, str_t about, const char *format, ...)
{
    char name[256];
    size_t len = about.len < sizeof name ? about.len : sizeof name;
    va_list arguments;
    struct finding *finding = room_for_one(findings);
    if (finding == NULL) {
        findings->failed = true;
        return;
    }
    if (len > 0)
        memcpy(name, about.ptr, len);
    va_start(arguments, format);
    *finding = (struct finding){.level = level, .check = check, .about = keep(findings, name, len)};
    finding->text = format_text(findings, format, arguments);
    va_end(arguments);
    findings->count++;
    findings->of_level[level]++;
}

void finding_todo(struct findings *findings, const char *format, ...)
{
    va_list arguments;
    if (findings->count == 0 || findings->failed)
        return;
    va_start(arguments, format);
    findings->items[findings->count - 1].todo = format_text(findings, format, arguments);
    va_end(arguments);
}

enum finding_level findings_worst(const struct findings *findings)
{
    if (findings->of_level[FINDING_FAIL] > 0 || findings->failed || findings->arena.failed)
        return FINDING_FAIL;
    return findings->of_level[FINDING_WARN] > 0 ? FINDING_WARN : FINDING_OK;
}

/* ---- for people ------------------------------------------------------------------------------------------------- */

static void add_padded(struct buf *out, str_t text, size_t width)
{
    buf_add(out, text);
    buf_add_repeat(out, ' ', text.len < width ? width - text.len : 1);
}

static void add_count(struct buf *out, size_t count, const char *one, const char *many)
{
    const char *word = count == 1 ? one : many;
    buf_add_number(out, count);
    buf_add_char(out, ' ');
    buf_add(out, str_make(word, strlen(word)));
}

void findings_write_text(const struct findings *findings, struct buf *out)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        add_padded(out, level_name(finding->level), LEVEL_WIDTH);
        add_padded(out, str_make(finding->check, strlen(finding->check)), CHECK_WIDTH);
        buf_add(out, finding->about);
        buf_add(out, finding->about.len > 0 ? STR(": ") : STR(""));
        buf_add(out, finding->text);
        buf_add_char(out, '\n');
        if (finding->todo.len == 0)
            continue;
        buf_add_repeat(out, ' ', LEVEL_WIDTH + CHECK_WIDTH);
        BUF_ADD(out, "do: ");
        buf_add(out, finding->todo);
        buf_add_char(out, '\n');
    }
    add_count(out, findings->of_level[FINDING_OK], "ok, ", "ok, ");
    add_count(out, findings->of_level[FINDING_WARN], "warning, ", "warnings, ");
    add_count(out, findings->of_level[FINDING_FAIL], "failure\n", "failures\n");
}

/* ---- for scripts ------------------------------------------------------------------------------------------------ */

void findings_write_json(const struct findings *findings, struct buf *out)
{
    struct jsonw w;
    jsonw_init(&w, out, true);
    jsonw_object_begin(&w);
    jsonw_member(&w, STR("status"), level_name(findings_worst(findings)));
    jsonw_member_number(&w, STR("ok"), findings->of_level[FINDING_OK]);
    jsonw_member_number(&w, STR("warnings"), findings->of_level[FINDING_WARN]);
    jsonw_member_number(&w, STR("failures"), findings->of_level[FINDING_FAIL]);
    jsonw_key(&w, STR("checks"));
    jsonw_array_begin(&w);
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        jsonw_row(&w);
        jsonw_object_begin(&w);
        jsonw_member(&w, STR("level"), level_name(finding->level));
        jsonw_member(&w, STR("check"), str_make(finding->check, strlen(finding->check)));
        jsonw_member(&w, STR("about"), finding->about);
        jsonw_member(&w, STR("text"), finding->text);
        jsonw_member(&w, STR("todo"), finding->todo);
        jsonw_object_end(&w);
    }
    jsonw_array_end(&w);
    jsonw_object_end(&w);
    buf_add_char(out, '\n');
}
