/* Quotes and substitutions of a shell script: where each ends. Nesting is followed with a stack of
 * closing characters. */
#include "shell_text.h"

enum {
    DEEPEST_QUOTE = 64 /* what is nested deeper ends with the script */
};

struct nesting {
    char closers[DEEPEST_QUOTE];
    size_t depth;
};

static char innermost(const struct nesting *nesting)
{
    return nesting->depth == 0 ? '\0' : nesting->closers[nesting->depth - 1];
}

static bool is_open(const struct nesting *nesting, char closer)
{
    return memchr(nesting->closers, closer, nesting->depth) != NULL;
}

static size_t behind(str_t text, char c, size_t from)
{
    size_t at = str_find(text, c, from);
    return at < text.len ? at + 1 : text.len;
}

/* A comment of a command list: its quotes are none. */
static bool is_comment(str_t text, size_t pos, char inside)
{
    char before = pos == 0 ? '\n' : text.ptr[pos - 1];
    return text.ptr[pos] == '#' && (inside == ')' || inside == '`') &&
           (shell_is_blank(before) || before == '\n' || before == ';');
}

/* The closing character of what opens at `pos`; *width is the length of the opening. 0: nothing
 * opens. */
static char opens(str_t text, size_t pos, const struct nesting *nesting, size_t *width)
{
    char c = text.ptr[pos], next = pos + 1 < text.len ? text.ptr[pos + 1] : '\0';
    char inside = innermost(nesting);
    *width = 1;
    if (c == '$' && (next == '(' || next == '{')) {
        *width = 2;
        return next == '(' ? ')' : '}';
    }
    if (c == '`')
        return is_open(nesting, '`') ? '\0' : '`';
    if (inside == '"')
        return '\0';
    if (c == '"')
        return '"';
    return c == '(' && inside == ')' ? ')' : '\0';
}

/* The delimiter of a here-document without its quotes, from `pos` on. */
static str_t delimiter_at(str_t text, size_t pos)
{
    while (pos < text.len &&
           (shell_is_blank(text.ptr[pos]) || memchr("-'\"\\", text.ptr[pos], 4) != NULL))
        pos++;
    size_t end = pos;
    while (end < text.len && !shell_is_blank(text.ptr[end]) &&
           memchr("\n'\";)|&<>", text.ptr[end], 9) == NULL)
        end++;
    return str_make(text.ptr + pos, end - pos);
}

/* Behind the line that ends a here-document whose lines begin behind the next line break. */
static size_t skip_here_document(str_t text, size_t pos)
{
    str_t delimiter = delimiter_at(text, pos);
    if (delimiter.len == 0)
        return pos;
    for (size_t line = behind(text, '\n', pos); line < text.len;) {
        size_t next = behind(text, '\n', line);
        if (str_eq(str_trim(str_make(text.ptr + line, next - line)), delimiter))
            return next - 1;
        line = next;
    }
    return text.len;
}

static bool is_here_document(str_t text, size_t pos, char inside)
{
    if (inside != ')' || pos + 3 >= text.len || memcmp(text.ptr + pos, "<<", 2) != 0 ||
        text.ptr[pos + 2] == '<')
        return false;
    char first = text.ptr[pos + 2];
    return first == '\'' || first == '"' || first == '-' || first == ' ' || first == '\\' ||
           first == '_' || (ascii_lower(first) >= 'a' && ascii_lower(first) <= 'z');
}

/* One step from `pos` inside of something; the nesting follows. */
static size_t step(str_t text, size_t pos, struct nesting *nesting)
{
    size_t width;
    char c = text.ptr[pos], inside = innermost(nesting);
    if (c == '\\')
        return pos + 2 < text.len ? pos + 2 : text.len;
    if (nesting->depth > 0 && c == inside) {
        nesting->depth--;
        return pos + 1;
    }
    if (c == '\'' && inside != '"')
        return behind(text, '\'', pos + 1);
    if (is_comment(text, pos, inside))
        return str_find(text, '\n', pos);
    if (is_here_document(text, pos, inside))
        return skip_here_document(text, pos + 2);
    char closer = opens(text, pos, nesting, &width);
    if (closer == '\0')
        return pos + 1;
    if (nesting->depth == DEEPEST_QUOTE)
        return text.len;
    nesting->closers[nesting->depth++] = closer;
    return pos + width;
}

/* $'..', where a backslash saves the quote. */
static size_t skip_ansi(str_t text, size_t pos)
{
    for (pos += 2; pos < text.len && text.ptr[pos] != '\''; pos++)
        if (text.ptr[pos] == '\\')
            pos++;
    return pos < text.len ? pos + 1 : text.len;
}

size_t shell_skip(str_t text, size_t pos)
{
    struct nesting nesting = {.depth = 0};
    if (text.ptr[pos] == '$' && pos + 1 < text.len && text.ptr[pos + 1] == '\'')
        return skip_ansi(text, pos);
    pos = step(text, pos, &nesting);
    while (nesting.depth > 0 && pos < text.len)
        pos = step(text, pos, &nesting);
    return pos > text.len ? text.len : pos;
}
