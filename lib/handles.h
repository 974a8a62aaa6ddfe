/* What the files of the public face share: the handles' insides and the conversions of enums and texts. */
#ifndef COLLINE_HANDLES_H
#define COLLINE_HANDLES_H

#include "catalog/catalog.h"
#include "colline.h"
#include "sql/dialect.h"

struct colline_catalog {
    struct catalog *catalog;
    struct arena messages;
    str_t message; /* why the last call failed */
    size_t limit;
};

static inline enum dialect inner_dialect(colline_dialect dialect)
{
    return dialect == COLLINE_IMPALA ? DIALECT_IMPALA : DIALECT_HIVE;
}

static inline colline_text outer_text(str_t text)
{
    return (colline_text){text.ptr, text.len};
}

static inline colline_span outer_span(span_t span)
{
    return (colline_span){span.start, span.end};
}

#endif
