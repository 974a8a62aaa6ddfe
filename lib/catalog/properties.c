/* Properties: options hold (tblproperties (= 'k' 'v') ..) and the like. */
#include "catalog/properties.h"

#include "sql/parse.h"

static str_t item_text(const struct clause_item *item, str_t text)
{
    span_t span = {0, 0};
    if (item->kind == CLAUSE_WORD)
        span = item->u.word;
    else if (item->kind == CLAUSE_EXPR && item->u.expr != NULL)
        span = item->u.expr->span;
    return span.end <= text.len ? str_make(text.ptr + span.start, span.end - span.start) : STR("");
}

static bool is_property(const struct clause *clause)
{
    return clause != NULL && str_eq(clause->label, STR("=")) && clause->items.count == 2;
}

static str_t find_in_list(struct arena *arena, const struct clause *list, str_t text, enum dialect dialect, str_t key)
{
    for (uint32_t i = 0; i < list->items.count; i++) {
        const struct clause *property = list->items.items[i].kind == CLAUSE_NODE ? list->items.items[i].u.clause : NULL;
        if (!is_property(property))
            continue;
        str_t name = string_literal_value(item_text(&property->items.items[0], text), dialect, arena);
        if (str_eq_fold(name, key))
            return string_literal_value(item_text(&property->items.items[1], text), dialect, arena);
    }
    return STR("");
}

str_t find_property(struct arena *arena, const struct clause *options, str_t text, enum dialect dialect, str_t key)
{
    for (uint32_t i = 0; options != NULL && i < options->items.count; i++) {
        const struct clause_item *item = &options->items.items[i];
        if (item->kind != CLAUSE_NODE || item->u.clause == NULL)
            continue;
        str_t value = find_in_list(arena, item->u.clause, text, dialect, key);
        if (value.len > 0)
            return value;
    }
    return STR("");
}

bool has_clause(const struct clause *options, str_t label)
{
    for (uint32_t i = 0; options != NULL && i < options->items.count; i++) {
        const struct clause_item *item = &options->items.items[i];
        if (item->kind == CLAUSE_NODE && item->u.clause != NULL && str_eq(item->u.clause->label, label))
            return true;
    }
    return false;
}
