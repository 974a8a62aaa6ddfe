/* Names of the kinds of the tree. */
#include "sql/ast.h"

static const str_t stmt_texts[STMT_KIND_COUNT] = {
#define STMT(id, text, member) [STMT_##id] = {text, sizeof(text) - 1},
#include "sql/ast.def"
#undef STMT
};

str_t stmt_kind_text(enum stmt_kind kind)
{
    return stmt_texts[kind];
}
