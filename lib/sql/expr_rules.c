/* The operator tables of both dialects. */
#include "sql/expr_rules.h"

/* Hive, loose to tight. */
enum {
    HIVE_OR = 1,
    HIVE_AND,
    HIVE_NOT,
    HIVE_IS,
    HIVE_EQUAL,
    HIVE_SIMILAR,
    HIVE_BIT_OR,
    HIVE_BIT_AND,
    HIVE_CONCAT,
    HIVE_SUM,
    HIVE_PRODUCT,
    HIVE_BIT_XOR,
    HIVE_SIGN,
    HIVE_FIELD
};

const struct expr_rules hive_expr_rules = {
    .tokens =
        {
            [TOKEN_CONCAT] = {INFIX_CHAIN, HIVE_CONCAT, OP_CONCAT},
            [TOKEN_PLUS] = {INFIX_CHAIN, HIVE_SUM, OP_ADD},
            [TOKEN_MINUS] = {INFIX_CHAIN, HIVE_SUM, OP_SUB},
            [TOKEN_STAR] = {INFIX_CHAIN, HIVE_PRODUCT, OP_MUL},
            [TOKEN_SLASH] = {INFIX_CHAIN, HIVE_PRODUCT, OP_DIV},
            [TOKEN_PERCENT] = {INFIX_CHAIN, HIVE_PRODUCT, OP_MOD},
            [TOKEN_AMP] = {INFIX_CHAIN, HIVE_BIT_AND, OP_BIT_AND},
            [TOKEN_PIPE] = {INFIX_CHAIN, HIVE_BIT_OR, OP_BIT_OR},
            [TOKEN_CARET] = {INFIX_CHAIN, HIVE_BIT_XOR, OP_BIT_XOR},
            [TOKEN_EQ] = {INFIX_COMPARE, HIVE_EQUAL, OP_EQ},
            [TOKEN_NE] = {INFIX_COMPARE, HIVE_EQUAL, OP_NE},
            [TOKEN_NULL_SAFE_EQ] = {INFIX_COMPARE, HIVE_EQUAL, OP_NULL_SAFE_EQ},
            [TOKEN_LT] = {INFIX_COMPARE, HIVE_SIMILAR, OP_LT},
            [TOKEN_LE] = {INFIX_COMPARE, HIVE_SIMILAR, OP_LE},
            [TOKEN_GT] = {INFIX_COMPARE, HIVE_SIMILAR, OP_GT},
            [TOKEN_GE] = {INFIX_COMPARE, HIVE_SIMILAR, OP_GE},
            [TOKEN_NOT_SIGN] = {INFIX_NOT, HIVE_SIMILAR, OP_NONE},
            [TOKEN_DOT] = {INFIX_DOT, HIVE_FIELD, OP_NONE},
            [TOKEN_LBRACKET] = {INFIX_INDEX, HIVE_FIELD, OP_NONE},
        },
    .words =
        {
            [KW_OR] = {INFIX_CHAIN, HIVE_OR, OP_OR},
            [KW_AND] = {INFIX_CHAIN, HIVE_AND, OP_AND},
            [KW_DIV] = {INFIX_CHAIN, HIVE_PRODUCT, OP_INT_DIV},
            [KW_LIKE] = {INFIX_LIKE, HIVE_SIMILAR, OP_LIKE},
            [KW_RLIKE] = {INFIX_LIKE, HIVE_SIMILAR, OP_RLIKE},
            [KW_REGEXP] = {INFIX_LIKE, HIVE_SIMILAR, OP_RLIKE},
            [KW_IN] = {INFIX_IN, HIVE_SIMILAR, OP_NONE},
            [KW_BETWEEN] = {INFIX_BETWEEN, HIVE_SIMILAR, OP_NONE},
            [KW_IS] = {INFIX_IS, HIVE_IS, OP_NONE},
            [KW_NOT] = {INFIX_NOT, HIVE_SIMILAR, OP_NONE},
        },
    .not_level = HIVE_NOT,
    .sign_level = HIVE_SIGN,
    .bit_not_level = HIVE_SIGN,
    .is_level = HIVE_IS,
    .distinct_level = HIVE_EQUAL,
    .predicate_level = HIVE_SIMILAR,
    .between_floor = HIVE_SIMILAR,
    .sum_level = HIVE_SUM,
    .layered = true,
    .quantifiers = true,
    .rows = true,
};

/*
 * Impala, loose to tight: || may be OR, so it is looser than all; bit operators bind
 * tighter than *.
 */
enum {
    IMPALA_CONCAT = 1,
    IMPALA_OR,
    IMPALA_AND,
    IMPALA_NOT,
    IMPALA_PREDICATE,
    IMPALA_LIKE,
    IMPALA_COMPARE,
    IMPALA_SUM,
    IMPALA_PRODUCT,
    IMPALA_BIT,
    IMPALA_SIGN,
    IMPALA_FACTORIAL,
    IMPALA_FIELD
};

const struct expr_rules impala_expr_rules = {
    .tokens =
        {
            [TOKEN_CONCAT] = {INFIX_CHAIN, IMPALA_CONCAT, OP_CONCAT},
            [TOKEN_AND_AND] = {INFIX_CHAIN, IMPALA_AND, OP_AND},
            [TOKEN_PLUS] = {INFIX_CHAIN, IMPALA_SUM, OP_ADD},
            [TOKEN_MINUS] = {INFIX_CHAIN, IMPALA_SUM, OP_SUB},
            [TOKEN_STAR] = {INFIX_CHAIN, IMPALA_PRODUCT, OP_MUL},
            [TOKEN_SLASH] = {INFIX_CHAIN, IMPALA_PRODUCT, OP_DIV},
            [TOKEN_PERCENT] = {INFIX_CHAIN, IMPALA_PRODUCT, OP_MOD},
            [TOKEN_AMP] = {INFIX_CHAIN, IMPALA_BIT, OP_BIT_AND},
            [TOKEN_PIPE] = {INFIX_CHAIN, IMPALA_BIT, OP_BIT_OR},
            [TOKEN_CARET] = {INFIX_CHAIN, IMPALA_BIT, OP_BIT_XOR},
            [TOKEN_EQ] = {INFIX_COMPARE, IMPALA_COMPARE, OP_EQ},
            [TOKEN_NE] = {INFIX_COMPARE, IMPALA_COMPARE, OP_NE},
            [TOKEN_NULL_SAFE_EQ] = {INFIX_COMPARE, IMPALA_COMPARE, OP_NULL_SAFE_EQ},
            [TOKEN_LT] = {INFIX_COMPARE, IMPALA_COMPARE, OP_LT},
            [TOKEN_LE] = {INFIX_COMPARE, IMPALA_COMPARE, OP_LE},
            [TOKEN_GT] = {INFIX_COMPARE, IMPALA_COMPARE, OP_GT},
            [TOKEN_GE] = {INFIX_COMPARE, IMPALA_COMPARE, OP_GE},
            [TOKEN_NOT_SIGN] = {INFIX_FACTORIAL, IMPALA_FACTORIAL, OP_FACTORIAL},
            [TOKEN_DOT] = {INFIX_DOT, IMPALA_FIELD, OP_NONE},
        },
    .words =
        {
            [KW_OR] = {INFIX_CHAIN, IMPALA_OR, OP_OR},
            [KW_AND] = {INFIX_CHAIN, IMPALA_AND, OP_AND},
            [KW_DIV] = {INFIX_CHAIN, IMPALA_PRODUCT, OP_INT_DIV},
            [KW_LIKE] = {INFIX_LIKE, IMPALA_LIKE, OP_LIKE},
            [KW_RLIKE] = {INFIX_LIKE, IMPALA_LIKE, OP_RLIKE},
            [KW_REGEXP] = {INFIX_LIKE, IMPALA_LIKE, OP_RLIKE},
            [KW_ILIKE] = {INFIX_LIKE, IMPALA_LIKE, OP_ILIKE},
            [KW_IREGEXP] = {INFIX_LIKE, IMPALA_LIKE, OP_IREGEXP},
            [KW_IN] = {INFIX_IN, IMPALA_PREDICATE, OP_NONE},
            [KW_BETWEEN] = {INFIX_BETWEEN, IMPALA_PREDICATE, OP_NONE},
            [KW_IS] = {INFIX_IS, IMPALA_PREDICATE, OP_NONE},
            [KW_NOT] = {INFIX_NOT, IMPALA_PREDICATE, OP_NONE},
        },
    .not_level = IMPALA_NOT,
    .sign_level = IMPALA_SIGN,
    .bit_not_level = IMPALA_BIT,
    .is_level = IMPALA_PREDICATE,
    .distinct_level = IMPALA_COMPARE,
    .predicate_level = IMPALA_PREDICATE,
    .between_floor = LEVEL_CONTAINER,
    .sum_level = IMPALA_SUM,
    .call_from = true,
    .predicate_hints = true,
};
