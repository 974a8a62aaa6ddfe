/*
 * Every limit of the library, with its reason. tests/limit holds a test on each side of each.
 */
#ifndef COLLINE_BASE_LIMITS_H
#define COLLINE_BASE_LIMITS_H

enum {
    /* Parentheses, CASEs, calls and types within one another. Expressions are parsed and walked with stacks of
     * their own in the arena, so this bounds work for the reader of a message, not the C stack. */
    LIMIT_EXPR_DEPTH = 4000,
    /* Queries within one another: each costs several frames of the C stack in parser and binder. */
    LIMIT_QUERY_DEPTH = 120,
    /* Views through views; a cycle is found before this by name. */
    LIMIT_VIEW_DEPTH = 100,
    /* Parts of a dotted name: Impala's structs nest to 100. */
    LIMIT_NAME_PARTS = 256,
    /* Rounds of ${variable} substitution, as Hive's hive.variable.substitute.depth. */
    LIMIT_SUBSTITUTION_ROUNDS = 40,
    /* Diagnostics kept for a statement; later ones are counted in the last. */
    LIMIT_DIAGNOSTICS = 100
};

#endif
