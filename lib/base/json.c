/*
 * The JSON reader. Values are linked into their parents as they come; `open` is the container that is being filled, so
 * nesting costs no C stack.
 */
#include "base/json.h"

#include "base/utf8.h"

static bool fail(struct json_cursor *r, const char *message)
{
    if (r->message == NULL)
        r->message = message;
    return false;
}

static char peek(const struct json_cursor *r)
{
    return r->pos < r->text.len ? r->text.ptr[r->pos] : '\0';
}

static void skip_blanks(struct json_cursor *r)
{
    while (peek(r) == ' ' || peek(r) == '\t' || peek(r) == '\n' || peek(r) == '\r')
        r->pos++;
}

static bool accept(struct json_cursor *r, char c)
{
    skip_blanks(r);
    if (r->pos >= r->text.len || r->text.ptr[r->pos] != c)
        return false;
    r->pos++;
    return true;
}

/* ---- strings ---------------------------------------------------------------------------------------------------- */

static bool hex_digits(str_t text, uint32_t *code)
{
    *code = 0;
    if (text.len < 4)
        return false;
    for (size_t i = 0; i < 4; i++) {
        char c = ascii_lower(text.ptr[i]);
        bool digit = c >= '0' && c <= '9';
        if (!digit && (c < 'a' || c > 'f'))
            return false;
        *code = *code * 16 + (uint32_t)(digit ? c - '0' : c - 'a' + 10);
    }
    return true;
}

/* The text behind `\u`; a pair of surrogates is one character, a lone one becomes U+FFFD. */
static bool read_unicode(str_t text, size_t *used, uint32_t *code)
{
    uint32_t low = 0;
    if (!hex_digits(text, code))
        return false;
    *used = 4;
    if (*code < 0xD800 || *code > 0xDFFF)
        return true;
    bool pair = *code < 0xDC00 && text.len >= 10 && text.ptr[4] == '\\' && text.ptr[5] == 'u'
                && hex_digits(str_make(text.ptr + 6, 4), &low) && low >= 0xDC00 && low <= 0xDFFF;
    *used = pair ? 10 : 4;
    *code = pair ? 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00) : 0xFFFD;
    return true;
}

/* One escape, without its backslash. Gives the bytes used; 0 for a wrong one. */
static size_t read_escape(str_t text, char *out, size_t *len)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    size_t used = 0;
    uint32_t code;
    if (text.ptr[0] == 'u') {
        if (!read_unicode(str_make(text.ptr + 1, text.len - 1), &used, &code))
            return 0;
        *len = utf8_put(out, code);
        return used + 1;
    }
    const char *found = memchr(from, text.ptr[0], sizeof from - 1);
    if (found == NULL)
        return 0;
    *out = to[found - from];
    *len = 1;
    return 1;
}

/* The text between the quotes, escapes resolved. */
static bool unescape(struct json_cursor *r, struct arena *arena, str_t raw, str_t *out)
{
    char *copy = arena_alloc(arena, raw.len);
    size_t len = 0;
    if (copy == NULL)
        return fail(r, "out of memory");
    for (size_t i = 0; i < raw.len;) {
        size_t run = str_find(raw, '\\', i) - i;
        memcpy(copy + len, raw.ptr + i, run);
        len += run;
        i += run;
        if (i == raw.len)
            break;
        size_t made = 0;
        size_t used = read_escape(str_make(raw.ptr + i + 1, raw.len - i - 1), copy + len, &made);
        if (used == 0)
            return fail(r, "wrong escape in a string");
        len += made;
        i += used + 1;
    }
    *out = str_make(copy, len);
    return true;
}

/* The first byte at or after `pos` that is a quote, a backslash or a control character; text.len where there is none. */
static size_t plain_end(str_t text, size_t pos)
{
    for (; text.len - pos >= 8; pos += 8) {
        uint64_t octets = octets_load(text.ptr + pos);
        if (octets_hold(octets, '"') || octets_hold(octets, '\\') || octets_below(octets, ' '))
            break;
    }
    while (pos < text.len && text.ptr[pos] != '"' && text.ptr[pos] != '\\' && (unsigned char)text.ptr[pos] >= 0x20)
        pos++;
    return pos;
}

/* '"' chars '"' */
static bool read_string(struct json_cursor *r, struct arena *arena, str_t *out)
{
    if (!accept(r, '"'))
        return fail(r, "expected a string");
    size_t start = r->pos;
    bool escapes = false;
    while ((r->pos = plain_end(r->text, r->pos)) < r->text.len && r->text.ptr[r->pos] != '"') {
        if (r->text.ptr[r->pos] != '\\')
            return fail(r, "control character in a string");
        escapes = true;
        r->pos += r->text.len - r->pos < 2 ? 1 : 2;
    }
    if (r->pos >= r->text.len) {
        r->pos = r->text.len;
        return fail(r, "string without end");
    }
    *out = str_make(r->text.ptr + start, r->pos - start);
    r->pos++;
    return !escapes || unescape(r, arena, *out, out);
}

/* ---- other values ----------------------------------------------------------------------------------------------- */

static bool take_digits(struct json_cursor *r)
{
    size_t start = r->pos;
    while (peek(r) >= '0' && peek(r) <= '9')
        r->pos++;
    return r->pos > start;
}

/* ['-'] digits ['.' digits] [('e'|'E') ['+'|'-'] digits] */
static bool read_number(struct json_cursor *r, struct json *value)
{
    size_t start = r->pos;
    if (peek(r) == '-')
        r->pos++;
    bool good = take_digits(r);
    if (good && peek(r) == '.') {
        r->pos++;
        good = take_digits(r);
    }
    if (good && (peek(r) == 'e' || peek(r) == 'E')) {
        r->pos++;
        if (peek(r) == '+' || peek(r) == '-')
            r->pos++;
        good = take_digits(r);
    }
    value->kind = JSON_NUMBER;
    value->text = str_make(r->text.ptr + start, r->pos - start);
    return good || fail(r, "expected a value");
}

static bool read_word(struct json_cursor *r, struct json *value)
{
    static const struct {
        str_t word;
        enum json_kind kind;
    } words[] = {{STR("null"), JSON_NULL}, {STR("false"), JSON_FALSE}, {STR("true"), JSON_TRUE}};
    str_t rest = str_make(r->text.ptr + r->pos, r->text.len - r->pos);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (str_starts_with(rest, words[i].word)) {
            value->kind = words[i].kind;
            r->pos += words[i].word.len;
            return true;
        }
    return read_number(r, value);
}

/* A scalar, or the opening of a container. */
static bool read_value(struct json_cursor *r, struct arena *arena, struct json *value)
{
    skip_blanks(r);
    value->at = r->pos;
    if (peek(r) == '"') {
        value->kind = JSON_STRING;
        return read_string(r, arena, &value->text);
    }
    if (peek(r) != '{' && peek(r) != '[')
        return read_word(r, value);
    value->kind = peek(r) == '{' ? JSON_OBJECT : JSON_ARRAY;
    r->pos++;
    return true;
}

/* ---- the tree --------------------------------------------------------------------------------------------------- */

/* [key ':'] value, linked behind `last` into `parent`. */
static struct json *read_child(struct json_cursor *r, struct arena *arena, struct json *parent, struct json *last)
{
    struct json *value = ARENA_NEW(arena, struct json);
    if (value == NULL) {
        fail(r, "out of memory");
        return NULL;
    }
    value->parent = parent;
    if (parent != NULL && parent->kind == JSON_OBJECT
        && (!read_string(r, arena, &value->key) || (!accept(r, ':') && !fail(r, "expected `:`"))))
        return NULL;
    if (!read_value(r, arena, value))
        return NULL;
    if (last != NULL)
        last->next = value;
    else if (parent != NULL)
        parent->first = value;
    return value;
}

static bool is_container(const struct json *value)
{
    return value->kind == JSON_ARRAY || value->kind == JSON_OBJECT;
}

static bool accept_close(struct json_cursor *r, const struct json *container)
{
    return accept(r, container->kind == JSON_OBJECT ? '}' : ']');
}

/* Closes what ends behind `value` and gives the value that more children follow; NULL when all is closed or wrong. */
static struct json *close_finished(struct json_cursor *r, struct json *value)
{
    while (value->parent != NULL && accept_close(r, value->parent))
        value = value->parent;
    if (value->parent == NULL)
        return NULL;
    if (!accept(r, ','))
        fail(r, value->parent->kind == JSON_OBJECT ? "expected `,` or `}`" : "expected `,` or `]`");
    return r->message == NULL ? value : NULL;
}

static void read_children(struct json_cursor *r, struct arena *arena, struct json *root)
{
    struct json *open = root, *last = NULL;
    while (open != NULL) {
        struct json *value = read_child(r, arena, open, last);
        if (value == NULL)
            return;
        if (is_container(value) && !accept_close(r, value)) {
            open = value;
            last = NULL;
            continue;
        }
        last = close_finished(r, value);
        open = last == NULL ? NULL : last->parent;
    }
}

struct json *json_take(struct json_cursor *cursor, struct arena *arena)
{
    struct json *root = cursor->message != NULL ? NULL : read_child(cursor, arena, NULL, NULL);
    if (root != NULL && is_container(root) && !accept_close(cursor, root))
        read_children(cursor, arena, root);
    cursor->behind_value = true;
    return cursor->message == NULL ? root : NULL;
}

bool json_at_end(struct json_cursor *cursor)
{
    skip_blanks(cursor);
    return cursor->message == NULL && (cursor->pos == cursor->text.len || fail(cursor, "expected the end"));
}

struct json *json_read(struct arena *arena, str_t text, const char **message, size_t *where)
{
    struct json_cursor cursor = {.text = text};
    struct json *root = json_take(&cursor, arena);
    bool good = root != NULL && json_at_end(&cursor);
    skip_blanks(&cursor);
    *message = cursor.message;
    *where = cursor.pos;
    return good ? root : NULL;
}

/* ---- piece by piece --------------------------------------------------------------------------------------------- */

bool json_enter(struct json_cursor *cursor, enum json_kind kind)
{
    bool object = kind == JSON_OBJECT;
    if (cursor->message != NULL || (!accept(cursor, object ? '{' : '[') && !fail(cursor, object ? "expected `{`" : "expected `[`")))
        return false;
    cursor->behind_value = false;
    return true;
}

/* Closes the container, or steps over the comma that must stand behind a value. */
static bool step(struct json_cursor *cursor, char close, const char *message)
{
    if (cursor->message != NULL)
        return false;
    if (accept(cursor, close)) {
        cursor->behind_value = true; /* the container is a value of the one around it */
        return false;
    }
    if (cursor->behind_value && !accept(cursor, ','))
        return fail(cursor, message);
    cursor->behind_value = false;
    return true;
}

bool json_next_item(struct json_cursor *cursor)
{
    return step(cursor, ']', "expected `,` or `]`");
}

bool json_next_member(struct json_cursor *cursor, struct arena *arena, str_t *key)
{
    return step(cursor, '}', "expected `,` or `}`") && read_string(cursor, arena, key)
           && (accept(cursor, ':') || fail(cursor, "expected `:`"));
}

/* ---- looking into trees ----------------------------------------------------------------------------------------- */

const struct json *json_member(const struct json *object, str_t key)
{
    const struct json *found = NULL;
    if (object != NULL && object->kind == JSON_OBJECT)
        for (const struct json *member = object->first; member != NULL; member = member->next)
            if (str_eq(member->key, key))
                found = member;
    return found;
}

str_t json_member_text(const struct json *object, str_t key)
{
    const struct json *member = json_member(object, key);
    return member != NULL && member->kind == JSON_STRING ? member->text : STR("");
}

bool json_member_true(const struct json *object, str_t key)
{
    const struct json *member = json_member(object, key);
    return member != NULL && member->kind == JSON_TRUE;
}
