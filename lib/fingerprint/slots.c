/* Alignment of two canonical walks, and look-ups in it by binary search. */
#include "fingerprint/slots.h"

#include "fingerprint/canon.h"

/* ---- alignment -------------------------------------------------------------------------------------------------- */

static str_t item_text(str_t text, const struct canon_item *item)
{
    return str_make(text.ptr + item->span.start, item->span.end - item->span.start);
}

static bool same_item(str_t before, const struct canon_item *a, str_t after, const struct canon_item *b)
{
    if (a->kind != b->kind)
        return false;
    switch ((enum canon_kind)a->kind) {
    case CANON_WORD:
    case CANON_VARIABLE:
        return str_eq_fold(item_text(before, a), item_text(after, b));
    case CANON_SIGN:
        return a->sign == b->sign;
    case CANON_LITERAL:
    case CANON_END:
        break;
    }
    return true;
}

/* The item's place with its quotes. */
static span_t whole_span(const struct canon_item *item)
{
    return (span_t){item->span.start - item->quote, item->span.end + item->quote};
}

static bool walk_both(struct slot_map *map, struct canon *a, struct canon *b)
{
    struct canon_item before, after;
    for (;;) {
        bool more = canon_next(a, &before);
        if (more != canon_next(b, &after))
            return false;
        if (!more)
            return true;
        struct slot *slot = same_item(map->before, &before, map->after, &after) ? VEC_PUSH(map->arena, &map->slots) : NULL;
        if (slot == NULL)
            return false;
        *slot = (struct slot){whole_span(&before), whole_span(&after)};
    }
}

static bool begin_walk(struct canon *canon, struct slot_text from, const struct parse_options *options, struct arena *arena)
{
    struct tokens tokens = {0};
    lex_statement(from.text, from.at, options, arena, &tokens);
    if (arena->failed)
        return false;
    canon_init(canon, from.text, &tokens, options->dialect, arena);
    return true;
}

bool slots_align(struct slot_map *map, struct slot_text before, struct slot_text after, const struct parse_options *options,
                 struct arena *arena)
{
    struct canon a, b;
    *map = (struct slot_map){.before = before.text, .after = after.text, .dialect = options->dialect, .arena = arena};
    return begin_walk(&a, before, options, arena) && begin_walk(&b, after, options, arena) && walk_both(map, &a, &b)
           && !arena->failed;
}

/* ---- look-up ---------------------------------------------------------------------------------------------------- */

/* The last item that begins at or before the byte; NULL before the first. */
static const struct slot *slot_at(const struct slot_map *map, uint32_t byte)
{
    uint32_t low = 0, high = map->slots.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (map->slots.items[middle].before.start <= byte)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? NULL : &map->slots.items[low - 1];
}

bool slots_span(const struct slot_map *map, span_t before, span_t *after)
{
    if (before.end <= before.start)
        return false;
    const struct slot *first = slot_at(map, before.start), *last = slot_at(map, before.end - 1);
    if (first == NULL || first->before.start != before.start || last->before.end != before.end)
        return false;
    *after = (span_t){first->after.start, last->after.end};
    return true;
}

bool slots_holds(const struct slot_map *map, str_t piece)
{
    uintptr_t at = (uintptr_t)piece.ptr, start = (uintptr_t)map->before.ptr;
    return at >= start && at + piece.len <= start + map->before.len;
}

/* The value of the literal that a piece is the inside of. */
static bool inside_literal(const struct slot_map *map, span_t piece, str_t *after)
{
    const struct slot *slot = slot_at(map, piece.start);
    bool inside = slot != NULL && piece.start == slot->before.start + 1 && piece.end + 1 == slot->before.end;
    char quote = inside ? map->before.ptr[slot->before.start] : '\0';
    if (quote != '\'' && quote != '"')
        return false;
    str_t token = str_make(map->after.ptr + slot->after.start, slot->after.end - slot->after.start);
    *after = string_literal_value(token, map->dialect, map->arena);
    return true;
}

bool slots_piece(const struct slot_map *map, str_t piece, str_t *after)
{
    *after = piece;
    if (piece.len == 0 || !slots_holds(map, piece))
        return true;
    uint32_t start = (uint32_t)(piece.ptr - map->before.ptr);
    span_t span = {start, start + (uint32_t)piece.len}, found;
    if (!slots_span(map, span, &found))
        return inside_literal(map, span, after);
    *after = str_make(map->after.ptr + found.start, found.end - found.start);
    return true;
}
