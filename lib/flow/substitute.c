/* Variables: one pass finds the references, replaces the known ones, and goes over replaced text again up to a limit of rounds. */
#include "flow/substitute.h"

#include "base/limits.h"

bool has_variable(str_t text)
{
    for (size_t at = str_find(text, '$', 0); at + 2 < text.len; at = str_find(text, '$', at + 1))
        if (text.ptr[at + 1] == '{')
            return true;
    return false;
}

/* The byte behind the `}` of a reference at `at`; 0 when it is none. */
static size_t reference_end(str_t text, size_t at)
{
    if (at + 3 > text.len || text.ptr[at] != '$' || text.ptr[at + 1] != '{')
        return 0;
    for (size_t i = at + 2; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '}')
            return i > at + 2 ? i + 1 : 0;
        if (c == '$' || c == ' ' || c == '\n')
            return 0;
    }
    return 0;
}

/* hivevar:x, var:x and x are one variable. */
static str_t variable_key(str_t name)
{
    static const str_t prefixes[] = {STR("hivevar:"), STR("var:"), STR("VAR:"), STR("HIVEVAR:")};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (str_starts_with(name, prefixes[i]))
            return str_make(name.ptr + prefixes[i].len, name.len - prefixes[i].len);
    return name;
}

static const str_t *find_value(str_t name, const struct session_setting *settings, uint32_t count)
{
    str_t key = variable_key(name);
    for (uint32_t i = count; i-- > 0;)
        if (str_eq_fold(name_str(settings[i].key), key))
            return &settings[i].value;
    return NULL;
}

struct pass {
    struct arena *arena;
    const struct session_setting *settings;
    uint32_t setting_count;
    uint32_t replaced;
};

/* The value with its own variables put in. */
static str_t full_value(struct pass *pass, str_t value)
{
    for (uint32_t round = 0; round < LIMIT_SUBSTITUTION_ROUNDS && has_variable(value); round++) {
        bool changed = false;
        for (size_t at = str_find(value, '$', 0); at < value.len; at = str_find(value, '$', at + 1)) {
            size_t end = reference_end(value, at);
            const str_t *inner = end == 0 ? NULL : find_value(str_make(value.ptr + at + 2, end - at - 3), pass->settings, pass->setting_count);
            if (inner == NULL || value.len + inner->len > 1000000)
                continue;
            str_t head = arena_join(pass->arena, str_make(value.ptr, at), *inner);
            value = arena_join(pass->arena, head, str_make(value.ptr + end, value.len - end));
            changed = true;
            break;
        }
        if (!changed)
            break;
    }
    return value;
}

static void add_piece(struct pass *pass, struct substitution *out, size_t *len, size_t old_start, size_t old_end, str_t text, bool replaced)
{
    struct text_piece *piece = text.len == 0 ? NULL : VEC_PUSH(pass->arena, &out->pieces);
    if (piece == NULL)
        return;
    *piece = (struct text_piece){(uint32_t)*len, (uint32_t)old_start, (uint32_t)old_end, replaced};
    out->text = arena_join(pass->arena, out->text, text);
    *len += text.len;
}

bool substitute(struct arena *arena, str_t text, const struct session_setting *settings, uint32_t count, struct substitution *out)
{
    struct pass pass = {arena, settings, count, 0};
    *out = (struct substitution){STR(""), {NULL, 0, 0}};
    size_t len = 0, kept = 0;
    for (size_t at = str_find(text, '$', 0); at < text.len; at = str_find(text, '$', at + 1)) {
        size_t end = reference_end(text, at);
        const str_t *value = end == 0 ? NULL : find_value(str_make(text.ptr + at + 2, end - at - 3), settings, count);
        if (value == NULL)
            continue;
        add_piece(&pass, out, &len, kept, at, str_make(text.ptr + kept, at - kept), false);
        add_piece(&pass, out, &len, at, end, full_value(&pass, *value), true);
        pass.replaced++;
        kept = end;
        at = end - 1;
    }
    if (pass.replaced == 0)
        return false;
    add_piece(&pass, out, &len, kept, text.len, str_make(text.ptr + kept, text.len - kept), false);
    return !arena->failed;
}

static const struct text_piece *piece_at(const struct substitution *s, uint32_t at)
{
    uint32_t low = 0, high = s->pieces.count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (s->pieces.items[middle].start <= at)
            low = middle;
        else
            high = middle;
    }
    return s->pieces.count == 0 ? NULL : &s->pieces.items[low];
}

bool substitution_replaced(const struct substitution *s, uint32_t at)
{
    const struct text_piece *piece = piece_at(s, at);
    return piece != NULL && piece->replaced;
}

span_t substitution_span(const struct substitution *s, span_t span)
{
    const struct text_piece *first = piece_at(s, span.start), *last = piece_at(s, span.end == 0 ? 0 : span.end - 1);
    if (first == NULL || last == NULL || span.end == 0)
        return span;
    uint32_t start = first->replaced ? first->old_start : first->old_start + (span.start - first->start);
    uint32_t end = last->replaced ? last->old_end : last->old_start + (span.end - last->start);
    return (span_t){start, end};
}
