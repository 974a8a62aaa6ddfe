#include "sql/parse.h"
#include "base/buf.h"
void ast_dump(struct buf *out, str_t text, const struct stmt *stmt)
{
    (void)text;
    buf_add(out, stmt_kind_text(stmt->kind));
}
