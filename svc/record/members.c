/*
 * The member reader. Values are passed over by one loop with the kinds of the open containers in a
 * set of bits, so nesting costs no C stack; more than DEPTH_MAX levels are refused, which no record
 * of ours comes near.
 */
#include "record/members.h"

#include "base/utf8.h"

enum { DEPTH_MAX = 512 };

static bool fail(struct member_reader *r, const char *message)
{
    if (r->message == NULL)
        r->message = message;
    return false;
}

static void skip_blanks(struct member_reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
}

static bool accept(struct member_reader *r, char c)
{
    if (r->at < r->end && *r->at == c) {
        r->at++;
        return true;
    }
    skip_blanks(r);
    if (r->at >= r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

/* ---- strings -------------------------------------------------------------------------------- */

#define ALL_BYTES(value) (0x0101010101010101u * (uint64_t)(value))
#define HIGH_BITS ALL_BYTES(0x80)

/* High bits set where a byte is a control character, a quote or a backslash; exact for the lowest
 * such byte. */
static uint64_t special_bytes(uint64_t word)
{
    uint64_t quote = word ^ ALL_BYTES('"'), backslash = word ^ ALL_BYTES('\\');
    return (((word - ALL_BYTES(0x20)) & ~word) | ((quote - ALL_BYTES(1)) & ~quote) |
            ((backslash - ALL_BYTES(1)) & ~backslash)) &
           HIGH_BITS;
}

/* The next quote, backslash or control character, or the end; adds to `high` whether a byte on the
 * way is not ASCII. */
static const char *find_special(const char *at, const char *end, uint64_t *high)
{
    while (end - at >= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        uint64_t special = special_bytes(word);
        if (special != 0) {
            unsigned bits = (unsigned)__builtin_ctzll(special) & ~7u;
            *high |= word & HIGH_BITS & (bits == 0 ? 0 : ~(uint64_t)0 >> (64 - bits));
            return at + bits / 8;
        }
        *high |= word & HIGH_BITS;
        at += 8;
    }
    while (at < end && *at != '"' && *at != '\\' && (unsigned char)*at >= 0x20)
        *high |= (uint64_t)((unsigned char)*at++ & 0x80);
    return at;
}

static bool is_hex(const char *at, const char *end)
{
    if (end - at < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        char c = ascii_lower(at[i]);
        if ((c < '0' || c > '9') && (c < 'a' || c > 'f'))
            return false;
    }
    return true;
}

/* '\' [/"\bfnrt] | '\' 'u' hex{4} */
static bool skip_escape(struct member_reader *r)
{
    static const char letters[] = "\"\\/bfnrt";
    r->at++;
    if (r->at < r->end && *r->at == 'u' && is_hex(r->at + 1, r->end)) {
        r->at += 5;
        return true;
    }
    if (r->at >= r->end || memchr(letters, *r->at, sizeof letters - 1) == NULL)
        return fail(r, "wrong escape in a string");
    r->at++;
    return true;
}

/* chars '"', behind the opening quote */
static bool read_string(struct member_reader *r, str_t *text, bool *escaped)
{
    const char *start = r->at;
    uint64_t high = 0;
    *escaped = false;
    for (;;) {
        r->at = find_special(r->at, r->end, &high);
        if (r->at >= r->end)
            return fail(r, "a string without an end");
        if (*r->at == '"')
            break;
        if (*r->at != '\\')
            return fail(r, "control character in a string");
        *escaped = true;
        if (!skip_escape(r))
            return false;
    }
    *text = str_make(start, (size_t)(r->at - start));
    r->at++;
    size_t where;
    if (high != 0 && !utf8_valid(*text, &where))
        return fail(r, "a string that is no UTF-8");
    return true;
}

/* ---- other values --------------------------------------------------------------------------- */

static bool skip_digits(struct member_reader *r)
{
    const char *start = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
        r->at++;
    return r->at > start;
}

/* ['-'] ('0' | digits) ['.' digits] [('e' | 'E') ['+' | '-'] digits] */
static bool read_number(struct member_reader *r, struct member *m)
{
    const char *start = r->at;
    if (*r->at == '-')
        r->at++;
    const char *first = r->at;
    bool good = skip_digits(r) && (*first != '0' || r->at == first + 1);
    if (good && r->at < r->end && *r->at == '.') {
        r->at++;
        good = skip_digits(r);
    }
    if (good && r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
        r->at++;
        if (r->at < r->end && (*r->at == '+' || *r->at == '-'))
            r->at++;
        good = skip_digits(r);
    }
    m->kind = JSON_NUMBER;
    m->value = str_make(start, (size_t)(r->at - start));
    return good || fail(r, "expected a value");
}

static bool read_word(struct member_reader *r, struct member *m, str_t word, enum json_kind kind)
{
    if (!str_starts_with(str_make(r->at, (size_t)(r->end - r->at)), word))
        return fail(r, "expected a value");
    m->kind = kind;
    m->value = str_make(r->at, word.len);
    r->at += word.len;
    return true;
}

/* A value that is no container. */
static bool read_scalar(struct member_reader *r, struct member *m)
{
    switch (*r->at) {
    case '"':
        r->at++;
        m->kind = JSON_STRING;
        return read_string(r, &m->value, &m->escaped);
    case 't':
        return read_word(r, m, STR("true"), JSON_TRUE);
    case 'f':
        return read_word(r, m, STR("false"), JSON_FALSE);
    case 'n':
        return read_word(r, m, STR("null"), JSON_NULL);
    default:
        return read_number(r, m);
    }
}

static bool skip_key(struct member_reader *r)
{
    str_t key;
    bool escaped;
    if (!accept(r, '"'))
        return fail(r, "expected the name of a member");
    return read_string(r, &key, &escaped) && (accept(r, ':') || fail(r, "expected `:`"));
}

/* The containers around the place that is being read. */
struct nesting {
    uint64_t objects[DEPTH_MAX / 64]; /* a bit a level: an object */
    size_t depth;
};

static bool in_object(const struct nesting *n)
{
    size_t level = n->depth - 1;
    return n->objects[level / 64] >> level % 64 & 1;
}

static bool open_container(struct member_reader *r, struct nesting *n)
{
    if (n->depth == DEPTH_MAX)
        return fail(r, "values too deep within one another");
    uint64_t bit = (uint64_t)1 << n->depth % 64;
    uint64_t *word = &n->objects[n->depth / 64];
    *word = *r->at == '{' ? *word | bit : *word & ~bit;
    n->depth++;
    r->at++;
    return true;
}

/* Closes all that ends here; then `,` must follow unless everything is closed. */
static bool close_containers(struct member_reader *r, struct nesting *n)
{
    while (n->depth > 0 && accept(r, in_object(n) ? '}' : ']'))
        n->depth--;
    if (n->depth == 0 || accept(r, ','))
        return true;
    return fail(r, in_object(n) ? "expected `,` or `}`" : "expected `,` or `]`");
}

/* An object or array with all that is in it. */
static bool skip_container(struct member_reader *r, struct member *m)
{
    const char *start = r->at;
    struct nesting n = {.depth = 0};
    struct member inner;
    m->kind = *r->at == '{' ? JSON_OBJECT : JSON_ARRAY;
    do {
        bool container = *r->at == '{' || *r->at == '[';
        if (container && !open_container(r, &n))
            return false;
        if (container && !accept(r, in_object(&n) ? '}' : ']')) {
            if (in_object(&n) && !skip_key(r))
                return false;
        } else {
            if (container)
                n.depth--;
            else if (!read_scalar(r, &inner))
                return false;
            if (!close_containers(r, &n) || (n.depth > 0 && in_object(&n) && !skip_key(r)))
                return false;
        }
        skip_blanks(r);
        if (n.depth > 0 && r->at >= r->end)
            return fail(r, "expected a value");
    } while (n.depth > 0);
    m->value = str_make(start, (size_t)(r->at - start));
    m->value = str_trim(m->value);
    return true;
}

static bool read_value(struct member_reader *r, struct member *m)
{
    if (r->at < r->end && (unsigned char)*r->at <= ' ')
        skip_blanks(r);
    if (r->at >= r->end)
        return fail(r, "expected a value");
    m->escaped = false;
    return *r->at == '{' || *r->at == '[' ? skip_container(r, m) : read_scalar(r, m);
}

/* ---- members -------------------------------------------------------------------------------- */

struct member_reader member_reader_of(str_t json)
{
    struct member_reader r = {
        .start = json.ptr, .at = json.ptr, .end = json.len == 0 ? json.ptr : json.ptr + json.len};
    if (accept(&r, '['))
        r.array = true;
    else if (!accept(&r, '{'))
        fail(&r, "expected an object");
    return r;
}

static bool finish(struct member_reader *r)
{
    r->finished = true;
    skip_blanks(r);
    if (r->at < r->end)
        fail(r, "expected the end");
    return false;
}

static bool read_key(struct member_reader *r, struct member *m)
{
    bool escaped = false;
    m->key = STR("");
    if (r->array)
        return true;
    if (!accept(r, '"'))
        return fail(r, "expected the name of a member");
    /* Names of ours have no escapes; others are passed over, whatever they are. */
    return read_string(r, &m->key, &escaped) && (accept(r, ':') || fail(r, "expected `:`"));
}

bool member_next(struct member_reader *r, struct member *member)
{
    if (r->message != NULL || r->finished)
        return false;
    if (accept(r, r->array ? ']' : '}'))
        return finish(r);
    if (r->begun && !accept(r, ','))
        return fail(r, r->array ? "expected `,` or `]`" : "expected `,` or `}`");
    r->begun = true;
    return read_key(r, member) && read_value(r, member);
}

bool member_text(const struct member *member, struct arena *arena, str_t *text)
{
    const char *message;
    size_t where;
    *text = member->value;
    if (!member->escaped)
        return true;
    const struct json *tree =
        json_read(arena, str_make(member->value.ptr - 1, member->value.len + 2), &message, &where);
    *text = tree == NULL ? STR("") : tree->text;
    return tree != NULL;
}

static bool read_digits(str_t text, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c < '0' || c > '9' || __builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, (uint64_t)(c - '0'), number))
            return false;
    }
    return true;
}

bool member_unsigned(const struct member *member, uint64_t *number)
{
    return member->kind == JSON_NUMBER && read_digits(member->value, number);
}

bool member_integer(const struct member *member, int64_t *number)
{
    str_t text = member->value;
    uint64_t value;
    if (member->kind != JSON_NUMBER)
        return false;
    bool negative = text.ptr[0] == '-';
    if (!read_digits(str_make(text.ptr + negative, text.len - negative), &value) ||
        value > (uint64_t)INT64_MAX)
        return false;
    *number = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

bool json_is_valid(str_t json)
{
    struct member m;
    struct member_reader r = {
        .start = json.ptr, .at = json.ptr, .end = json.len == 0 ? json.ptr : json.ptr + json.len};
    if (!read_value(&r, &m))
        return false;
    skip_blanks(&r);
    return r.at == r.end;
}
