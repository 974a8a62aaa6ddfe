/* A scanner of words and signs, much simpler than the language's: for texts that cannot be parsed, being cut. */
#include "normalize/names.h"

/* ---- sets ------------------------------------------------------------------------------------------------------- */

static uint32_t place_of(const struct name_list *names, str_t name)
{
    uint32_t low = 0, high = names->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (str_compare(names->items[middle], name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool stands_at(const struct name_list *names, uint32_t at, str_t name)
{
    return at < names->count && str_eq(names->items[at], name);
}

bool names_have(const struct name_list *names, str_t name)
{
    return stands_at(names, place_of(names, name), name);
}

static bool insert(struct name_list *names, uint32_t at, str_t name, struct arena *arena)
{
    if (!vec_reserve(arena, (void **)&names->items, names->count, &names->capacity, sizeof *names->items))
        return false;
    memmove(names->items + at + 1, names->items + at, (names->count - at) * sizeof *names->items);
    names->items[at] = name;
    names->count++;
    return true;
}

bool names_put(struct name_list *names, str_t name, struct arena *arena)
{
    uint32_t at = place_of(names, name);
    return name.len > 0 && !stands_at(names, at, name) && insert(names, at, name, arena);
}

bool names_put_copy(struct name_list *names, str_t name, struct arena *arena)
{
    uint32_t at = place_of(names, name);
    return name.len > 0 && !stands_at(names, at, name) && insert(names, at, arena_copy(arena, name), arena);
}

str_t name_last(str_t name)
{
    size_t at = name.len;
    while (at > 0 && name.ptr[at - 1] != '.')
        at--;
    return str_make(name.ptr + at, name.len - at);
}

bool names_have_last(const struct name_list *names, str_t last)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (str_eq(name_last(names->items[i]), last))
            return true;
    return false;
}

static bool is_quote_of_name(char c)
{
    return c == '`' || c == '"';
}

str_t name_canonical(str_t name, str_t database, struct arena *arena)
{
    name = str_trim(name);
    str_t parts[2] = {database.len > 0 ? database : STR("default"), name};
    str_t dotted = name.len == 0 || memchr(name.ptr, '.', name.len) != NULL ? name : arena_dotted(arena, parts, 2);
    str_t folded = name_str(arena_name(arena, dotted));
    bool quoted = false;
    for (size_t i = 0; i < folded.len; i++)
        quoted |= is_quote_of_name(folded.ptr[i]);
    char *plain = quoted ? arena_alloc(arena, folded.len) : NULL;
    if (plain == NULL)
        return folded;
    size_t len = 0;
    for (size_t i = 0; i < folded.len; i++)
        if (!is_quote_of_name(folded.ptr[i]))
            plain[len++] = folded.ptr[i];
    return str_make(plain, len);
}

/* ---- texts ------------------------------------------------------------------------------------------------------ */

enum token_type { TOKEN_END, TOKEN_NAME, TOKEN_STRING, TOKEN_OTHER };

struct scanner {
    str_t sql;
    size_t at;
    bool line_comment; /* one was passed */
};

struct scanned {
    enum token_type type;
    str_t text; /* of a name without quotes; of a sign itself */
};

static bool is_word(char c)
{
    char low = ascii_lower(c);
    return (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool at_text(const struct scanner *s, str_t text)
{
    return s->sql.len - s->at >= text.len && memcmp(s->sql.ptr + s->at, text.ptr, text.len) == 0;
}

static void skip_comment(struct scanner *s)
{
    if (at_text(s, STR("--"))) {
        s->line_comment = true;
        s->at = str_find(s->sql, '\n', s->at);
        return;
    }
    s->at += 2;
    while (s->at < s->sql.len && !at_text(s, STR("*/")))
        s->at++;
    s->at = s->at + 2 < s->sql.len ? s->at + 2 : s->sql.len;
}

static void skip_blanks(struct scanner *s)
{
    while (s->at < s->sql.len) {
        char c = s->sql.ptr[s->at];
        if (c == ' ' || (c >= '\t' && c <= '\r'))
            s->at++;
        else if (at_text(s, STR("--")) || at_text(s, STR("/*")))
            skip_comment(s);
        else
            break;
    }
}

/* What is between quotes; the place behind them. */
static str_t quoted(struct scanner *s)
{
    char quote = s->sql.ptr[s->at++];
    size_t start = s->at;
    while (s->at < s->sql.len && s->sql.ptr[s->at] != quote)
        s->at += s->sql.ptr[s->at] == '\\' && quote != '`' ? 2 : 1;
    size_t end = s->at < s->sql.len ? s->at : s->sql.len;
    s->at = end < s->sql.len ? end + 1 : end;
    return str_make(s->sql.ptr + start, end - start);
}

static struct scanned scan(struct scanner *s)
{
    skip_blanks(s);
    if (s->at >= s->sql.len)
        return (struct scanned){TOKEN_END, STR("")};
    char c = s->sql.ptr[s->at];
    if (c == '`')
        return (struct scanned){TOKEN_NAME, quoted(s)};
    if (c == '\'' || c == '"')
        return (struct scanned){TOKEN_STRING, quoted(s)};
    size_t start = s->at++;
    if (!is_word(c))
        return (struct scanned){TOKEN_OTHER, str_make(s->sql.ptr + start, 1)};
    while (s->at < s->sql.len && is_word(s->sql.ptr[s->at]))
        s->at++;
    return (struct scanned){TOKEN_NAME, str_make(s->sql.ptr + start, s->at - start)};
}

static bool is_sign(struct scanned token, char sign)
{
    return token.type == TOKEN_OTHER && token.text.ptr[0] == sign;
}

static bool is_keyword(struct scanned token, str_t word)
{
    return token.type == TOKEN_NAME && str_eq_fold(token.text, word);
}

/* Behind a name: [ "(" names ")" ] AS "(" */
static bool query_follows(struct scanner s)
{
    struct scanned token = scan(&s);
    if (is_sign(token, '(')) {
        do
            token = scan(&s);
        while (token.type == TOKEN_NAME || is_sign(token, ','));
        if (!is_sign(token, ')'))
            return false;
        token = scan(&s);
    }
    return is_keyword(token, STR("as")) && is_sign(scan(&s), '(');
}

bool text_defines(str_t sql, str_t name)
{
    struct scanner s = {.sql = sql};
    struct scanned before = {TOKEN_END, STR("")}, token;
    bool behind_query = false; /* `)` or `) AS` stands before */
    while ((token = scan(&s)).type != TOKEN_END) {
        if (token.type == TOKEN_NAME && str_eq_fold(token.text, name) && !is_sign(before, '.') && (behind_query || query_follows(s)))
            return true;
        behind_query = is_sign(token, ')') || (is_sign(before, ')') && is_keyword(token, STR("as")));
        before = token;
    }
    return false;
}

bool text_has_line_comment(str_t sql)
{
    struct scanner s = {.sql = sql};
    while (!s.line_comment && scan(&s).type != TOKEN_END)
        continue;
    return s.line_comment;
}

bool text_names(str_t sql, str_t name)
{
    struct scanner s = {.sql = sql};
    struct scanned token;
    while ((token = scan(&s)).type != TOKEN_END)
        if (token.type == TOKEN_NAME && str_eq_fold(token.text, name))
            return true;
    return false;
}

str_t text_word(str_t sql, uint32_t index)
{
    struct scanner s = {.sql = sql};
    struct scanned token;
    while ((token = scan(&s)).type != TOKEN_END)
        if (index-- == 0)
            return token.text;
    return STR("");
}
