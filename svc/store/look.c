/* Documents are not read as trees: what is left out is told by its key. */
#include "store/look.h"

#include "store/defined.h"
#include "store/facts.h"
#include "store/label.h"

static size_t find_byte(str_t json, char c, size_t from)
{
    const char *hit = from < json.len ? memchr(json.ptr + from, c, json.len - from) : NULL;
    return hit == NULL ? json.len : (size_t)(hit - json.ptr);
}

/* Behind the string whose first quote stands at `at`. */
static size_t behind_string(str_t json, size_t at)
{
    for (size_t end = find_byte(json, '"', at + 1); end < json.len; end = find_byte(json, '"', end + 1)) {
        size_t slashes = 0;
        while (json.ptr[end - 1 - slashes] == '\\')
            slashes++;
        if (slashes % 2 == 0)
            return end + 1;
    }
    return json.len;
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

/* The key that ends `front`, if its value is left out; else the empty text. */
static str_t left_out(str_t front)
{
    static const str_t keys[] = {STR("\"expression\""), STR("\"span\""), STR("\"target\""), STR("\"steps\""), STR("\"message\"")};
    char last = front.len > 2 ? front.ptr[front.len - 2] : '\0';
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].ptr[keys[i].len - 2] == last && str_ends_with(front, keys[i]))
            return keys[i];
    return STR("");
}

/* Takes the value that begins at `at`; gives where it ends. */
static size_t take_value(struct glance *g, str_t key, size_t at)
{
    size_t end = behind_value(g->json, at);
    str_t value = str_make(g->json.ptr + at, end - at);
    if (key.ptr[1] == 'e')
        add_expression(g, value);
    if (key.ptr[1] == 't') {
        flush_target(g);
        g->target = value;
    }
    return end;
}

/* A colon behind a quote is a key's: within a string a quote has a backslash before it, which is no part of the keys that are left out. */
static void add_document(str_t json, struct buf *out)
{
    struct glance g = {.json = json, .target = STR(""), .out = out};
    size_t from = 0; /* what was not added yet */
    for (size_t at = find_byte(json, ':', 1); at < json.len; at = find_byte(json, ':', at)) {
        str_t key = json.ptr[at - 1] == '"' ? left_out(str_make(json.ptr, at)) : STR("");
        at++;
        if (key.len == 0)
            continue;
        buf_add(out, str_make(json.ptr + from, at - from));
        at = from = take_value(&g, key, at);
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
    seed += manner_of_creating(event->sql);
    if (event->lineage.len == 0)
        seed = hash64(event->operation_type, seed);
    buf_clear(scratch);
    add_document(event->lineage, scratch);
    return hash128(buf_str(scratch), seed);
}
