/*
 * Messages to a person about SQL. Codes, severities and texts come from diag.def; docs/diagnostics.md is printed from it.
 * The list lives in an arena; it never holds more than LIMIT_DIAGNOSTICS.
 */
#ifndef COLLINE_SQL_DIAG_H
#define COLLINE_SQL_DIAG_H

#include "base/arena.h"

enum diag_severity {
    DIAG_ERROR,
    DIAG_WARNING,
    DIAG_NOTE
};

enum diag_code {
#define DIAG(id, code, severity, what) DIAG_##id,
#include "sql/diag.def"
#undef DIAG
    DIAG_CODE_COUNT
};

struct diag {
    enum diag_code code;
    span_t span;   /* bytes of the script */
    str_t message; /* one line, without place */
};

struct diag_list {
    VEC(struct diag) list;
    uint32_t dropped; /* beyond the limit */
};

/* Adds a message; `message` must live as long as the arena. */
void diag_add(struct arena *arena, struct diag_list *diags, enum diag_code code, span_t span, str_t message);

/* Adds a message "prefix `name` suffix", copied into the arena. */
void diag_add_name(struct arena *arena, struct diag_list *diags, enum diag_code code, span_t span, str_t prefix, str_t name,
                   str_t suffix);

/* "unresolved-column" and the like. */
str_t diag_code_text(enum diag_code code);
enum diag_severity diag_code_severity(enum diag_code code);
str_t diag_severity_text(enum diag_severity severity);

/* What a code means, one sentence, for the documentation. */
str_t diag_code_meaning(enum diag_code code);

#endif
