/* The list of diagnostics and the table of their codes. */
#include "sql/diag.h"

#include "base/limits.h"

struct diag_row {
    str_t code;
    enum diag_severity severity;
    str_t meaning;
};

static const struct diag_row diag_rows[DIAG_CODE_COUNT] = {
#define DIAG(id, code, severity, what) [DIAG_##id] = {{code, sizeof(code) - 1}, severity, {what, sizeof(what) - 1}},
#include "sql/diag.def"
#undef DIAG
};

void diag_add(struct arena *arena, struct diag_list *diags, enum diag_code code, span_t span, str_t message)
{
    if (diags->list.count >= LIMIT_DIAGNOSTICS) {
        diags->dropped++;
        return;
    }
    struct diag *diag = VEC_PUSH(arena, &diags->list);
    if (diag != NULL)
        *diag = (struct diag){code, span, message};
}

static char *put_text(char *at, str_t text)
{
    if (text.len > 0)
        memcpy(at, text.ptr, text.len);
    return at + text.len;
}

void diag_add_name(struct arena *arena, struct diag_list *diags, enum diag_code code, span_t span, str_t prefix, str_t name,
                   str_t suffix)
{
    if (diags->list.count >= LIMIT_DIAGNOSTICS) {
        diags->dropped++;
        return;
    }
    bool quoted = name.len > 0 && name.ptr[0] == '`';
    size_t len = prefix.len + name.len + suffix.len + (quoted ? 0 : 2);
    char *text = arena_alloc(arena, len), *at = text;
    if (text == NULL)
        return;
    at = put_text(at, prefix);
    if (!quoted)
        *at++ = '`';
    at = put_text(at, name);
    if (!quoted)
        *at++ = '`';
    put_text(at, suffix);
    diag_add(arena, diags, code, span, str_make(text, len));
}

str_t diag_code_text(enum diag_code code)
{
    return diag_rows[code].code;
}

enum diag_severity diag_code_severity(enum diag_code code)
{
    return diag_rows[code].severity;
}

str_t diag_severity_text(enum diag_severity severity)
{
    switch (severity) {
    case DIAG_ERROR:
        return STR("error");
    case DIAG_WARNING:
        return STR("warning");
    case DIAG_NOTE:
        return STR("note");
    }
    return STR("");
}

str_t diag_code_meaning(enum diag_code code)
{
    return diag_rows[code].meaning;
}
