/* Names of the kinds of the tree. */
#include "sql/ast.h"

static const str_t stmt_texts[STMT_KIND_COUNT] = {
#define STMT(id, text, member) [STMT_##id] = {text, sizeof(text) - 1},
#include "sql/ast.def"
#undef STMT
};

static const str_t expr_kinds[EXPR_DEFAULT + 1] = {
    [EXPR_COLUMN] = {"column", 6},
    [EXPR_STAR] = {"star", 4},
    [EXPR_LITERAL] = {"literal", 7},
    [EXPR_INTERVAL] = {"interval", 8},
    [EXPR_PARAMETER] = {"parameter", 9},
    [EXPR_VARIABLE] = {"variable", 8},
    [EXPR_CALL] = {"call", 4},
    [EXPR_CAST] = {"cast", 4},
    [EXPR_CASE] = {"case", 4},
    [EXPR_UNARY] = {"unary", 5},
    [EXPR_CHAIN] = {"chain", 5},
    [EXPR_COMPARE] = {"compare", 7},
    [EXPR_IS] = {"is", 2},
    [EXPR_LIKE] = {"like", 4},
    [EXPR_BETWEEN] = {"between", 7},
    [EXPR_IN] = {"in", 2},
    [EXPR_IN_QUERY] = {"in-query", 8},
    [EXPR_QUANTIFIED] = {"quantified", 10},
    [EXPR_EXISTS] = {"exists", 6},
    [EXPR_SUBQUERY] = {"subquery", 8},
    [EXPR_FIELD] = {"field", 5},
    [EXPR_INDEX] = {"index", 5},
    [EXPR_ROW] = {"row", 3},
    [EXPR_DEFAULT] = {"default", 7},
};

static const str_t expr_ops[EXPR_OP_COUNT] = {
    [OP_NONE] = {"", 0},
    [OP_OR] = {"OR", 2},
    [OP_AND] = {"AND", 3},
    [OP_NOT] = {"NOT", 3},
    [OP_ADD] = {"+", 1},
    [OP_SUB] = {"-", 1},
    [OP_MUL] = {"*", 1},
    [OP_DIV] = {"/", 1},
    [OP_MOD] = {"%", 1},
    [OP_INT_DIV] = {"DIV", 3},
    [OP_BIT_AND] = {"&", 1},
    [OP_BIT_OR] = {"|", 1},
    [OP_BIT_XOR] = {"^", 1},
    [OP_CONCAT] = {"||", 2},
    [OP_NEG] = {"-", 1},
    [OP_POS] = {"+", 1},
    [OP_BIT_NOT] = {"~", 1},
    [OP_FACTORIAL] = {"!", 1},
    [OP_EQ] = {"=", 1},
    [OP_NE] = {"<>", 2},
    [OP_LT] = {"<", 1},
    [OP_LE] = {"<=", 2},
    [OP_GT] = {">", 1},
    [OP_GE] = {">=", 2},
    [OP_NULL_SAFE_EQ] = {"<=>", 3},
    [OP_DISTINCT_FROM] = {"IS DISTINCT FROM", 16},
    [OP_NOT_DISTINCT_FROM] = {"IS NOT DISTINCT FROM", 20},
    [OP_IS_NULL] = {"NULL", 4},
    [OP_IS_TRUE] = {"TRUE", 4},
    [OP_IS_FALSE] = {"FALSE", 5},
    [OP_IS_UNKNOWN] = {"UNKNOWN", 7},
    [OP_LIKE] = {"LIKE", 4},
    [OP_RLIKE] = {"RLIKE", 5},
    [OP_ILIKE] = {"ILIKE", 5},
    [OP_IREGEXP] = {"IREGEXP", 7},
    [LITERAL_STRING] = {"string", 6},
    [LITERAL_NUMBER] = {"number", 6},
    [LITERAL_TRUE] = {"true", 4},
    [LITERAL_FALSE] = {"false", 5},
    [LITERAL_NULL] = {"null", 4},
    [LITERAL_DATE] = {"date", 4},
    [LITERAL_TIMESTAMP] = {"timestamp", 9},
    [LITERAL_CHARSET] = {"charset", 7},
};

str_t stmt_kind_text(enum stmt_kind kind)
{
    return stmt_texts[kind];
}

str_t expr_kind_text(enum expr_kind kind)
{
    return expr_kinds[kind];
}

str_t expr_op_text(enum expr_op op)
{
    return expr_ops[op];
}
