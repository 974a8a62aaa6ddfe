/*
 * Trees as text: tests/trees/TOPIC.lt holds cases as tests/support/lt.h says, without options; what
 * is expected is the tree that `--format ast` prints, or the error of a statement that does not
 * parse.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "sql/parse.h"
#include "support/lt.h"

static void add_statement(struct buf *out, str_t text, const struct parsed *parsed)
{
    if (parsed->error.message.len == 0) {
        ast_dump(out, text, parsed->stmt);
        return;
    }
    BUF_ADD(out, "error at ");
    buf_add_number(out, parsed->error.at);
    BUF_ADD(out, ": ");
    buf_add(out, parsed->error.message);
    buf_add_char(out, '\n');
}

static void check_case(const struct lt_file *file, const struct lt_case *lt, enum dialect dialect)
{
    struct arena arena;
    struct script_reader reader;
    struct parsed parsed;
    struct buf found;
    str_t text = str_make(lt->sql.ptr, lt->sql.len);
    arena_init(&arena, 0, NULL);
    buf_init(&found, 0);
    script_reader_init(&reader, text, &(struct parse_options){.dialect = dialect});
    while (script_reader_next(&reader, &arena, &parsed))
        add_statement(&found, text, &parsed);
    if (!str_eq(buf_str(&found), str_make(lt->expected.ptr, lt->expected.len)))
        fail_msg("%s:%zu %s\n%.*s", file->path, lt->line, lt->title, (int)found.len, found.ptr);
    buf_release(&found);
    arena_release(&arena);
}

static void trees_are_as_expected(void **state)
{
    (void)state;
    char **files = files_below(SOURCE_DIR "/tests/trees", ".lt");
    size_t count = 0;
    for (size_t f = 0; files[f] != NULL; f++) {
        struct lt_file file = lt_read(files[f]);
        for (size_t i = 0; i < file.count; i++, count++) {
            if (file.cases[i].hive)
                check_case(&file, &file.cases[i], DIALECT_HIVE);
            if (file.cases[i].impala)
                check_case(&file, &file.cases[i], DIALECT_IMPALA);
        }
        lt_free(&file);
    }
    files_free(files);
    assert_true(count > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees_are_as_expected)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
