/* A JSON reader without a tree: members of interest are taken, all else is passed over with brackets counted. */
#include "record.h"

#include "base/utf8.h"

struct reader {
    const char *at, *end;
    struct arena *arena;
    const char *wrong; /* the first thing that was */
    const char *wrong_at;
};

static void mistake(struct reader *r, const char *what)
{
    if (r->wrong == NULL) {
        r->wrong = what;
        r->wrong_at = r->at;
    }
    r->at = r->end;
}

static void skip_blanks(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\n'))
        r->at++;
}

static bool take(struct reader *r, char c)
{
    skip_blanks(r);
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static void want(struct reader *r, char c, const char *what)
{
    if (!take(r, c))
        mistake(r, what);
}

/* After the opening quote: the raw bytes up to the closing one. */
static str_t raw_string(struct reader *r, bool *escaped)
{
    const char *start = r->at;
    *escaped = false;
    while (r->at < r->end && *r->at != '"') {
        if (*r->at == '\\') {
            *escaped = true;
            r->at++;
        }
        if (r->at < r->end)
            r->at++;
    }
    str_t raw = str_make(start, (size_t)(r->at - start));
    if (r->at == r->end)
        mistake(r, "a string does not end");
    else
        r->at++;
    return raw;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = ascii_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Four hexadecimal digits; -1 where there are none. */
static int32_t hex_unit(str_t raw, size_t at)
{
    int32_t unit = 0;
    if (raw.len - at < 4)
        return -1;
    for (size_t i = 0; i < 4; i++) {
        int digit = hex_digit(raw.ptr[at + i]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

/* After `\u`: one unit, or a pair of surrogates; a lone one becomes U+FFFD. Returns the bytes of `raw` taken. */
static size_t unicode_escape(struct reader *r, str_t raw, size_t at, uint32_t *code)
{
    int32_t unit = hex_unit(raw, at);
    if (unit < 0) {
        mistake(r, "\\u without four hexadecimal digits");
        *code = 0xFFFD;
        return raw.len - at;
    }
    *code = (uint32_t)unit;
    if (*code < 0xD800 || *code > 0xDFFF)
        return 4;
    bool pair = *code < 0xDC00 && raw.len - at >= 10 && raw.ptr[at + 4] == '\\' && raw.ptr[at + 5] == 'u';
    int32_t low = pair ? hex_unit(raw, at + 6) : -1;
    if (low < 0xDC00 || low > 0xDFFF) {
        *code = 0xFFFD;
        return 4;
    }
    *code = 0x10000 + ((*code - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
    return 10;
}

static char escaped_char(char c)
{
    switch (c) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'r':
        return '\r';
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    default:
        return c;
    }
}

static str_t unescape(struct reader *r, str_t raw)
{
    char *text = arena_alloc(r->arena, raw.len);
    if (text == NULL)
        return STR("");
    char *out = text;
    for (size_t i = 0; i < raw.len;) {
        size_t run = str_find(raw, '\\', i);
        memcpy(out, raw.ptr + i, run - i);
        out += run - i;
        if (run + 1 >= raw.len)
            break;
        i = run + 2;
        if (raw.ptr[run + 1] != 'u') {
            *out++ = escaped_char(raw.ptr[run + 1]);
            continue;
        }
        uint32_t code;
        i += unicode_escape(r, raw, i, &code);
        out += utf8_put(out, code);
    }
    return str_make(text, (size_t)(out - text));
}

static str_t read_string(struct reader *r)
{
    bool escaped;
    want(r, '"', "a string is wanted here");
    if (r->wrong != NULL)
        return STR("");
    str_t raw = raw_string(r, &escaped);
    return escaped ? unescape(r, raw) : raw;
}

/* A number or a word: true, false, null. */
static str_t read_bare(struct reader *r)
{
    const char *start = r->at;
    while (r->at < r->end && memchr(",]}: \t\r\n\"[{", *r->at, 12) == NULL)
        r->at++;
    if (r->at == start)
        mistake(r, "a value is wanted here");
    return str_make(start, (size_t)(r->at - start));
}

/* Any value, with all that is in it. */
static void skip_value(struct reader *r)
{
    size_t depth = 0;
    do {
        skip_blanks(r);
        if (r->at == r->end) {
            mistake(r, "the record does not end");
            return;
        }
        bool escaped;
        char c = *r->at;
        if (c == '"') {
            r->at++;
            raw_string(r, &escaped);
        } else if (c == '{' || c == '[') {
            depth++;
            r->at++;
        } else if ((c == '}' || c == ']') && depth > 0) {
            depth--;
            r->at++;
        } else if ((c == ',' || c == ':') && depth > 0) {
            r->at++;
        } else {
            read_bare(r);
        }
    } while (depth > 0 && r->wrong == NULL);
}

/* A string; null counts as left out, a number as its digits. */
static str_t read_text(struct reader *r, bool *given)
{
    skip_blanks(r);
    *given = true;
    if (r->at < r->end && *r->at == '"')
        return read_string(r);
    str_t bare = read_bare(r);
    *given = !str_eq(bare, STR("null"));
    return *given ? bare : STR("");
}

static void read_catalogs(struct reader *r, struct record *record)
{
    bool given;
    if (!take(r, '[')) {
        str_t only = read_text(r, &given);
        str_t *name = given ? VEC_PUSH(r->arena, &record->catalogs) : NULL;
        if (name != NULL)
            *name = only;
        return;
    }
    if (take(r, ']'))
        return;
    do {
        str_t *name = VEC_PUSH(r->arena, &record->catalogs);
        str_t text = read_string(r);
        if (name != NULL)
            *name = text;
    } while (take(r, ','));
    want(r, ']', "`,` or `]` is wanted here");
}

/* {"expand_complex_types": true} */
static void read_options(struct reader *r, struct record *record)
{
    if (!take(r, '{')) {
        skip_value(r);
        return;
    }
    if (take(r, '}'))
        return;
    do {
        str_t key = read_string(r);
        want(r, ':', "`:` is wanted here");
        skip_blanks(r);
        const char *start = r->at;
        skip_value(r);
        if (str_eq(key, STR("expand_complex_types")))
            record->expand_complex_types = str_eq(str_make(start, (size_t)(r->at - start)), STR("true"));
    } while (take(r, ','));
    want(r, '}', "`,` or `}` is wanted here");
}

static void read_member(struct reader *r, struct record *record)
{
    bool given;
    str_t key = read_string(r);
    want(r, ':', "`:` is wanted here");
    if (str_eq(key, STR("id")))
        record->id = read_text(r, &given);
    else if (str_eq(key, STR("sql")))
        record->sql = read_text(r, &record->has_sql);
    else if (str_eq(key, STR("dialect")))
        record->dialect = read_text(r, &given);
    else if (str_eq(key, STR("database")))
        record->database = read_text(r, &given);
    else if (str_eq(key, STR("catalogs")))
        read_catalogs(r, record);
    else if (str_eq(key, STR("options")))
        read_options(r, record);
    else
        skip_value(r);
}

const char *record_read(struct record *record, str_t line, struct arena *arena, size_t *where)
{
    struct reader r = {.at = line.ptr, .end = line.ptr + line.len, .arena = arena};
    *record = (struct record){.has_sql = false};
    want(&r, '{', "a JSON object is wanted");
    if (!take(&r, '}') && r.wrong == NULL) {
        do
            read_member(&r, record);
        while (take(&r, ','));
        want(&r, '}', "`,` or `}` is wanted here");
    }
    skip_blanks(&r);
    if (r.wrong == NULL && r.at < r.end)
        mistake(&r, "something stands behind the object");
    if (r.wrong == NULL && !record->has_sql)
        mistake(&r, "the record has no \"sql\"");
    *where = r.wrong == NULL ? 0 : (size_t)(r.wrong_at - line.ptr);
    return r.wrong;
}
