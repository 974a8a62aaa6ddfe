/* Places in a text, found by counting line breaks from the nearest known place before. */
#include "doc/lines.h"

static const struct line_place text_start = {.line = 1};

void lines_init(struct line_cursor *cursor, str_t text)
{
    *cursor = (struct line_cursor){text, text_start, text_start};
}

void lines_start(struct line_cursor *cursor, size_t at, uint32_t line)
{
    if (at > cursor->text.len)
        return;
    cursor->last = (struct line_place){at, at, line};
    cursor->mark = cursor->last;
}

static void advance(struct line_place *place, str_t text, size_t at)
{
    str_t before = str_make(text.ptr, at); /* not further: the line may be long */
    for (;;) {
        size_t end = str_find(before, '\n', place->at);
        if (end >= at)
            break;
        place->at = place->line_start = end + 1;
        place->line++;
    }
    place->at = at;
}

static void go(struct line_cursor *cursor, size_t at)
{
    if (at < cursor->last.at)
        cursor->last = at >= cursor->mark.at ? cursor->mark : text_start;
    advance(&cursor->last, cursor->text, at);
}

void lines_mark(struct line_cursor *cursor, size_t at)
{
    go(cursor, at > cursor->text.len ? cursor->text.len : at);
    cursor->mark = cursor->last;
}

struct line_column lines_find(struct line_cursor *cursor, size_t at)
{
    go(cursor, at > cursor->text.len ? cursor->text.len : at);
    return (struct line_column){cursor->last.line, (uint32_t)(cursor->last.at - cursor->last.line_start) + 1};
}
