/* The cursor, errors, names and small shared pieces of both grammars. See parser.h. */
#include "sql/parser.h"

enum {
    LONGEST_SHOWN = 48 /* bytes of an offending token that a message shows */
};

/* ---- looking and taking ---- */

bool at_text(const struct parser *p, str_t lower)
{
    return p->token->kind == TOKEN_WORD && str_eq_fold(token_text(p, p->token), lower);
}

bool accept_words(struct parser *p, enum keyword first, enum keyword second)
{
    if (!at_words(p, first, second))
        return false;
    p->token += 2;
    return true;
}

bool accept_text(struct parser *p, str_t lower)
{
    if (!at_text(p, lower))
        return false;
    p->token++;
    return true;
}

/* Length of a text of our own; the texts handed in are literals. */
static str_t literal_text(const char *text)
{
    size_t len = 0;
    while (text[len] != '\0')
        len++;
    return str_make(text, len);
}

/* ---- errors ---- */

void parse_fail_at(struct parser *p, enum diag_code code, const struct token *token, str_t message)
{
    if (p->failed)
        return;
    p->failed = true;
    p->error = (struct parse_error){code, token->start, token->end, message};
    p->token = p->end;
}

/* The token as a message shows it. */
static str_t found_text(struct parser *p, const struct token *token)
{
    if (token->kind == TOKEN_END)
        return STR("the end of the statement");
    str_t text = token_text(p, token);
    if (text.len > LONGEST_SHOWN)
        return arena_join(p->arena, str_make(text.ptr, LONGEST_SHOWN), STR(".."));
    return text;
}

/* Why the lexer could make nothing of the bytes. */
static str_t bad_token_text(const struct parser *p, const struct token *token)
{
    str_t text = token_text(p, token);
    char first = text.len > 0 ? text.ptr[0] : ' ';
    if (first == '\'' || first == '"')
        return STR("string without an end");
    if (first == '`')
        return text.len > 1 ? STR("quoted name without a letter")
                            : STR("quoted name without an end");
    if (first == '/' && text.len > 1)
        return STR("comment without an end");
    return STR("character that belongs to no token");
}

void parse_fail(struct parser *p, str_t what)
{
    if (p->failed)
        return;
    const struct token *token = p->token;
    if (token->kind == TOKEN_BAD) {
        parse_fail_at(p, DIAG_SYNTAX, token, bad_token_text(p, token));
        return;
    }
    str_t message = arena_join(p->arena, STR("expected "), what);
    message = arena_join(p->arena, message, STR(", found "));
    message = arena_join(p->arena, message, found_text(p, token));
    parse_fail_at(p, DIAG_SYNTAX, token, message);
}

void parse_out_of_memory(struct parser *p)
{
    parse_fail_at(p, DIAG_TOO_LARGE, p->token, STR("the statement needs more memory than allowed"));
}

bool parse_fail_literal(struct parser *p, const char *what)
{
    parse_fail(p, literal_text(what));
    return false;
}

bool parse_fail_word(struct parser *p, enum keyword word)
{
    parse_fail(p, keyword_text(word));
    return false;
}

/* The word that must follow, from the token `*behind` on; KW_NONE: the token begins no clause of several words. */
static enum keyword word_that_follows(const struct parser *p, size_t *behind)
{
    *behind = 1;
    switch (p->token->word) {
    case KW_ORDER:
    case KW_GROUP:
    case KW_SORT:
    case KW_CLUSTER:
    case KW_DISTRIBUTE:
        return KW_BY;
    case KW_LEFT:
    case KW_RIGHT:
    case KW_FULL:
        *behind = peek_at(p, 1)->word == KW_OUTER ? 2 : 1;
        return KW_JOIN;
    default:
        return KW_NONE;
    }
}

void parse_fail_end(struct parser *p, str_t what)
{
    size_t behind;
    enum keyword wanted = word_that_follows(p, &behind);
    if (!p->failed && wanted != KW_NONE && peek_at(p, behind)->word != wanted) {
        p->token = peek_at(p, behind);
        what = keyword_text(wanted);
    }
    parse_fail(p, what);
}

void expect_query_end(struct parser *p)
{
    if (!accept(p, TOKEN_RPAREN))
        parse_fail_end(p, STR(") at the query's end"));
}

bool enter_query(struct parser *p)
{
    if (p->query_depth >= LIMIT_QUERY_DEPTH) {
        parse_fail_at(p, DIAG_TOO_DEEP, p->token, STR("queries are nested too deeply"));
        return false;
    }
    p->query_depth++;
    return true;
}

void leave_query(struct parser *p)
{
    p->query_depth--;
}

/* ---- names ---- */

bool is_identifier(const struct parser *p, const struct token *token)
{
    (void)p;
    return is_name_token(token);
}

/*
 * Words that Hive 1.2 to 2.2 could be told not to reserve, or that only a later version reserves.
 */
static bool is_soft_word(uint16_t word)
{
    switch (word) {
    case KW_ARRAY:
    case KW_AUTHORIZATION:
    case KW_BIGINT:
    case KW_BINARY:
    case KW_BOOLEAN:
    case KW_BOTH:
    case KW_COLUMN:
    case KW_CONF:
    case KW_CONVERT:
    case KW_CURRENT:
    case KW_CURSOR:
    case KW_DATABASE:
    case KW_DATE:
    case KW_DECIMAL:
    case KW_DOUBLE:
    case KW_EXTERNAL:
    case KW_FETCH:
    case KW_FLOAT:
    case KW_FUNCTION:
    case KW_GROUPING:
    case KW_IMPORT:
    case KW_INT:
    case KW_INTERVAL:
    case KW_LESS:
    case KW_LOCAL:
    case KW_MACRO:
    case KW_MAP:
    case KW_MORE:
    case KW_OUT:
    case KW_PERCENT:
    case KW_PRECISION:
    case KW_PREPARE:
    case KW_PRIMARY:
    case KW_PROCEDURE:
    case KW_QUALIFY:
    case KW_RANGE:
    case KW_READS:
    case KW_REAL:
    case KW_ROW:
    case KW_ROWS:
    case KW_SMALLINT:
    case KW_START:
    case KW_SYNC:
    case KW_TABLE:
    case KW_TIME:
    case KW_TIMESTAMP:
    case KW_TRIGGER:
    case KW_UNIQUE:
    case KW_USER:
    case KW_VARIANT:
        return true;
    default:
        return false;
    }
}

bool is_column_name(const struct parser *p, const struct token *token)
{
    return is_name_token(token) || (p->dialect == DIALECT_HIVE && is_soft_word(token->word));
}

/* The name within the quotes of a token; the quote doubled is one quote in Hive. */
static struct name quoted_name(struct parser *p, str_t text)
{
    str_t inner = quoted_name_value(text, p->dialect, p->arena);
    return arena_name(p->arena, inner);
}

/* "name": a table in Hive's standard mode of quoting, which a text by itself does not tell. */
static bool is_double_quoted(const struct parser *p, const struct token *token)
{
    return token->kind == TOKEN_STRING && p->dialect == DIALECT_HIVE &&
           p->text.ptr[token->start] == '"';
}

bool is_table_name(const struct parser *p, const struct token *token)
{
    return is_name_token(token) || is_double_quoted(p, token);
}

struct ident ident_of_token(struct parser *p, const struct token *token)
{
    str_t text = token_text(p, token);
    struct ident ident = {.span = {token->start, token->end}};
    ident.quoted = token->kind == TOKEN_QUOTED || is_double_quoted(p, token);
    ident.name = ident.quoted ? quoted_name(p, text) : arena_name(p->arena, text);
    return ident;
}

struct ident parse_ident(struct parser *p, const char *what)
{
    if (!is_name_token(p->token)) {
        parse_fail(p, literal_text(what));
        return (struct ident){.name = NAME("")};
    }
    return ident_of_token(p, take(p));
}

struct ident parse_column_ident(struct parser *p, const char *what)
{
    return is_column_name(p, p->token) ? ident_of_token(p, take(p)) : parse_ident(p, what);
}

struct ident *new_ident(struct parser *p, struct ident ident)
{
    struct ident *copy = arena_alloc(p->arena, sizeof(*copy));
    if (copy != NULL)
        *copy = ident;
    return copy;
}

/* How many parts the dotted name at the cursor has; its first part is known to be a name. */
static uint32_t count_name_parts(const struct parser *p)
{
    const struct token *token = p->token;
    uint32_t count = 1;
    while (token[1].kind == TOKEN_DOT && is_column_name(p, token + 2)) {
        token += 2;
        count++;
    }
    return count;
}

struct qname take_qname(struct parser *p)
{
    uint32_t count = count_name_parts(p);
    struct qname name = {.span = {p->token->start, 0}};
    if (count > LIMIT_NAME_PARTS) {
        parse_fail_at(p, DIAG_TOO_DEEP, p->token, STR("the name has too many parts"));
        return name;
    }
    name.parts = arena_alloc(p->arena, count * sizeof(struct ident));
    for (uint32_t i = 0; i < count; i++) {
        if (name.parts != NULL)
            name.parts[i] = ident_of_token(p, p->token);
        name.span.end = p->token->end;
        p->token += i + 1 < count ? 2 : 1;
    }
    name.count = name.parts != NULL ? count : 0;
    return name;
}

struct qname parse_qname(struct parser *p, const char *what)
{
    if (!is_table_name(p, p->token)) {
        parse_fail(p, literal_text(what));
        return (struct qname){0};
    }
    return take_qname(p);
}

uint32_t parse_ident_list(struct parser *p, struct ident **out, const char *what)
{
    VEC(struct ident) list = {0};
    expect(p, TOKEN_LPAREN, "(");
    do {
        struct ident ident = parse_ident(p, what);
        struct ident *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = ident;
    } while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    *out = list.items;
    return list.count;
}

str_t parse_string(struct parser *p, const char *what)
{
    if (!at(p, TOKEN_STRING) && !at(p, TOKEN_VARIABLE)) {
        parse_fail(p, literal_text(what));
        return STR("");
    }
    return string_literal_value(token_text(p, take(p)), p->dialect, p->arena);
}

/* ---- queries in parentheses ---- */

/* Behind the ')' that closes the '(' before `token`; the end when there is none. */
static const struct token *skip_parentheses(const struct parser *p, const struct token *token)
{
    for (size_t depth = 1; depth > 0 && token != p->end; token++)
        if (token->kind == TOKEN_LPAREN)
            depth++;
        else if (token->kind == TOKEN_RPAREN)
            depth--;
    return token;
}

static bool begins_query(const struct token *token)
{
    switch (token->word) {
    case KW_SELECT:
    case KW_VALUES:
    case KW_WITH:
    case KW_REDUCE:
    case KW_FROM:
        return true;
    case KW_MAP:
        return token[1].kind != TOKEN_LPAREN;
    default:
        return false;
    }
}

/* What may follow the first operand of a query in parentheses. */
static bool continues_query(const struct token *token)
{
    switch (token->word) {
    case KW_UNION:
    case KW_INTERSECT:
    case KW_EXCEPT:
    case KW_MINUS:
    case KW_ORDER:
    case KW_SORT:
    case KW_CLUSTER:
    case KW_DISTRIBUTE:
    case KW_LIMIT:
    case KW_OFFSET:
        return true;
    default:
        return token->kind == TOKEN_RPAREN;
    }
}

bool at_parenthesised_query(struct parser *p)
{
    const struct token *token = p->token;
    if (token >= p->no_query &&
        token < p->no_query_end) /* in a row of parentheses that was looked at before */
        return false;
    size_t depth = 0;
    for (; token->kind == TOKEN_LPAREN; token++)
        depth++;
    if (depth == 0)
        return false;
    if (!begins_query(token)) {
        p->no_query = p->token;
        p->no_query_end = token;
        return false;
    }
    /*
     * `((SELECT ..) + 1)` begins like `((SELECT ..) UNION ..)`: what follows each inner query
     * tells.
     */
    while (--depth > 0) {
        token = skip_parentheses(p, token);
        if (!continues_query(token))
            return false;
    }
    return true;
}

struct query *parse_query(struct parser *p)
{
    return p->dialect == DIALECT_HIVE ? hive_parse_query(p) : impala_parse_query(p);
}

/* ---- the tree ---- */

struct stmt *new_stmt(struct parser *p, enum stmt_kind kind, void *body, const struct token *first)
{
    struct stmt *stmt = ARENA_NEW(p->arena, struct stmt);
    if (stmt != NULL) {
        stmt->kind = (uint16_t)kind;
        stmt->span = span_from(p, first);
        stmt->u.any = body;
    }
    return stmt;
}

struct expr *new_expr(struct parser *p, enum expr_kind kind, span_t span)
{
    struct expr *expr = ARENA_NEW(p->arena, struct expr);
    if (expr != NULL) {
        expr->kind = (uint8_t)kind;
        expr->span = span;
    }
    return expr;
}

struct clause *new_clause(struct parser *p, str_t label)
{
    struct clause *clause = ARENA_NEW(p->arena, struct clause);
    if (clause != NULL)
        clause->label = label;
    return clause;
}

static struct clause_item *add_item(struct parser *p, struct clause *clause,
                                    enum clause_item_kind kind)
{
    struct clause_item *item = clause != NULL ? VEC_PUSH(p->arena, &clause->items) : NULL;
    if (item != NULL)
        item->kind = (uint8_t)kind;
    return item;
}

void clause_add_node(struct parser *p, struct clause *clause, struct clause *child)
{
    struct clause_item *item = child != NULL ? add_item(p, clause, CLAUSE_NODE) : NULL;
    if (item != NULL)
        item->u.clause = child;
}

void clause_add_expr(struct parser *p, struct clause *clause, struct expr *expr)
{
    struct clause_item *item = expr != NULL ? add_item(p, clause, CLAUSE_EXPR) : NULL;
    if (item != NULL)
        item->u.expr = expr;
}

void clause_add_name(struct parser *p, struct clause *clause, struct qname name)
{
    struct qname *copy = name.count > 0 ? arena_alloc(p->arena, sizeof(*copy)) : NULL;
    struct clause_item *item = copy != NULL ? add_item(p, clause, CLAUSE_NAME) : NULL;
    if (item != NULL) {
        *copy = name;
        item->u.name = copy;
    }
}

void clause_add_type(struct parser *p, struct clause *clause, struct type *type)
{
    struct clause_item *item = type != NULL ? add_item(p, clause, CLAUSE_TYPE) : NULL;
    if (item != NULL)
        item->u.type = type;
}

void clause_add_query(struct parser *p, struct clause *clause, struct query *query)
{
    struct clause_item *item = query != NULL ? add_item(p, clause, CLAUSE_QUERY) : NULL;
    if (item != NULL)
        item->u.query = query;
}

void clause_add_word(struct parser *p, struct clause *clause, const struct token *token)
{
    struct clause_item *item = add_item(p, clause, CLAUSE_WORD);
    if (item != NULL)
        item->u.word = (span_t){token->start, token->end};
}

/* One property: string ['=' string]. */
static struct clause *parse_property(struct parser *p)
{
    struct clause *pair = new_clause(p, STR("="));
    const struct token *key = p->token;
    parse_string(p, "a property name in quotes");
    if (p->failed)
        return NULL;
    clause_add_word(p, pair, key);
    if (accept(p, TOKEN_EQ)) {
        const struct token *value = p->token;
        parse_string(p, "a property value in quotes");
        clause_add_word(p, pair, value);
    }
    return pair;
}

struct clause *parse_properties(struct parser *p, str_t label)
{
    struct clause *clause = new_clause(p, label);
    expect(p, TOKEN_LPAREN, "(");
    do
        clause_add_node(p, clause, parse_property(p));
    while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    return clause;
}
