/*
 * Column types of both dialects. Nesting costs arena, not C stack: a list of open types, the
 * innermost last. type = primitive | ARRAY '<' type '>' | MAP '<' type ',' type '>' | STRUCT '<'
 * name ':' type [COMMENT str] {',' ..} '>' | UNIONTYPE '<' type {',' type} '>'
 */
#include "sql/parser.h"

struct open_type {
    struct type *type;
    VEC(struct type_field) fields;
    struct name name; /* of the struct field that is being read */
    const struct token *first;
};

struct type_stack {
    VEC(struct open_type) open;
};

/* ---- primitives ---- */

static str_t hive_primitive(uint16_t word)
{
    switch (word) {
    case KW_TINYINT:
        return STR("tinyint");
    case KW_STRING:
        return STR("string");
    case KW_UNKNOWN:
        return STR("unknown");
    case KW_TIMESTAMPLOCALTZ:
        return STR("timestamp with local time zone");
    case KW_DEC:
    case KW_NUMERIC:
        return STR("decimal");
    default:
        return STR("");
    }
}

static str_t impala_primitive(uint16_t word)
{
    switch (word) {
    case KW_TINYINT:
        return STR("tinyint");
    case KW_STRING:
        return STR("string");
    case KW_UUID:
        return STR("uuid");
    default:
        return STR("");
    }
}

/* The canonical name of a primitive type; empty for other words. */
static str_t primitive_text(const struct parser *p, uint16_t word)
{
    switch (word) {
    case KW_SMALLINT:
        return STR("smallint");
    case KW_INT:
    case KW_INTEGER:
        return STR("int");
    case KW_BIGINT:
        return STR("bigint");
    case KW_BOOLEAN:
        return STR("boolean");
    case KW_FLOAT:
        return STR("float");
    case KW_REAL:
    case KW_DOUBLE:
        return STR("double");
    case KW_DATE:
        return STR("date");
    case KW_DATETIME:
        return STR("datetime");
    case KW_BINARY:
        return STR("binary");
    case KW_TIMESTAMP:
        return STR("timestamp");
    case KW_DECIMAL:
        return STR("decimal");
    case KW_VARCHAR:
        return STR("varchar");
    case KW_CHAR:
        return STR("char");
    case KW_VARIANT:
        return STR("variant");
    default:
        return p->dialect == DIALECT_HIVE ? hive_primitive(word) : impala_primitive(word);
    }
}

/* '(' number {',' number} ')' → "(10,2)"; empty when there is none */
static str_t parse_sizes(struct parser *p, uint32_t most)
{
    str_t text = STR("(");
    if (!accept(p, TOKEN_LPAREN))
        return STR("");
    for (uint32_t i = 0; i < most && !p->failed; i++) {
        if (!at(p, TOKEN_NUMBER) && !at(p, TOKEN_VARIABLE))
            parse_fail(p, STR("a number"));
        text = arena_join(p->arena, text, token_text(p, take(p)));
        if (i + 1 == most || !accept(p, TOKEN_COMMA))
            break;
        text = arena_join(p->arena, text, STR(","));
    }
    expect(p, TOKEN_RPAREN, ")");
    return arena_join(p->arena, text, STR(")"));
}

/* How many sizes a type may have, and whether it must have one. */
static uint32_t most_sizes(const struct parser *p, uint16_t word, bool *required)
{
    bool hive = p->dialect == DIALECT_HIVE;
    *required = word == KW_CHAR || (word == KW_VARCHAR && hive);
    switch (word) {
    case KW_DECIMAL:
    case KW_DEC:
    case KW_NUMERIC:
        return 2;
    case KW_CHAR:
    case KW_VARCHAR:
        return 1;
    case KW_TIMESTAMP:
    case KW_TIMESTAMPLOCALTZ:
        return hive ? 1 : 0;
    default:
        return 0;
    }
}

/* DOUBLE PRECISION, TIMESTAMP WITH LOCAL TIME ZONE */
static str_t parse_type_words(struct parser *p, uint16_t word, str_t text)
{
    if (p->dialect != DIALECT_HIVE)
        return text;
    if (word == KW_DOUBLE)
        accept_word(p, KW_PRECISION);
    if (word != KW_TIMESTAMP || !at_words(p, KW_WITH, KW_LOCAL))
        return text;
    skip_tokens(p, 2);
    expect_word(p, KW_TIME);
    expect_word(p, KW_ZONE);
    return STR("timestamp with local time zone");
}

static void parse_primitive(struct parser *p, struct type *type)
{
    uint16_t word = p->token->word;
    str_t text = primitive_text(p, word);
    if (text.len == 0) {
        parse_fail(p, STR("a column type"));
        return;
    }
    take(p);
    text = parse_type_words(p, word, text);
    bool required;
    uint32_t most = most_sizes(p, word, &required);
    if (required && !at(p, TOKEN_LPAREN))
        parse_fail(p, STR("( and a length"));
    if (most > 0 && at(p, TOKEN_LPAREN))
        text = arena_join(p->arena, text, parse_sizes(p, most));
    if (type != NULL)
        type->name = name_of(text);
}

/* ---- nested types ---- */

static enum type_kind nested_kind(const struct token *token)
{
    if (token[0].kind == TOKEN_END || token[1].kind != TOKEN_LT)
        return TYPE_PRIMITIVE;
    switch (token->word) {
    case KW_ARRAY:
        return TYPE_ARRAY;
    case KW_MAP:
        return TYPE_MAP;
    case KW_STRUCT:
        return TYPE_STRUCT;
    case KW_UNIONTYPE:
        return TYPE_UNION;
    default:
        return TYPE_PRIMITIVE;
    }
}

bool at_type(const struct parser *p)
{
    return nested_kind(p->token) != TYPE_PRIMITIVE || primitive_text(p, p->token->word).len > 0;
}

/* Field names of a struct may be any word in Impala, even a reserved one. */
static void parse_field_name(struct parser *p, struct open_type *top)
{
    if (p->dialect == DIALECT_IMPALA && p->token->kind == TOKEN_WORD)
        top->name = ident_of_token(p, take(p)).name;
    else
        top->name = parse_column_ident(p, "a field name").name;
    expect(p, TOKEN_COLON, ":");
}

static struct open_type *open_type(struct parser *p, struct type_stack *stack, struct type *type,
                                   enum type_kind kind)
{
    struct open_type *top = VEC_PUSH(p->arena, &stack->open);
    if (top == NULL || stack->open.count > LIMIT_EXPR_DEPTH) {
        parse_fail_at(p, DIAG_TOO_DEEP, p->token, STR("the type is nested too deeply"));
        return NULL;
    }
    top->type = type;
    top->first = p->token;
    if (type != NULL)
        type->kind = (uint8_t)kind;
    skip_tokens(p, 2);
    if (kind == TYPE_STRUCT)
        parse_field_name(p, top);
    return top;
}

static void add_field(struct parser *p, struct open_type *top, struct type *type)
{
    struct type_field *field = VEC_PUSH(p->arena, &top->fields);
    if (field != NULL)
        *field = (struct type_field){top->name, type};
    if (top->type != NULL && top->type->kind == TYPE_STRUCT && accept_word(p, KW_COMMENT))
        parse_string(p, "a comment in quotes");
}

/* Whether another type follows within the innermost open one; takes the comma. */
static bool wants_more(struct parser *p, struct open_type *top)
{
    uint8_t kind = top->type != NULL ? top->type->kind : TYPE_UNION;
    if (kind == TYPE_ARRAY || (kind == TYPE_MAP && top->fields.count == 2))
        return false;
    if (kind == TYPE_MAP) {
        expect(p, TOKEN_COMMA, ", and the type of the values");
        return true;
    }
    if (!accept(p, TOKEN_COMMA))
        return false;
    if (kind == TYPE_STRUCT)
        parse_field_name(p, top);
    return true;
}

/* The innermost type is whole. */
static struct type *close_type(struct parser *p, struct type_stack *stack)
{
    struct open_type *top = &stack->open.items[--stack->open.count];
    expect(p, TOKEN_GT, ", or >");
    if (top->type != NULL) {
        top->type->fields = top->fields.items;
        top->type->field_count = top->fields.count;
        top->type->span = span_from(p, top->first);
    }
    return top->type;
}

struct type *parse_type(struct parser *p)
{
    struct type_stack stack = {0};
    struct type *type = NULL;
    while (!p->failed) {
        const struct token *first = p->token;
        enum type_kind kind = nested_kind(first);
        type = ARENA_NEW(p->arena, struct type);
        if (kind != TYPE_PRIMITIVE) {
            open_type(p, &stack, type, kind);
            continue;
        }
        parse_primitive(p, type);
        if (type != NULL)
            type->span = span_from(p, first);
        while (stack.open.count > 0 && !p->failed) {
            struct open_type *top = &stack.open.items[stack.open.count - 1];
            add_field(p, top, type);
            if (wants_more(p, top))
                break;
            type = close_type(p, &stack);
        }
        if (stack.open.count == 0)
            return type;
    }
    return NULL;
}
