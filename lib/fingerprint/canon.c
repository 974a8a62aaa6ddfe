/*
 * The walk over canonical items. A frame stands for each open parenthesis, and one for the whole statement: it knows whether items of a list
 * collapse in it, and which literals in it are structure.
 *
 * Collapsing compares an item with the one before it, token by token, and stops at the first difference; so the whole
 * stays linear in the length of the statement.
 */
#include "fingerprint/canon.h"

enum {
    NO_ELEMENT = UINT32_MAX
};

/* Which literals of a frame are structure. */
enum structure {
    STRUCTURE_ORDINALS = 1, /* numbers behind BY */
    STRUCTURE_LABELS = 2,   /* all: the select list gives the outputs their names */
    STRUCTURE_STRINGS = 4,  /* names in named_struct and in properties */
    STRUCTURE_ALL = 8       /* stack's count, columns named by PIVOT, indexes in brackets */
};

/* ---- tokens ----------------------------------------------------------------------------------------------------- */

static str_t token_bytes(const struct canon *c, const struct token *token)
{
    bool quoted = token->kind == TOKEN_QUOTED;
    return str_make(c->text.ptr + token->start + quoted, token->end - token->start - 2u * quoted);
}

static bool is_sign(const struct token *token)
{
    return token->kind == TOKEN_PLUS || token->kind == TOKEN_MINUS;
}

/* Whether an operand ends with this token, so that a sign behind it takes two operands. */
static bool ends_operand(const struct token *token)
{
    switch (token->kind) {
    case TOKEN_WORD:
        return token->reserved != WORD_RESERVED || token->word == KW_END || token->word == KW_NULL || token->word == KW_TRUE
               || token->word == KW_FALSE || token->word == KW_CURRENT_DATE || token->word == KW_CURRENT_TIMESTAMP;
    case TOKEN_QUOTED:
    case TOKEN_STRING:
    case TOKEN_NUMBER:
    case TOKEN_VARIABLE:
    case TOKEN_RPAREN:
    case TOKEN_RBRACKET:
    case TOKEN_QUESTION:
        return true;
    default:
        return false;
    }
}

/* NULL, TRUE or FALSE as a whole argument or list item. */
static bool is_constant_item(const struct canon *c, uint32_t i)
{
    const struct token *token = &c->tokens[i];
    if (token->word != KW_NULL && token->word != KW_TRUE && token->word != KW_FALSE)
        return false;
    uint8_t before = i == 0 ? TOKEN_END : token[-1].kind, behind = token[1].kind;
    return (before == TOKEN_LPAREN || before == TOKEN_COMMA) && (behind == TOKEN_RPAREN || behind == TOKEN_COMMA);
}

/* The token behind the literal that begins at token i; i itself where there is none. */
static uint32_t literal_end(const struct canon *c, uint32_t i)
{
    uint32_t at = i;
    if (is_sign(&c->tokens[i]) && (i == 0 || !ends_operand(&c->tokens[i - 1]))) {
        while (is_sign(&c->tokens[at]))
            at++;
        return c->tokens[at].kind == TOKEN_NUMBER ? at + 1 : i;
    }
    switch (c->tokens[i].kind) {
    case TOKEN_NUMBER:
    case TOKEN_BYTES:
    case TOKEN_CHARSET:
        return i + 1;
    case TOKEN_STRING:
        at = i + 1;
        while (c->dialect == DIALECT_HIVE && c->tokens[at].kind == TOKEN_STRING)
            at++;
        return at;
    case TOKEN_WORD:
        return is_constant_item(c, i) ? i + 1 : i;
    default:
        return i;
    }
}

/* ---- lists ------------------------------------------------------------------------------------------------------ */

static bool is_name(const struct token *token)
{
    return token->kind == TOKEN_WORD || token->kind == TOKEN_QUOTED;
}

static bool same_token(const struct canon *c, const struct token *a, const struct token *b)
{
    if (is_name(a) && is_name(b))
        return str_eq_fold(token_bytes(c, a), token_bytes(c, b));
    return a->kind == b->kind && (a->kind != TOKEN_VARIABLE || str_eq(token_bytes(c, a), token_bytes(c, b)));
}

/* Behind the item at token b when it equals the one in tokens [a, a_end); b where it does not. */
static uint32_t same_element(const struct canon *c, uint32_t a, uint32_t a_end, uint32_t b)
{
    uint32_t at = b;
    while (a < a_end) {
        uint32_t a_behind = literal_end(c, a), at_behind = literal_end(c, at);
        bool a_literal = a_behind > a, at_literal = at_behind > at;
        if (a_literal != at_literal || (!a_literal && !same_token(c, &c->tokens[a], &c->tokens[at])))
            return b;
        a = a_literal ? a_behind : a + 1;
        at = at_literal ? at_behind : at + 1;
    }
    return at;
}

/* At a comma: passes over the items behind it that equal the one before it. */
static void collapse(struct canon *c, struct canon_frame *frame)
{
    uint32_t element = frame->element, end = c->next;
    while (c->tokens[c->next].kind == TOKEN_COMMA) {
        uint32_t behind = same_element(c, element, end, c->next + 1);
        uint8_t kind = c->tokens[behind].kind;
        if (behind == c->next + 1 || (!frame->values && kind != TOKEN_COMMA && kind != TOKEN_RPAREN))
            break;
        c->next = behind;
    }
    bool more = c->tokens[c->next].kind == TOKEN_COMMA;
    frame->element = more ? c->next + 1 : frame->values ? NO_ELEMENT : element;
    frame->values = frame->values && more;
}

/* ---- frames ----------------------------------------------------------------------------------------------------- */

static struct canon_frame *top_frame(struct canon *c)
{
    return &c->frames.items[c->frames.count - 1];
}

static bool is_call_of(const struct canon *c, const struct token *name, str_t lower)
{
    return is_name(name) && str_eq_fold(token_bytes(c, name), lower);
}

/* What the word before a parenthesis makes structure inside it. */
static uint8_t opened_structure(const struct canon *c, uint32_t open)
{
    const struct token *before = open == 0 ? NULL : &c->tokens[open - 1];
    if (before == NULL || !is_name(before))
        return 0;
    if (is_call_of(c, before, STR("stack")) || is_call_of(c, before, STR("pivot")) || is_call_of(c, before, STR("unpivot")))
        return STRUCTURE_ALL;
    bool strings = is_call_of(c, before, STR("named_struct")) || is_call_of(c, before, STR("tblproperties"))
                   || is_call_of(c, before, STR("serdeproperties"));
    return strings ? STRUCTURE_STRINGS : 0;
}

static bool open_frame(struct canon *c, uint8_t structure)
{
    uint8_t inherited = c->frames.count == 0 ? 0 : (uint8_t)(top_frame(c)->own | top_frame(c)->inherited);
    struct canon_frame *frame = VEC_PUSH(c->arena, &c->frames);
    if (frame == NULL)
        return false;
    *frame = (struct canon_frame){.element = NO_ELEMENT, .own = structure, .inherited = inherited};
    return true;
}

/* IN ( item .., but not IN ( query ) */
static bool opens_list(const struct canon *c, uint32_t open)
{
    uint16_t behind = c->tokens[open + 1].word;
    return open > 0 && c->tokens[open - 1].word == KW_IN && behind != KW_SELECT && behind != KW_WITH && behind != KW_FROM
           && behind != KW_VALUES && behind != KW_MAP && behind != KW_REDUCE;
}

static bool open_parenthesis(struct canon *c)
{
    uint32_t open = c->next;
    if (!open_frame(c, opened_structure(c, open)))
        return false;
    if (opens_list(c, open))
        top_frame(c)->element = open + 1;
    return true;
}

/* The statement's own frame stays, whatever parentheses the text closes. */
static void close_parenthesis(struct canon *c)
{
    if (c->frames.count > 1)
        c->frames.count--;
    struct canon_frame *frame = top_frame(c);
    if (frame->values && c->tokens[c->next + 1].kind != TOKEN_COMMA) {
        frame->values = false;
        frame->element = NO_ELEMENT;
    }
}

/* Words that begin and end the lists in which literals are structure, and the rows of VALUES. */
static void note_word(struct canon *c, const struct token *token)
{
    struct canon_frame *frame = top_frame(c);
    switch (token->word) {
    case KW_SELECT:
        frame->own = c->labels ? STRUCTURE_LABELS : 0;
        break;
    case KW_BY:
        frame->own |= STRUCTURE_ORDINALS;
        break;
    case KW_FROM:
    case KW_WHERE:
    case KW_HAVING:
    case KW_LIMIT:
    case KW_UNION:
    case KW_INTERSECT:
    case KW_EXCEPT:
    case KW_ROWS:
    case KW_RANGE:
        frame->own &= (uint8_t) ~(STRUCTURE_ORDINALS | STRUCTURE_LABELS);
        break;
    case KW_VALUES:
        frame->values = token[1].kind == TOKEN_LPAREN;
        frame->element = frame->values ? c->next + 1 : NO_ELEMENT;
        break;
    default:
        break;
    }
}

/* ---- structure -------------------------------------------------------------------------------------------------- */

/* Words behind which a string is a path, an alias or a storage handler. */
static bool names_something(const struct canon *c, uint32_t i)
{
    static const uint16_t words[] = {KW_LOCATION, KW_INPATH, KW_DIRECTORY, KW_FROM, KW_TO, KW_AS, KW_BY};
    const struct token *before = &c->tokens[i - 1];
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
        if (before->word == words[w])
            return true;
    bool like_file = i > 1 && before[-1].word == KW_LIKE && before->kind == TOKEN_WORD; /* LIKE PARQUET '/x' */
    return like_file || (c->dialect == DIALECT_IMPALA && ends_operand(before));         /* an alias */
}

static bool collapses(struct canon *c)
{
    const struct canon_frame *frame = top_frame(c);
    uint8_t flags = frame->own | frame->inherited;
    bool structure = (flags & STRUCTURE_ALL) != 0 || (c->keep_structure && (flags & STRUCTURE_LABELS) != 0);
    return frame->element != NO_ELEMENT && !structure && !c->keep_all;
}

static bool is_structure(struct canon *c, uint32_t i, uint32_t end)
{
    uint8_t flags = top_frame(c)->own | top_frame(c)->inherited;
    uint8_t kind = c->tokens[end - 1].kind;
    if (flags & (STRUCTURE_ALL | STRUCTURE_LABELS))
        return true;
    if (kind == TOKEN_NUMBER)
        return (flags & STRUCTURE_ORDINALS) != 0;
    if (kind != TOKEN_STRING || i == 0)
        return false;
    return (flags & STRUCTURE_STRINGS) != 0 || names_something(c, i);
}

/* ---- the walk --------------------------------------------------------------------------------------------------- */

/* Impala names the outputs of a query that writes nothing by their text. */
static bool has_labels(const struct token *first, enum dialect dialect)
{
    return dialect == DIALECT_IMPALA
           && (first->word == KW_SELECT || first->word == KW_WITH || first->word == KW_VALUES || first->word == KW_EXPLAIN
               || first->kind == TOKEN_LPAREN);
}

void canon_init(struct canon *canon, str_t text, const struct tokens *tokens, enum dialect dialect, struct arena *arena)
{
    *canon = (struct canon){.text = text, .tokens = tokens->list.items, .dialect = dialect, .arena = arena};
    if (tokens->list.count > 0)
        canon->labels = has_labels(canon->tokens, dialect);
    open_frame(canon, 0);
}

static bool take_literal(struct canon *c, struct canon_item *item)
{
    uint32_t end = literal_end(c, c->next);
    if (end == c->next)
        return false;
    *item = (struct canon_item){.kind = CANON_LITERAL,
                                .structure = is_structure(c, c->next, end),
                                .span = {c->tokens[c->next].start, c->tokens[end - 1].end}};
    c->next = end;
    return true;
}

static void take_name(struct canon *c, const struct token *token, struct canon_item *item)
{
    uint8_t quote = token->kind == TOKEN_QUOTED ? 1 : 0;
    enum word_class class = WORD_PLAIN;
    if (quote > 0)
        keyword_find(token_bytes(c, token), c->dialect, &class);
    *item = (struct canon_item){.kind = CANON_WORD,
                                .quoted = class != WORD_PLAIN,
                                .quote = quote,
                                .span = {token->start + quote, token->end - quote}};
    if (quote == 0 && token->word != KW_NONE)
        note_word(c, token);
    c->next++;
}

/* Parentheses and brackets change the frame. */
static bool take_sign(struct canon *c, const struct token *token, struct canon_item *item)
{
    *item = (struct canon_item){.kind = CANON_SIGN, .sign = token->kind, .span = {token->start, token->end}};
    bool good = true;
    if (token->kind == TOKEN_LPAREN)
        good = open_parenthesis(c);
    else if (token->kind == TOKEN_LBRACKET)
        good = open_frame(c, STRUCTURE_ALL);
    else if (token->kind == TOKEN_RPAREN || token->kind == TOKEN_RBRACKET)
        close_parenthesis(c);
    c->next++;
    return good;
}

bool canon_next(struct canon *canon, struct canon_item *item)
{
    if (canon->tokens == NULL || canon->frames.count == 0)
        return false;
    while (canon->tokens[canon->next].kind == TOKEN_HINT)
        canon->next++;
    if (canon->tokens[canon->next].kind == TOKEN_COMMA && collapses(canon))
        collapse(canon, top_frame(canon));
    const struct token *token = &canon->tokens[canon->next];
    if (token->kind == TOKEN_END)
        return false;
    if (take_literal(canon, item))
        return true;
    if (is_name(token)) {
        take_name(canon, token, item);
        return true;
    }
    if (token->kind == TOKEN_VARIABLE) {
        *item = (struct canon_item){.kind = CANON_VARIABLE, .span = {token->start, token->end}};
        canon->next++;
        return true;
    }
    return take_sign(canon, token, item);
}
