/* `--format ast`: the syntax tree of every statement; one that does not parse shows its error instead. */
#include "doc/format.h"
#include "doc/people.h"

void ast_open(struct doc_writer *w)
{
    BUF_ADD(&w->out, "-- ");
    buf_add(&w->out, w->script.id);
    buf_add_char(&w->out, '\n');
}

void ast_add(struct doc_writer *w, const struct doc_statement *st)
{
    struct buf *out = &w->out;
    if (st->error.message.len == 0 && st->stmt != NULL) {
        ast_dump(out, st->text.text, st->stmt);
        return;
    }
    struct line_column place = lines_find(&w->lines, st->error.at);
    BUF_ADD(out, "(broken ");
    buf_add_number(out, place.line);
    buf_add_char(out, ':');
    buf_add_number(out, place.column);
    buf_add_char(out, ' ');
    buf_add(out, st->error.message);
    BUF_ADD(out, ")\n");
}
