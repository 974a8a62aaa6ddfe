/* A label is told by being its column's expression, byte by byte. */
#include "store/label.h"

#include <ctype.h>

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

bool label_holds_literal(str_t text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '\'' || c == '"' || (isdigit((unsigned char)c) && (i == 0 || !in_word(text.ptr[i - 1]))))
            return true;
    }
    return false;
}

str_t label_target(struct arena *arena, const struct json *column)
{
    str_t target = json_member_text(column, STR("target")), expression = json_member_text(column, STR("expression"));
    const struct json *ordinal = json_member(column, STR("ordinal"));
    size_t front = target.len - (expression.len < target.len ? expression.len : target.len);
    if (!str_ends_with(target, expression) || (front > 0 && target.ptr[front - 1] != '.') || !label_holds_literal(expression) || ordinal == NULL ||
        str_eq(json_member_text(column, STR("transform")), STR("identity")))
        return target;
    return arena_concat(arena, (const str_t[]){str_make(target.ptr, front), STR("_c"), ordinal->text}, 3);
}

str_t label_named(struct arena *arena, const struct json *statement, str_t target)
{
    const struct json *columns = json_member(statement, STR("columns"));
    if (columns == NULL || !label_holds_literal(target))
        return target;
    for (const struct json *item = columns->first; item != NULL; item = item->next)
        if (str_eq(json_member_text(item, STR("target")), target))
            return label_target(arena, item);
    return target;
}
