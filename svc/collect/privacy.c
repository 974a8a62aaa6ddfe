/* Texts without values: a scanner that knows strings, numbers, names and comments of both dialects. */
#include "collect/privacy.h"

#include "base/json.h"
#include "base/jsonw.h"

/* ---- SQL -------------------------------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool in_word(char c)
{
    char low = ascii_lower(c);
    return (low >= 'a' && low <= 'z') || is_digit(c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* Behind the quoted text that begins at `at`; of strings a backslash takes the next byte with it. */
static size_t quoted_end(str_t s, size_t at)
{
    char quote = s.ptr[at];
    for (at++; at < s.len; at++) {
        if (s.ptr[at] == '\\' && quote != '`')
            at++;
        else if (s.ptr[at] == quote)
            return at + 1;
    }
    return s.len;
}

/* Behind the comment that begins at `at`; `at` when there is none. */
static size_t comment_end(str_t s, size_t at)
{
    if (at + 1 >= s.len)
        return at;
    if (s.ptr[at] == '-' && s.ptr[at + 1] == '-')
        return str_find(s, '\n', at);
    if (s.ptr[at] != '/' || s.ptr[at + 1] != '*')
        return at;
    for (size_t end = at + 2; end + 1 < s.len; end++)
        if (s.ptr[end] == '*' && s.ptr[end + 1] == '/')
            return end + 2;
    return s.len;
}

static bool is_exponent(str_t s, size_t at)
{
    bool sign = at + 1 < s.len && (s.ptr[at + 1] == '+' || s.ptr[at + 1] == '-');
    size_t digit = at + 1 + sign;
    return at < s.len && ascii_lower(s.ptr[at]) == 'e' && digit < s.len && is_digit(s.ptr[digit]);
}

static size_t number_end(str_t s, size_t at)
{
    while (at < s.len && (is_digit(s.ptr[at]) || s.ptr[at] == '.'))
        at++;
    if (is_exponent(s, at)) {
        at += 2;
        while (at < s.len && is_digit(s.ptr[at]))
            at++;
    }
    while (at < s.len && in_word(s.ptr[at])) /* 10L, 0xff */
        at++;
    return at;
}

static size_t word_end(str_t s, size_t at)
{
    while (at < s.len && in_word(s.ptr[at]))
        at++;
    return at;
}

static void redact_sql(struct buf *out, str_t s)
{
    for (size_t at = 0; at < s.len;) {
        char c = s.ptr[at];
        size_t end = comment_end(s, at);
        if (end > at) {
            buf_add_char(out, ' ');
        } else if (c == '\'' || c == '"') {
            end = quoted_end(s, at);
            BUF_ADD(out, "'?'");
        } else if (is_digit(c)) {
            end = number_end(s, at);
            buf_add_char(out, '0');
        } else {
            end = c == '`' ? quoted_end(s, at) : in_word(c) ? word_end(s, at) : at + 1;
            buf_add(out, str_make(s.ptr + at, end - at));
        }
        at = end;
    }
}

/* `…/ds=2024-03-15/hr=3` → `…/ds=*` and so on */
static void redact_path(struct buf *out, str_t s)
{
    for (size_t at = 0; at < s.len;) {
        size_t end = str_find(s, '/', at), equals = str_find(str_make(s.ptr, end), '=', at);
        buf_add(out, str_make(s.ptr + at, equals - at));
        if (equals < end)
            BUF_ADD(out, "=*");
        if (end < s.len)
            buf_add_char(out, '/');
        at = end + 1;
    }
}

/* ---- graphs ----------------------------------------------------------------------------------------------------- */

static void write_scalar(struct jsonw *w, const struct json *value)
{
    switch (value->kind) {
    case JSON_NULL:
        jsonw_null(w);
        break;
    case JSON_FALSE:
    case JSON_TRUE:
        jsonw_bool(w, value->kind == JSON_TRUE);
        break;
    case JSON_NUMBER:
        jsonw_raw(w, value->text);
        break;
    case JSON_STRING:
        jsonw_string(w, value->text);
        break;
    case JSON_ARRAY:
    case JSON_OBJECT:
        break;
    }
}

/* A label that is an unnamed expression, `upper('x')`, no column. */
static bool is_unnamed(const struct json *value)
{
    if (!str_eq(value->key, STR("vertexId")))
        return false;
    for (size_t i = 0; i < value->text.len; i++)
        if (memchr("'\"(", value->text.ptr[i], 3) != NULL)
            return true;
    return false;
}

/* An expression's text: without values, or empty. A label stays, for it tells the columns apart. */
static void write_expression(struct jsonw *w, enum config_sql_text level, const struct json *value)
{
    struct buf clean;
    buf_init(&clean, 0);
    if (level == SQL_TEXT_REDACTED || is_unnamed(value))
        redact_sql(&clean, value->text);
    jsonw_string(w, buf_str(&clean));
    w->out->failed |= clean.failed;
    buf_release(&clean);
}

/* Members that hold pieces of the statement. */
static bool is_expression(const struct json *value)
{
    return value->kind == JSON_STRING && (str_eq(value->key, STR("expression")) || is_unnamed(value));
}

static bool is_container(const struct json *value)
{
    return value->kind == JSON_ARRAY || value->kind == JSON_OBJECT;
}

static void open_value(struct jsonw *w, enum config_sql_text level, const struct json *value)
{
    if (value->parent != NULL && value->parent->kind == JSON_OBJECT)
        jsonw_key_text(w, value->key);
    if (value->kind == JSON_ARRAY)
        jsonw_array_begin(w);
    else if (value->kind == JSON_OBJECT)
        jsonw_object_begin(w);
    else if (is_expression(value))
        write_expression(w, level, value);
    else
        write_scalar(w, value);
}

static void close_value(struct jsonw *w, const struct json *value)
{
    if (value->kind == JSON_ARRAY)
        jsonw_array_end(w);
    else if (value->kind == JSON_OBJECT)
        jsonw_object_end(w);
}

/* Writes the tree again, without recursion, with other expressions. */
static void write_graph(struct buf *out, enum config_sql_text level, const struct json *root)
{
    struct jsonw w;
    jsonw_init(&w, out, false);
    const struct json *at = root;
    while (at != NULL) {
        open_value(&w, level, at);
        if (is_container(at) && at->first != NULL) {
            at = at->first;
            continue;
        }
        while (at != NULL) {
            close_value(&w, at);
            if (at == root) {
                at = NULL;
            } else if (at->next != NULL) {
                at = at->next;
                break;
            } else {
                at = at->parent;
            }
        }
    }
}

static void redact_graph(struct buf *out, enum config_sql_text level, str_t graph)
{
    struct arena arena;
    const char *message;
    size_t where;
    arena_init(&arena, 0, NULL);
    const struct json *root = json_read(&arena, graph, &message, &where);
    if (root != NULL)
        write_graph(out, level, root);
    else
        BUF_ADD(out, "{\"edges\":[],\"vertices\":[]}");
    arena_release(&arena);
}

/* ---- records ---------------------------------------------------------------------------------------------------- */

static bool keep(struct buf *out, str_t *text, struct arena *arena)
{
    str_t copy = arena_copy(arena, buf_str(out));
    bool ok = !out->failed && !arena->failed;
    buf_clear(out);
    *text = ok ? copy : STR("");
    return ok;
}

bool privacy_apply(enum config_sql_text level, struct raw_record *record, struct arena *arena)
{
    if (level == SQL_TEXT_FULL)
        return true;
    struct buf out;
    buf_init(&out, 0);
    bool ok = true;
    if (level == SQL_TEXT_NONE) {
        record->sql = record->error = STR("");
    } else {
        redact_sql(&out, record->sql);
        ok = keep(&out, &record->sql, arena);
        redact_sql(&out, record->error);
        ok = keep(&out, &record->error, arena) && ok;
    }
    if (record->path.len > 0) {
        redact_path(&out, record->path);
        ok = keep(&out, &record->path, arena) && ok;
    }
    if (record->graph.len > 0) {
        redact_graph(&out, level, record->graph);
        ok = keep(&out, &record->graph, arena) && ok;
    }
    buf_release(&out);
    return ok;
}
