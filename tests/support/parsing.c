/* One statement that must parse, or must not. */
#include "support/parsing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static str_t str_of(const char *text)
{
    return str_make(text, strlen(text));
}

/* ---- accepted ---- */

static void check_one(enum dialect dialect, const char *sql, const char *kind)
{
    struct arena arena;
    struct script_reader reader;
    struct parsed parsed;
    arena_init(&arena, 0, NULL);
    script_reader_init(&reader, str_of(sql), &(struct parse_options){.dialect = dialect});
    assert_true(script_reader_next(&reader, &arena, &parsed));
    if (parsed.error.message.len > 0)
        fail_msg("%s\nat %u: %.*s", sql, parsed.error.at, (int)parsed.error.message.len,
                 parsed.error.message.ptr);
    str_t found = stmt_kind_text((enum stmt_kind)parsed.stmt->kind);
    if (!str_eq(found, str_of(kind)))
        fail_msg("%s\nis %.*s", sql, (int)found.len, found.ptr);
    assert_int_equal(parsed.stmt->span.start, 0);
    assert_int_equal(parsed.stmt->span.end, strlen(sql));
    assert_false(script_reader_next(&reader, &arena, &parsed));
    arena_release(&arena);
}

void check_accepted(enum dialect dialect, const char *kind, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_one(dialect, texts[i], kind);
}

/* ---- refused ---- */

static void check_place(enum dialect dialect, enum diag_code code, const struct refused *refused)
{
    char sql[400];
    const char *mark = strchr(refused->sql, '^');
    assert_non_null(mark);
    size_t at = (size_t)(mark - refused->sql), len = strlen(refused->sql) - 1;
    assert_true(len < sizeof sql);
    memcpy(sql, refused->sql, at);
    memcpy(sql + at, mark + 1, len - at);
    struct arena arena;
    struct script_reader reader;
    struct parsed parsed;
    arena_init(&arena, 0, NULL);
    script_reader_init(&reader, str_make(sql, len), &(struct parse_options){.dialect = dialect});
    assert_true(script_reader_next(&reader, &arena, &parsed));
    assert_int_equal(parsed.stmt->kind, STMT_BROKEN);
    if (!str_eq(parsed.error.message, str_of(refused->message)) || parsed.error.at != at)
        fail_msg("{\"%.*s^%.*s\", \"%.*s\"}", (int)parsed.error.at, sql,
                 (int)(len - parsed.error.at), sql + parsed.error.at, (int)parsed.error.message.len,
                 parsed.error.message.ptr);
    assert_int_equal(parsed.error.code, code);
    assert_false(script_reader_next(&reader, &arena, &parsed));
    arena_release(&arena);
}

void check_refused(enum dialect dialect, enum diag_code code, const struct refused *cases,
                   size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_place(dialect, code, &cases[i]);
}
