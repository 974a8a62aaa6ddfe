/*
 * What all grammar files share: a cursor over the tokens of one statement, and the first error.
 * After an error the cursor stands on TOKEN_END for good, so every loop ends by itself and no
 * function needs to ask "has it failed?". Constructors return NULL when the arena is exhausted and
 * take NULL children.
 */
#ifndef COLLINE_SQL_PARSER_H
#define COLLINE_SQL_PARSER_H

#include "base/limits.h"
#include "sql/lex.h"

struct expr_frame;
struct expr_operand;

struct parser {
    str_t text;
    const struct token *token;       /* the next token */
    const struct token *first, *end; /* end: the TOKEN_END */
    struct arena *arena;
    const struct parse_options *options;
    enum dialect dialect;
    uint32_t expr_depth, query_depth;
    const struct token *no_query, *no_query_end; /* a row of `(` none of which begins a query */
    VEC(struct expr_frame) frames;               /* what parse_expr has open */
    VEC(struct expr_operand) operands;           /* and the operands that wait there */
    struct parse_error error;
    bool failed;
};

/* ---- looking ---- */

/* The token n places ahead; TOKEN_END past the end. */
static inline const struct token *peek_at(const struct parser *p, size_t n)
{
    return (size_t)(p->end - p->token) > n ? p->token + n : p->end;
}

static inline bool at(const struct parser *p, enum token_kind kind)
{
    return p->token->kind == kind;
}

static inline bool at_word(const struct parser *p, enum keyword word)
{
    return p->token->word == word;
}

static inline bool at_words(const struct parser *p, enum keyword first, enum keyword second)
{
    return p->token->word == first && peek_at(p, 1)->word == second;
}

static inline str_t token_text(const struct parser *p, const struct token *token)
{
    return str_make(p->text.ptr + token->start, token->end - token->start);
}

/*
 * Whether the next token is this bare word, keyword or not, case folded; for words that are no
 * keywords.
 */
bool at_text(const struct parser *p, str_t lower);

/* ---- taking ---- */

static inline const struct token *take(struct parser *p)
{
    const struct token *token = p->token;
    if (token != p->end)
        p->token++;
    return token;
}

/* Takes n tokens, or all that are left. */
static inline void skip_tokens(struct parser *p, size_t n)
{
    p->token = peek_at(p, n);
}

static inline bool accept(struct parser *p, enum token_kind kind)
{
    if (p->token->kind != kind || kind == TOKEN_END)
        return false;
    p->token++;
    return true;
}

static inline bool accept_word(struct parser *p, enum keyword word)
{
    if (p->token->word != word)
        return false;
    p->token++;
    return true;
}

bool accept_words(struct parser *p, enum keyword first, enum keyword second);
bool accept_text(struct parser *p, str_t lower);

/* ---- errors ---- */

/* Records "expected WHAT, found TOKEN" at the next token, once. Cold, for most statements are right. */
__attribute__((cold)) void parse_fail(struct parser *p, str_t what);
/* The same where something should end: a clause that has only begun (ORDER, LEFT OUTER) is told what it lacks. */
__attribute__((cold)) void parse_fail_end(struct parser *p, str_t what);
/* Takes the `)` behind a query. */
void expect_query_end(struct parser *p);

/* The same of a text of our own, and of a word; false. */
__attribute__((cold)) bool parse_fail_literal(struct parser *p, const char *what);
__attribute__((cold)) bool parse_fail_word(struct parser *p, enum keyword word);

/* accept, but an error when it is not there: "expected FROM, found x". */
static inline bool expect(struct parser *p, enum token_kind kind, const char *what)
{
    return accept(p, kind) || parse_fail_literal(p, what);
}

static inline bool expect_word(struct parser *p, enum keyword word)
{
    return accept_word(p, word) || parse_fail_word(p, word);
}

/* Records any message at a token, once. */
__attribute__((cold)) void parse_fail_at(struct parser *p, enum diag_code code, const struct token *token, str_t message);

/* The same for what could not be allocated. */
__attribute__((cold)) void parse_out_of_memory(struct parser *p);

/*
 * Counts nesting; false and an error past the limit. Each enter that returned true needs its leave.
 */
bool enter_query(struct parser *p);
void leave_query(struct parser *p);

/* ---- names ---- */

/*
 * Whether the token can be an identifier by the dialect's rules: a quoted name, a word that is not
 * reserved, a variable.
 */
static inline bool is_name_token(const struct token *token)
{
    return (token->kind == TOKEN_WORD && token->reserved != WORD_RESERVED) ||
           token->kind == TOKEN_QUOTED || token->kind == TOKEN_VARIABLE;
}

bool is_identifier(const struct parser *p, const struct token *token);

/*
 * The same, or a word that Hive reserves but that old scripts use as a column (`date`, `user`): for
 * the places where nothing but a name can stand.
 */
bool is_column_name(const struct parser *p, const struct token *token);
struct ident parse_column_ident(struct parser *p, const char *what);

/* The same as a name, or Hive's "name": for the places of tables. */
bool is_table_name(const struct parser *p, const struct token *token);

struct ident parse_ident(struct parser *p, const char *what);

/* The identifier that a token is, whatever its kind. */
struct ident ident_of_token(struct parser *p, const struct token *token);

/* The text within the quotes of a quoted name. */
str_t quoted_name_value(str_t text, enum dialect dialect, struct arena *arena);
struct ident *new_ident(struct parser *p, struct ident ident);

/* id {'.' id} */
struct qname parse_qname(struct parser *p, const char *what);

/* The same where the next token is known to be a name. */
struct qname take_qname(struct parser *p);

/* '(' id {',' id} ')' */
uint32_t parse_ident_list(struct parser *p, struct ident **out, const char *what);

/* The unquoted, unescaped value of the next token, which must be a string. */
str_t parse_string(struct parser *p, const char *what);

/* span from the start of `first` to the end of the token before the cursor */
static inline span_t span_from(const struct parser *p, const struct token *first)
{
    const struct token *last = p->token > p->first ? p->token - 1 : p->token;
    return (span_t){first->start, last->end > first->start ? last->end : first->start};
}

/* ---- shared grammar ---- */

/*
 * An expression by the dialect's precedence, without recursion. parse_select_expr also takes `*`
 * and `t.*`; parse_value_expr also takes DEFAULT.
 */
struct expr *parse_expr(struct parser *p);
struct expr *parse_select_expr(struct parser *p);
struct expr *parse_value_expr(struct parser *p);
struct expr *
parse_sum_expr(struct parser *p); /* no operator looser than + and -: Hive's right side of SET */
uint32_t parse_expr_list(struct parser *p, struct expr ***out); /* expr {',' expr} */
struct type *parse_type(struct parser *p);
bool at_type(const struct parser *p); /* whether a type begins at the cursor */
struct expr *
parse_literal(struct parser *p); /* literal with optional sign: for partitions and properties */
struct sort_keys parse_sort_keys(struct parser *p);
struct window *parse_window(struct parser *p); /* after OVER */

/* PARTITION BY .. ORDER BY .. and Hive's other spellings, into the window. */
void parse_partitioning(struct parser *p, struct window *window);

/* exprs of PARTITION BY, DISTRIBUTE BY ..: a row's parentheses are the list's. */
struct exprs parse_key_exprs(struct parser *p);

/* Whether '(' at the cursor begins a query, looking through further parentheses. */
bool at_parenthesised_query(struct parser *p);

/*
 * ---- each dialect's own: hive_*.c, impala_*.c. Each parser of a query counts itself with
 * enter_query. ----
 */

struct query *parse_query(struct parser *p);           /* by p->dialect */
struct query *hive_parse_query(struct parser *p);      /* [WITH ..] query without INSERT */
struct query *hive_parse_expr_query(struct parser *p); /* inside an expression: no WITH */
struct query *impala_parse_query(struct parser *p);
void impala_selectivity_hint(struct parser *p); /* [hint], behind a predicate in parentheses */
struct stmt *hive_parse_statement(struct parser *p);
struct stmt *impala_parse_statement(struct parser *p);

/* ---- the tree ---- */

struct stmt *new_stmt(struct parser *p, enum stmt_kind kind, void *body, const struct token *first);
struct expr *new_expr(struct parser *p, enum expr_kind kind, span_t span);

/* (label ..) */
struct clause *new_clause(struct parser *p, str_t label);
void clause_add_node(struct parser *p, struct clause *clause, struct clause *child);
void clause_add_expr(struct parser *p, struct clause *clause, struct expr *expr);
void clause_add_name(struct parser *p, struct clause *clause, struct qname name);
void clause_add_type(struct parser *p, struct clause *clause, struct type *type);
void clause_add_query(struct parser *p, struct clause *clause, struct query *query);
void clause_add_word(struct parser *p, struct clause *clause, const struct token *token);

/* Parses `'(' 'k' '=' 'v' , .. ')'` as (label (= k v) ..). */
struct clause *parse_properties(struct parser *p, str_t label);

#endif
