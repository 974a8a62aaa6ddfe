/*
 * The operators of each dialect as tables: which tokens and words stand between or behind operands,
 * and how tightly they bind. A higher level binds tighter. Levels are each dialect's own;
 * parse_expr.c only compares them.
 */
#ifndef COLLINE_SQL_EXPR_RULES_H
#define COLLINE_SQL_EXPR_RULES_H

#include "sql/ast.h"
#include "sql/token.h"

enum {
    LEVEL_CONTAINER =
        0, /* of what is open between brackets and key words: any operator may stand inside */
    LEVEL_ATOM = 20,
    TOKEN_KIND_COUNT = TOKEN_ELLIPSIS + 1
};

/* What an operator does to the operand before it. */
enum infix_action {
    INFIX_NONE,    /* no operator */
    INFIX_CHAIN,   /* a + b + c */
    INFIX_COMPARE, /* a = b */
    INFIX_LIKE,
    INFIX_IN,
    INFIX_BETWEEN,
    INFIX_IS,
    INFIX_NOT,      /* NOT before LIKE, IN, BETWEEN */
    INFIX_DOT,      /* .field */
    INFIX_INDEX,    /* [ */
    INFIX_FACTORIAL /* ! behind its operand */
};

struct infix {
    uint8_t action; /* enum infix_action */
    uint8_t level;
    uint8_t op; /* enum expr_op */
};

struct expr_rules {
    struct infix tokens[TOKEN_KIND_COUNT];
    struct infix words[KEYWORD_COUNT];
    uint8_t not_level, sign_level, bit_not_level;
    uint8_t is_level;        /* IS NULL, IS TRUE */
    uint8_t distinct_level;  /* IS DISTINCT FROM */
    uint8_t predicate_level; /* of EXISTS, and of comparisons with ANY or ALL */
    uint8_t between_floor;   /* operators in BETWEEN's lower bound bind tighter than this */
    uint8_t sum_level;       /* + and - */
    /* Hive's grammar is a chain of rules: an operand is of a tighter level than its operator,
     * predicates do not repeat. Impala's is one rule with precedences: any expression may stand on
     * any side. */
    bool layered;
    bool quantifiers;     /* = ANY (query) */
    bool rows;            /* (a, b) is a value */
    bool call_from;       /* any function may be called like f(a FROM b) */
    bool predicate_hints; /* a hint may follow (..) */
};

extern const struct expr_rules hive_expr_rules, impala_expr_rules;

#endif
