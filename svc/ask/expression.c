/* Documents are read as trees; expressions are looked through word by word, strings and quoted
 * names apart. */
#include "ask/expression.h"

struct ask_document document_of(struct ask *ask, int64_t lineage)
{
    struct ask_document document = {0};
    const char *message;
    size_t where;
    if (lineage != 0 && store_document(ask->store, lineage, ask->arena, &document.sample))
        document.tree = json_read(ask->arena, document.sample.document, &message, &where);
    return document;
}

/* ---- ties ----------------------------------------------------------------------------------- */

/* `db.t.c` is a column of `db.t`; the table itself is its rows. */
static bool column_of(str_t name, str_t table, str_t *column)
{
    if (!str_starts_with(name, table))
        return false;
    if (name.len == table.len) {
        *column = STR("");
        return true;
    }
    *column = str_make(name.ptr + table.len + 1, name.len - table.len - 1);
    return name.ptr[table.len] == '.';
}

/* "db.t.c", or {"column": "db.t.c", "path": ".x"}. */
static str_t source_name(const struct json *source)
{
    return source->kind == JSON_STRING ? source->text : json_member_text(source, STR("column"));
}

static int64_t number_of(const struct json *number)
{
    int64_t value = 0;
    if (number == NULL || number->kind != JSON_NUMBER)
        return 0;
    for (size_t i = 0; i < number->text.len && number->text.ptr[i] >= '0' &&
                       number->text.ptr[i] <= '9' && value < INT64_MAX / 10;
         i++)
        value = value * 10 + (number->text.ptr[i] - '0');
    return value;
}

static bool wanted(str_t wish, str_t name)
{
    return wish.len == 0 || str_eq(wish, name) || str_eq(name, STR("*"));
}

static void add_tie(struct ask *ask, struct ask_ties *ties, const struct json *item, str_t source,
                    str_t target, bool direct)
{
    const struct json *span = json_member(item, STR("span"));
    struct ask_tie *tie = VEC_PUSH(ask->arena, ties);
    if (tie == NULL)
        return;
    *tie =
        (struct ask_tie){.source = source,
                         .target = target,
                         .how = json_member_text(item, direct ? STR("transform") : STR("clause")),
                         .expression = json_member_text(item, STR("expression")),
                         .direct = direct,
                         .has_span = span != NULL};
    if (span != NULL) {
        tie->start = number_of(json_member(span, STR("start")));
        tie->end = number_of(json_member(span, STR("end")));
    }
}

static const struct json *first_of(const struct json *object, str_t key)
{
    const struct json *list = json_member(object, key);
    return list != NULL && list->kind == JSON_ARRAY ? list->first : NULL;
}

/* The ends of a tie that are asked for. */
struct ends {
    str_t src_table, src_column, dst_table, dst_column;
};

static void add_sources(struct ask *ask, struct ask_ties *ties, const struct json *item,
                        const struct ends *ends, str_t target, bool direct)
{
    for (const struct json *source = first_of(item, STR("sources")); source != NULL;
         source = source->next) {
        str_t column;
        if (column_of(source_name(source), ends->src_table, &column) &&
            wanted(ends->src_column, column))
            add_tie(ask, ties, item, column, target, direct);
    }
}

/* Conditions name their targets only where they do not decide about all. */
static void add_predicate(struct ask *ask, struct ask_ties *ties, const struct json *item,
                          const struct ends *ends)
{
    const struct json *target = first_of(item, STR("targets"));
    if (target == NULL) {
        add_sources(ask, ties, item, ends, STR(""), false);
        return;
    }
    for (; target != NULL; target = target->next) {
        str_t column;
        if (column_of(target->text, ends->dst_table, &column) && wanted(ends->dst_column, column))
            add_sources(ask, ties, item, ends, column, false);
    }
}

struct ask_ties document_ties(struct ask *ask, const struct json *tree, str_t src_table,
                              str_t src_column, str_t dst_table, str_t dst_column)
{
    struct ask_ties ties = {0};
    const struct ends ends = {src_table, src_column, dst_table, dst_column};
    for (const struct json *item = first_of(tree, STR("columns")); item != NULL;
         item = item->next) {
        str_t column;
        if (column_of(json_member_text(item, STR("target")), dst_table, &column) &&
            wanted(dst_column, column))
            add_sources(ask, &ties, item, &ends, column, true);
    }
    for (const struct json *item = first_of(tree, STR("predicates")); item != NULL;
         item = item->next)
        add_predicate(ask, &ties, item, &ends);
    return ties;
}

str_t expression_of(struct ask *ask, int64_t lineage, str_t src_table, str_t src_column,
                    str_t dst_table, str_t dst_column, bool direct)
{
    struct ask_document document = document_of(ask, lineage);
    if (document.tree == NULL)
        return STR("");
    struct ask_ties ties =
        document_ties(ask, document.tree, src_table, src_column, dst_table, dst_column);
    for (uint32_t i = 0; i < ties.count; i++)
        if (ties.items[i].direct == direct && ties.items[i].expression.len > 0)
            return ties.items[i].expression;
    return STR("");
}

/* ---- composing ------------------------------------------------------------------------------ */

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

/* Behind a string or a quoted name that begins at `at`. */
static size_t past_quotes(str_t text, size_t at)
{
    char quote = text.ptr[at++];
    while (at < text.len && text.ptr[at] != quote)
        at += text.ptr[at] == '\\' && quote != '`' ? 2 : 1;
    return at < text.len ? at + 1 : text.len;
}

/* A dotted name, quoted or not, that begins at `at`; *last is its last part. */
static size_t past_name(str_t text, size_t at, str_t *last)
{
    for (;;) {
        size_t start = at;
        if (at < text.len && text.ptr[at] == '`') {
            at = past_quotes(text, at);
            *last = str_make(text.ptr + start + 1, at - start >= 2 ? at - start - 2 : 0);
        } else {
            while (at < text.len && in_word(text.ptr[at]))
                at++;
            *last = str_make(text.ptr + start, at - start);
        }
        if (at + 1 >= text.len || text.ptr[at] != '.' ||
            !(in_word(text.ptr[at + 1]) || text.ptr[at + 1] == '`'))
            return at;
        at++;
    }
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

static void add_inner(struct buf *out, str_t inner)
{
    bool alone = stands_alone(inner);
    if (!alone)
        BUF_ADD(out, "(");
    buf_add(out, inner);
    if (!alone)
        BUF_ADD(out, ")");
}

str_t compose_expressions(struct arena *arena, str_t outer, str_t column, str_t inner)
{
    enum { MOST = 65536 };
    struct buf out;
    buf_init(&out, MOST);
    str_t whole;
    bool plain = past_name(outer, 0, &whole) == outer.len && str_eq_fold(whole, column);
    for (size_t at = 0; at < outer.len && !plain;) {
        size_t start = at;
        str_t last;
        char c = outer.ptr[at];
        if (c == '\'' || c == '"') {
            at = past_quotes(outer, at);
            buf_add(&out, str_make(outer.ptr + start, at - start));
        } else if (in_word(c) || c == '`') {
            at = past_name(outer, at, &last);
            bool call = at < outer.len && outer.ptr[at] == '(';
            if (!call && str_eq_fold(last, column))
                add_inner(&out, inner);
            else
                buf_add(&out, str_make(outer.ptr + start, at - start));
        } else {
            buf_add_char(&out, c);
            at++;
        }
    }
    str_t composed = plain ? inner : out.failed ? outer : arena_copy(arena, buf_str(&out));
    buf_release(&out);
    return composed;
}
