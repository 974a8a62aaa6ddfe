/* One JSON object a line: a line counts when its end is there. */
#include "collect/json_lines.h"

#include "collect/lines.h"

void json_lines_begin(struct format *format, json_lines_fill *fill, enum raw_kind kind)
{
    struct json_lines *lines = (struct json_lines *)format;
    lines->fill = fill;
    lines->kind = kind;
    arena_init(&lines->arena, 0, NULL);
}

str_t json_lines_id(struct json_lines *lines, str_t id)
{
    char *copy = query_id_length(id) == id.len ? arena_alloc(&lines->arena, id.len) : NULL;
    if (copy == NULL)
        return STR("");
    folded_copy(copy, id);
    return str_make(copy, id.len);
}

/* False: the receiver is full. */
static bool read_line(struct json_lines *lines, str_t line, size_t at, size_t end, const struct format_output *output)
{
    arena_clear(&lines->arena);
    const char *message, *code = "json";
    size_t where;
    struct raw_record record = raw_empty(lines->base.ops->source, lines->kind);
    const struct json *object = json_read(&lines->arena, line, &message, &where);
    bool good = object != NULL && object->kind == JSON_OBJECT && lines->fill(lines, line, object, &record, &code);
    if (good && lines->arena.failed) {
        code = "memory";
        good = false;
    }
    if (!good)
        output->failed(output->context, code, at, end);
    return !good || output->record(output->context, &record, at, end);
}

static bool json_lines_take(struct format *format, const struct lines_input *input, str_t line, size_t at, size_t *next)
{
    line = str_trim(line);
    if (line.len == 0)
        format->foreign_lines++;
    else if (!read_line((struct json_lines *)format, line, at, *next, input->output))
        return false;
    format->lines++;
    return true;
}

size_t json_lines_read(struct format *format, str_t bytes, bool last, const struct format_output *output)
{
    return lines_read(format, bytes, last, output, json_lines_take);
}

void json_lines_release(struct format *format)
{
    struct json_lines *lines = (struct json_lines *)format;
    arena_release(&lines->arena);
    names_release(&lines->inputs);
    names_release(&lines->outputs);
}
