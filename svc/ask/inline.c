/* The statement is cut into tokens once, parentheses know their other half; then names are followed
 * from select item to select item until they name no relation of the statement. */
#include "ask/inline.h"

#include "base/buf.h"

enum {
    TOKENS_MOST = 20000,
    DEEP_MOST = 12,
    FOLLOWED_MOST = 500,
    LENGTH_MOST = 65536,
    NO_TOKEN = UINT32_MAX
};

enum token_kind { TOKEN_NAME, TOKEN_MARK, TOKEN_OTHER };

struct token {
    enum token_kind kind;
    str_t text;            /* as written */
    str_t last, qualifier; /* of a name its last part and the one before it, without quotes */
    uint32_t match;        /* of a parenthesis the other one */
};

struct tokens {
    struct token *items;
    uint32_t count, capacity;
};

/* From the token behind `open` up to `close`; the whole statement has no parenthesis. */
struct region {
    uint32_t first, end;
};

struct inlining {
    struct arena *arena;
    const struct inline_wish *wish;
    struct tokens sql;
    unsigned followed; /* names so far: their number may grow with every level */
    bool any_table;    /* the column counts whatever table it is of */
    bool met;
};

/* ---- tokens --------------------------------------------------------------------------------- */

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t past_quotes(str_t text, size_t at)
{
    char quote = text.ptr[at++];
    while (at < text.len && text.ptr[at] != quote)
        at += text.ptr[at] == '\\' && quote != '`' ? 2 : 1;
    return at < text.len ? at + 1 : text.len;
}

static size_t past_blanks(str_t text, size_t at)
{
    for (;;) {
        while (at < text.len &&
               (text.ptr[at] == ' ' || (text.ptr[at] >= '\t' && text.ptr[at] <= '\r')))
            at++;
        bool line = at + 1 < text.len && text.ptr[at] == '-' && text.ptr[at + 1] == '-';
        bool block = at + 1 < text.len && text.ptr[at] == '/' && text.ptr[at + 1] == '*';
        if (!line && !block)
            return at;
        for (at += 2; at < text.len; at++)
            if (line ? text.ptr[at] == '\n'
                     : text.ptr[at] == '*' && at + 1 < text.len && text.ptr[at + 1] == '/')
                break;
        at = line ? at : at + 2 < text.len ? at + 2 : text.len;
    }
}

/* A dotted name, quoted or not. */
static size_t take_name(str_t text, size_t at, struct token *token)
{
    for (;;) {
        size_t start = at;
        bool quoted = text.ptr[at] == '`';
        if (quoted)
            at = past_quotes(text, at);
        while (!quoted && at < text.len && in_word(text.ptr[at]))
            at++;
        token->qualifier = token->last;
        token->last = quoted ? str_make(text.ptr + start + 1, at - start >= 2 ? at - start - 2 : 0)
                             : str_make(text.ptr + start, at - start);
        if (at + 1 >= text.len || text.ptr[at] != '.' ||
            !(in_word(text.ptr[at + 1]) || text.ptr[at + 1] == '`'))
            return at;
        at++;
    }
}

static size_t take_token(str_t text, size_t at, struct token *token)
{
    char c = text.ptr[at];
    *token = (struct token){.kind = TOKEN_OTHER, .match = NO_TOKEN};
    if (c == '\'' || c == '"')
        return past_quotes(text, at);
    if (is_digit(c)) {
        while (at < text.len && (in_word(text.ptr[at]) || text.ptr[at] == '.'))
            at++;
        return at;
    }
    if (in_word(c) || c == '`') {
        token->kind = TOKEN_NAME;
        return take_name(text, at, token);
    }
    token->kind = TOKEN_MARK;
    return at + 1;
}

static struct tokens cut(struct arena *arena, str_t text)
{
    struct tokens list = {0};
    VEC(uint32_t) open = {0};
    for (size_t at = past_blanks(text, 0); at < text.len && list.count < TOKENS_MOST;
         at = past_blanks(text, at)) {
        struct token token;
        size_t end = take_token(text, at, &token);
        token.text = str_make(text.ptr + at, (end < text.len ? end : text.len) - at);
        at = end;
        if (str_eq(token.text, STR("("))) {
            uint32_t *place = VEC_PUSH(arena, &open);
            if (place != NULL)
                *place = list.count;
        } else if (str_eq(token.text, STR(")")) && open.count > 0) {
            token.match = open.items[--open.count];
            list.items[token.match].match = list.count;
        }
        struct token *place = VEC_PUSH(arena, &list);
        if (place == NULL)
            break;
        *place = token;
    }
    return list;
}

static bool is_mark(const struct tokens *list, uint32_t at, char mark)
{
    return at < list->count && list->items[at].kind == TOKEN_MARK &&
           list->items[at].text.ptr[0] == mark;
}

static bool is_word(const struct tokens *list, uint32_t at, str_t word)
{
    return at < list->count && list->items[at].kind == TOKEN_NAME &&
           list->items[at].qualifier.len == 0 && str_eq_fold(list->items[at].text, word);
}

static bool is_named(const struct tokens *list, uint32_t at, str_t name)
{
    return at < list->count && list->items[at].kind == TOKEN_NAME &&
           list->items[at].qualifier.len == 0 && str_eq_fold(list->items[at].last, name);
}

/* ---- relations of the statement ------------------------------------------------------------- */

static bool is_query(const struct tokens *list, uint32_t open)
{
    return is_mark(list, open, '(') && list->items[open].match != NO_TOKEN &&
           (is_word(list, open + 1, STR("select")) || is_word(list, open + 1, STR("with")) ||
            is_word(list, open + 1, STR("from")));
}

/* `name AS (` of a common table expression. */
static bool find_expression(const struct tokens *list, str_t name, struct region *region)
{
    for (uint32_t i = 0; i + 2 < list->count; i++)
        if (is_named(list, i, name) && is_word(list, i + 1, STR("as")) && is_query(list, i + 2)) {
            *region = (struct region){i + 3, list->items[i + 2].match};
            return true;
        }
    return false;
}

/* `) name` and `) AS name` of a subquery; `c name` of a common table expression that goes by
 * another name. */
static bool find_relation(const struct tokens *list, str_t name, struct region *region)
{
    if (find_expression(list, name, region))
        return true;
    for (uint32_t i = 1; i < list->count; i++) {
        if (!is_named(list, i, name))
            continue;
        uint32_t before = is_word(list, i - 1, STR("as")) && i >= 2 ? i - 2 : i - 1;
        uint32_t open = is_mark(list, before, ')') ? list->items[before].match : NO_TOKEN;
        if (open != NO_TOKEN && is_query(list, open)) {
            *region = (struct region){open + 1, before};
            return true;
        }
        if (list->items[before].kind == TOKEN_NAME &&
            !str_eq_fold(list->items[before].last, name) &&
            list->items[before].qualifier.len == 0 &&
            find_expression(list, list->items[before].last, region))
            return true;
    }
    return false;
}

/* The table that a name stands for: `db.t name`, `db.t AS name`, or `db.t` itself; empty when it is
 * not told. */
static str_t table_of(const struct tokens *list, str_t name)
{
    for (uint32_t i = 1; i < list->count; i++) {
        uint32_t before = is_word(list, i - 1, STR("as")) && i >= 2 ? i - 2 : i - 1;
        bool from = before >= 1 &&
                    (is_word(list, before - 1, STR("from")) ||
                     is_word(list, before - 1, STR("join")) || is_mark(list, before - 1, ','));
        if (is_named(list, i, name) && from && list->items[before].kind == TOKEN_NAME)
            return list->items[before].last;
        bool itself = list->items[i].kind == TOKEN_NAME && str_eq_fold(list->items[i].last, name) &&
                      (is_word(list, i - 1, STR("from")) || is_word(list, i - 1, STR("join")));
        if (itself)
            return list->items[i].last;
    }
    return STR("");
}

/* ---- select items --------------------------------------------------------------------------- */

struct item {
    struct region expression;
    str_t alias;
};

static bool ends_list(const struct tokens *list, uint32_t at)
{
    static const str_t words[] = {STR("from"),   STR("where"), STR("union"),   STR("group"),
                                  STR("having"), STR("order"), STR("lateral"), STR("limit"),
                                  STR("window"), STR("insert")};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (is_word(list, at, words[i]))
            return true;
    return false;
}

/* One item from `at` on; gives where it ends. */
static uint32_t read_item(const struct tokens *list, uint32_t at, uint32_t end, struct item *item)
{
    uint32_t stop = at;
    while (stop < end && !is_mark(list, stop, ',') && !ends_list(list, stop)) {
        bool opens = is_mark(list, stop, '(') && list->items[stop].match != NO_TOKEN;
        stop = opens ? list->items[stop].match + 1 : stop + 1;
    }
    *item = (struct item){{at, stop}, STR("")};
    if (stop == at)
        return stop;
    const struct token *last = &list->items[stop - 1];
    if (last->kind == TOKEN_NAME)
        item->alias = last->last;
    if (stop - at >= 3 && is_word(list, stop - 2, STR("as")))
        item->expression.end = stop - 2;
    else if (stop - at >= 2 && last->kind == TOKEN_NAME && last->qualifier.len == 0 &&
             !is_word(list, stop - 1, STR("end")) &&
             (list->items[stop - 2].kind != TOKEN_MARK || is_mark(list, stop - 2, ')')))
        item->expression.end = stop - 1;
    return stop;
}

/* The item of the region's own SELECT, or of one of its UNION, that goes by the name. */
static bool find_item(const struct tokens *list, struct region region, str_t name,
                      struct item *item)
{
    for (uint32_t at = region.first; at < region.end; at++) {
        if (is_mark(list, at, '(') && list->items[at].match != NO_TOKEN) {
            at = list->items[at].match;
            continue;
        }
        if (!is_word(list, at, STR("select")))
            continue;
        uint32_t next = at + 1;
        if (is_word(list, next, STR("distinct")) || is_word(list, next, STR("all")))
            next++;
        for (bool more = true; more && next < region.end; next++) {
            next = read_item(list, next, region.end, item);
            if (str_eq_fold(item->alias, name))
                return true;
            more = is_mark(list, next, ',');
        }
        at = next > at + 1 ? next - 2 : at; /* the word that ended the list is looked at again */
    }
    return false;
}

/* Where a name without qualifier comes from: a subquery or a common table expression that stands in
 * the region. */
static bool find_within(const struct tokens *list, struct region region, str_t name,
                        struct region *found)
{
    struct item item;
    for (uint32_t at = region.first; at < region.end; at++) {
        bool from =
            at > 0 && (is_word(list, at - 1, STR("from")) || is_word(list, at - 1, STR("join")));
        if (is_query(list, at)) {
            *found = (struct region){at + 1, list->items[at].match};
            if (from && find_item(list, *found, name, &item))
                return true;
            at = list->items[at].match;
        } else if (from && list->items[at].kind == TOKEN_NAME &&
                   list->items[at].qualifier.len == 0 &&
                   find_expression(list, list->items[at].last, found) && found->end != region.end &&
                   find_item(list, *found, name, &item)) {
            return true;
        }
    }
    return false;
}

/* ---- following names ------------------------------------------------------------------------ */

static void expand(struct inlining *in, const struct tokens *list, struct region text,
                   struct region scope, unsigned deep, struct buf *out);

static bool is_source(const struct inlining *in, const struct token *name)
{
    if (!str_eq_fold(name->last, in->wish->column))
        return false;
    str_t table =
        in->any_table || name->qualifier.len == 0 ? STR("") : table_of(&in->sql, name->qualifier);
    return table.len == 0 || (str_ends_with(in->wish->table, table) &&
                              (table.len == in->wish->table.len ||
                               in->wish->table.ptr[in->wish->table.len - table.len - 1] == '.'));
}

/* One name, one call, or one that is in parentheses as a whole, stands by itself in any expression.
 */
static bool stands_alone(str_t text)
{
    int depth = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '\'' || c == '"' || c == '`') {
            i = past_quotes(text, i) - 1;
            continue;
        }
        depth += (c == '(') - (c == ')');
        if (depth == 0 && !in_word(c) && c != '.' && c != ')')
            return false;
        if (depth == 0 && c == ')' && i + 1 < text.len)
            return false;
    }
    return true;
}

/* `bare`: nothing else stands beside it. */
static void add_part(struct buf *out, str_t part, bool bare)
{
    bool alone = bare || stands_alone(part);
    if (!alone)
        buf_add_char(out, '(');
    buf_add(out, part);
    if (!alone)
        buf_add_char(out, ')');
}

static void add_name(struct inlining *in, const struct token *name, struct region scope,
                     unsigned deep, bool bare, struct buf *out)
{
    struct region relation;
    struct item item;
    bool inside = deep < DEEP_MOST && in->followed < FOLLOWED_MOST &&
                  (name->qualifier.len > 0 ? find_relation(&in->sql, name->qualifier, &relation)
                                           : find_within(&in->sql, scope, name->last, &relation));
    if (inside && find_item(&in->sql, relation, name->last, &item)) {
        in->followed++;
        struct buf part;
        buf_init(&part, LENGTH_MOST);
        expand(in, &in->sql, item.expression, relation, deep + 1, &part);
        add_part(out, part.failed ? name->text : buf_str(&part), bare);
        buf_release(&part);
        return;
    }
    if (!is_source(in, name)) {
        buf_add(out, name->text);
        return;
    }
    in->met = true;
    if (in->wish->inner.len > 0)
        add_part(out, in->wish->inner, bare);
    else
        buf_add(out, name->text);
}

/* Whether nothing stands beside a name but what holds an argument. */
static bool stands_by_itself(const struct tokens *list, struct region text, uint32_t at)
{
    bool before = at == text.first || is_mark(list, at - 1, '(') || is_mark(list, at - 1, ',');
    return before &&
           (at + 1 == text.end || is_mark(list, at + 1, ')') || is_mark(list, at + 1, ','));
}

/* The text of the tokens as written, but for its names. */
static void expand(struct inlining *in, const struct tokens *list, struct region text,
                   struct region scope, unsigned deep, struct buf *out)
{
    const char *copied = text.first < text.end ? list->items[text.first].text.ptr : NULL;
    for (uint32_t i = text.first; i < text.end && i < list->count; i++) {
        const struct token *token = &list->items[i];
        if (token->kind != TOKEN_NAME || is_mark(list, i + 1, '('))
            continue;
        buf_add(out, str_make(copied, (size_t)(token->text.ptr - copied)));
        add_name(in, token, scope, deep, stands_by_itself(list, text, i), out);
        copied = token->text.ptr + token->text.len;
    }
    if (copied != NULL && text.end <= list->count) {
        const struct token *last = &list->items[text.end - 1];
        buf_add(out, str_make(copied, (size_t)(last->text.ptr + last->text.len - copied)));
    }
}

str_t inline_expression(struct arena *arena, const struct inline_wish *wish, bool *met)
{
    struct inlining in = {.arena = arena, .wish = wish, .sql = cut(arena, wish->sql)};
    struct tokens own = cut(arena, wish->expression);
    struct buf out;
    buf_init(&out, LENGTH_MOST);
    for (int round = 0; round < 2 && !in.met; round++) {
        in.any_table = round == 1; /* a view stands between them: its name is not the source's */
        buf_clear(&out);
        expand(&in, &own, (struct region){0, own.count}, (struct region){0, in.sql.count}, 0, &out);
    }
    *met = in.met && !out.failed;
    str_t text = out.failed ? wish->expression : arena_copy(arena, buf_str(&out));
    buf_release(&out);
    return text;
}
