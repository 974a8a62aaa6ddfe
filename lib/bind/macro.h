/*
 * Macros put in place of their calls.
 */
#ifndef COLLINE_BIND_MACRO_H
#define COLLINE_BIND_MACRO_H

#include "bind/binder.h"

struct macro_param_use {
    uint32_t param; /* its place */
    uint32_t roles; /* enum dep_role bits: what the body makes of it */
};

struct macro_entry {
    const struct create_function *definition;
    VEC(struct macro_param_use) uses;
    bool binding; /* being worked out: a use now is a recursion */
    struct macro_entry *next;
};

/* What the macro makes of its parameters; NULL when it is used inside itself, too deep, or when out of memory. */
const struct macro_entry *bind_macro(struct binder *b, const struct catalog_macro *macro);

#endif
