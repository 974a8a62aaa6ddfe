/*
 * Simple commands of a shell script: words, redirections, here-documents, and whether a command is
 * sure to run. Reserved words only count the depth of branches and loops.
 */
#include "shell_text.h"

enum {
    DEEPEST_SUBSTITUTION = 8 /* commands nested deeper in $(..) are not looked at */
};

struct pending {
    uint32_t command; /* index that its command will have */
    str_t delimiter;
    bool tabs; /* <<-: lines may begin with tabs */
};

struct inner {
    struct shell_range range;
    unsigned level;
};

struct reader {
    struct shell_text *shell;
    str_t text; /* up to the end of what is read */
    size_t pos;
    struct shell_command command;
    bool any; /* the command has something in it */
    unsigned depth, parens, level;
    bool conditional;
    VEC(struct pending) pending;
    VEC(struct inner) inner; /* substitutions still to be read */
};

static char peek(const struct reader *r, size_t ahead)
{
    return r->pos + ahead < r->text.len ? r->text.ptr[r->pos + ahead] : '\0';
}

static str_t slice(const struct reader *r, struct shell_range range)
{
    return str_make(r->text.ptr + range.start, range.end - range.start);
}

static struct shell_range range_of(size_t start, size_t end)
{
    return (struct shell_range){(uint32_t)start, (uint32_t)end};
}

/* ---- commands ---- */

static void finish(struct reader *r)
{
    if (!r->any)
        return;
    struct shell_command *command = need(VEC_PUSH(&r->shell->arena, &r->shell->commands));
    *command = r->command;
    command->certain =
        r->depth == 0 && r->parens == 0 && r->level == 0 && !r->conditional && !command->piped;
    command->inside = r->level > 0;
    command->end = (uint32_t)r->pos;
    r->command = (struct shell_command){.piped = false};
    r->any = false;
    r->conditional = false;
}

static void take_operator(struct reader *r)
{
    char c = peek(r, 0);
    bool twice = peek(r, 1) == c;
    bool piped = c == '|' && !twice;
    bool conditional = (c == '|' || c == '&') && twice;
    finish(r);
    r->parens += c == '(';
    r->parens -= c == ')' && r->parens > 0;
    r->pos += twice && c != '(' && c != ')' ? 2 : 1;
    r->command.piped = piped;
    r->conditional = conditional;
}

/* ---- words ---- */

static bool ends_word(char c)
{
    return shell_is_blank(c) || c == '\n' || c == ';' || c == '&' || c == '|' || c == '<' ||
           c == '>' || c == '(' || c == ')';
}

static void note_inner(struct reader *r, size_t start, size_t end)
{
    if (r->level >= DEEPEST_SUBSTITUTION || start >= end)
        return;
    struct inner *inner = need(VEC_PUSH(&r->shell->arena, &r->inner));
    *inner = (struct inner){range_of(start, end), r->level + 1};
}

/* Commands in a word: $(..) and `..`, also within double quotes. */
static void note_substitutions(struct reader *r, size_t pos, size_t end)
{
    bool quoted = false;
    str_t text = str_make(r->text.ptr, end);
    while (pos < end) {
        char c = text.ptr[pos], next = pos + 1 < end ? text.ptr[pos + 1] : '\0';
        size_t behind = pos + 1;
        if (c == '"')
            quoted = !quoted;
        else if (c == '\\')
            behind++;
        else if ((c == '\'' && !quoted) || c == '`' || (c == '$' && next == '('))
            behind = shell_skip(text, pos);
        if (c == '`')
            note_inner(r, pos + 1, behind - 1);
        else if (c == '$' && next == '(')
            note_inner(r, pos + 2, behind - 1);
        pos = behind;
    }
}

static struct shell_range take_word(struct reader *r)
{
    while (shell_is_blank(peek(r, 0)))
        r->pos++;
    size_t start = r->pos;
    while (r->pos < r->text.len && !ends_word(r->text.ptr[r->pos]))
        r->pos = shell_skip(r->text, r->pos);
    note_substitutions(r, start, r->pos);
    return range_of(start, r->pos);
}

static bool is_one_of(str_t word, const str_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(word, words[i]))
            return true;
    return false;
}

/* A word of the shell's own grammar where a command may begin. */
static bool is_reserved(struct reader *r, str_t word)
{
    static const str_t opening[] = {{"if", 2},  {"while", 5},  {"until", 5}, {"case", 4},
                                    {"for", 3}, {"select", 6}, {"{", 1}};
    static const str_t closing[] = {{"fi", 2}, {"done", 4}, {"esac", 4}, {"}", 1}};
    static const str_t others[] = {{"then", 4}, {"elif", 4}, {"else", 4},    {"do", 2},
                                   {"!", 1},    {"time", 4}, {"function", 8}};
    bool opens = is_one_of(word, opening, sizeof opening / sizeof opening[0]);
    bool closes = is_one_of(word, closing, sizeof closing / sizeof closing[0]);
    r->depth += opens;
    r->depth -= closes && r->depth > 0;
    /* `for x` stays, so that x is known to change. */
    return (opens && !str_eq(word, STR("for"))) || closes ||
           is_one_of(word, others, sizeof others / sizeof others[0]);
}

static bool is_number(str_t word)
{
    for (size_t i = 0; i < word.len; i++)
        if (word.ptr[i] < '0' || word.ptr[i] > '9')
            return false;
    return word.len > 0;
}

static void add_word(struct reader *r)
{
    struct shell_range range = take_word(r);
    bool redirects = peek(r, 0) == '<' || peek(r, 0) == '>';
    if (redirects && is_number(slice(r, range)))
        return; /* 2> */
    if (r->command.words.count == 0 && is_reserved(r, slice(r, range)))
        return;
    *(struct shell_range *)need(VEC_PUSH(&r->shell->arena, &r->command.words)) = range;
    r->any = true;
}

/* ---- redirections ---- */

static void take_here_document(struct reader *r)
{
    struct pending *pending = need(VEC_PUSH(&r->shell->arena, &r->pending));
    pending->tabs = peek(r, 0) == '-';
    r->pos += pending->tabs;
    str_t word = slice(r, take_word(r));
    bool quoted = word.len > 0 && memchr("'\"\\", word.ptr[0], 3) != NULL;
    size_t cut = quoted ? 1 : 0, tail = quoted && word.ptr[0] != '\\' && word.len > 1 ? 1 : 0;
    pending->command = r->shell->commands.count;
    pending->delimiter = str_make(word.ptr + cut, word.len - cut - tail);
    r->command.here_literal = quoted;
    r->any = true;
}

static void take_input(struct reader *r)
{
    r->pos++;
    if (peek(r, 0) == '<' && peek(r, 1) == '<') {
        r->pos += 2;
        r->command.here_string = take_word(r);
    } else if (peek(r, 0) == '<') {
        r->pos++;
        take_here_document(r);
    } else if (peek(r, 0) != '(') {
        r->pos += peek(r, 0) == '&' || peek(r, 0) == '>';
        r->command.in_file = take_word(r);
    }
    r->any = true;
}

static void take_output(struct reader *r)
{
    r->pos += peek(r, 0) == '&' ? 2 : 1;
    if (peek(r, 0) == '&') {
        r->pos++;
        take_word(r);
        return;
    }
    r->pos += peek(r, 0) == '>' || peek(r, 0) == '|';
    struct shell_range word = take_word(r);
    if (!str_eq(slice(r, word), STR("/dev/null")))
        r->command.out_file = word;
    r->any = true;
}

/* ---- lines ---- */

static bool is_delimiter(str_t line, const struct pending *pending)
{
    while (pending->tabs && line.len > 0 && line.ptr[0] == '\t')
        line = str_make(line.ptr + 1, line.len - 1);
    while (line.len > 0 && (line.ptr[line.len - 1] == '\n' || line.ptr[line.len - 1] == '\r'))
        line.len--;
    return str_eq(line, pending->delimiter);
}

/* The lines from r->pos on up to the delimiter are the document. */
static struct shell_range take_body(struct reader *r, const struct pending *pending)
{
    size_t start = r->pos;
    while (r->pos < r->text.len) {
        size_t end = str_find(r->text, '\n', r->pos), line = r->pos;
        r->pos = end < r->text.len ? end + 1 : end;
        if (is_delimiter(str_make(r->text.ptr + line, r->pos - line), pending))
            return range_of(start, line);
    }
    return range_of(start, r->pos);
}

static void end_line(struct reader *r)
{
    finish(r);
    r->pos++;
    for (uint32_t i = 0; i < r->pending.count; i++) {
        struct shell_range body = take_body(r, &r->pending.items[i]);
        if (r->pending.items[i].command < r->shell->commands.count)
            r->shell->commands.items[r->pending.items[i].command].here_doc = body;
    }
    r->pending.count = 0;
}

static void take_piece(struct reader *r)
{
    char c = peek(r, 0);
    if (c == '\n')
        end_line(r);
    else if (shell_is_blank(c))
        r->pos++;
    else if (c == '\\' && peek(r, 1) == '\n')
        r->pos += 2;
    else if (c == '#')
        r->pos = str_find(r->text, '\n', r->pos);
    else if (c == '<')
        take_input(r);
    else if (c == '>' || (c == '&' && peek(r, 1) == '>'))
        take_output(r);
    else if (ends_word(c))
        take_operator(r);
    else
        add_word(r);
}

static void read_range(struct reader *r, struct shell_range range, unsigned level)
{
    r->text = str_make(r->shell->text.ptr, range.end);
    r->pos = range.start;
    r->level = level;
    r->depth = r->parens = 0;
    r->conditional = false;
    r->pending.count = 0;
    while (r->pos < r->text.len)
        take_piece(r);
    finish(r);
}

void shell_read(struct shell_text *shell, struct shell_range range)
{
    struct reader r = {.shell = shell};
    read_range(&r, range, 0);
    for (uint32_t i = 0; i < r.inner.count; i++)
        read_range(&r, r.inner.items[i].range, r.inner.items[i].level);
}

void shell_text_init(struct shell_text *shell, str_t text)
{
    *shell = (struct shell_text){.text = text};
    arena_init(&shell->arena, 0, NULL);
}

void shell_text_release(struct shell_text *shell)
{
    arena_release(&shell->arena);
}
