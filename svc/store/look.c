/* Documents are not read as trees: what is left out is told by its key. */
#include "store/look.h"

#include "store/facts.h"
#include "store/label.h"

/* Behind the string whose first quote stands at `at`. */
static size_t behind_string(str_t json, size_t at)
{
    for (at++; at < json.len && json.ptr[at] != '"'; at++)
        at += json.ptr[at] == '\\';
    return at < json.len ? at + 1 : json.len;
}

/* Behind a list or object in which nothing but strings and numbers stands. */
static size_t behind_container(str_t json, size_t at)
{
    char end = json.ptr[at] == '[' ? ']' : '}';
    for (at++; at < json.len && json.ptr[at] != end;)
        at = json.ptr[at] == '"' ? behind_string(json, at) : at + 1;
    return at < json.len ? at + 1 : json.len;
}

static size_t behind_value(str_t json, size_t at)
{
    if (at >= json.len)
        return at;
    return json.ptr[at] == '"' ? behind_string(json, at) : json.ptr[at] == '[' || json.ptr[at] == '{' ? behind_container(json, at) : at;
}

struct glance {
    str_t json;
    str_t target; /* of a column whose expression is still to come, with its quotes */
    struct buf *out;
};

static void flush_target(struct glance *g)
{
    buf_add(g->out, g->target);
    g->target = STR("");
}

/* A label (label.h) looks like the label of another run. */
static void add_expression(struct glance *g, str_t expression)
{
    str_t ending = expression.len < 2 ? STR("") : str_make(expression.ptr + 1, expression.len - 1); /* with the last quote */
    if (ending.len > 1 && str_ends_with(g->target, ending) && label_holds_literal(ending))
        g->target.len -= ending.len;
    flush_target(g);
}

/* The member whose key ends before `at`, with its colon; gives where it ends, or `at` when it is to be looked at. */
static size_t take_member(struct glance *g, str_t key, size_t at)
{
    bool expression = str_eq(key, STR("expression")), target = str_eq(key, STR("target"));
    if (!expression && !target && !str_eq(key, STR("span")) && !str_eq(key, STR("steps")) && !str_eq(key, STR("message")))
        return at;
    size_t end = behind_value(g->json, at);
    str_t value = str_make(g->json.ptr + at, end - at);
    if (expression)
        add_expression(g, value);
    if (target) {
        flush_target(g);
        g->target = value;
    }
    return end;
}

static void add_document(str_t json, struct buf *out)
{
    struct glance g = {.json = json, .target = STR(""), .out = out};
    size_t from = 0; /* what was not added yet */
    for (size_t at = 0; at < json.len;) {
        const char *quote = memchr(json.ptr + at, '"', json.len - at);
        if (quote == NULL)
            break;
        size_t begin = (size_t)(quote - json.ptr), end = behind_string(json, begin);
        at = end;
        if (end >= json.len || json.ptr[end] != ':')
            continue;
        size_t behind = take_member(&g, str_make(json.ptr + begin + 1, end - begin - 2), end + 1);
        if (behind == end + 1)
            continue;
        buf_add(out, str_make(json.ptr + from, begin - from));
        at = from = behind;
    }
    buf_add(out, str_make(json.ptr + from, json.len - from));
    flush_target(&g);
}

static uint64_t hash_list(const str_t *items, uint32_t count, uint64_t seed)
{
    for (uint32_t i = 0; i < count; i++)
        seed = hash64(items[i], seed) + 1;
    return seed;
}

struct hash128 look_of(const struct event *event, struct buf *scratch)
{
    uint64_t seed = event_succeeded(event);
    seed = hash64(name_space_of(event->name_space), seed);
    seed = hash64(event->engine, seed);
    seed = hash64(event->fingerprint, seed);
    seed = hash_list(event->input_tables, event->input_count, seed);
    seed = hash_list(event->output_tables, event->output_count, seed + 1);
    if (event->lineage.len == 0)
        seed = hash64(event->operation_type, seed);
    buf_clear(scratch);
    add_document(event->lineage, scratch);
    return hash128(buf_str(scratch), seed);
}
