/* Values are found in the order of the script, so that each is made of known ones and nothing has
 * to be looked up twice. */
#include "shell_values.h"

enum {
    LONGEST_VALUE = 1 << 20,
    MOST_HELD = 16 << 20, /* bytes of all values of a script */
    LONGEST_NAME = 60,    /* of what stands for a command */
    MOST_HOPS = 8         /* from variable to variable */
};

enum quoting { PLAIN, DOUBLE, HERE };

struct variable {
    struct shell_range word;          /* of the assignment; or */
    const struct shell_command *here; /* a here-document that is read into it */
    uint32_t at;                      /* known from here on */
    uint32_t times;                   /* that it is set */
    bool certain;
    bool known;
    str_t text;
};

struct expansion {
    const struct shell_values *values;
    struct shell_result *out;
    str_t text;
    size_t pos, end;
    uint32_t at; /* where it is used */
};

/* ---- names ---- */

static bool is_name_part(char c, bool first)
{
    char lower = ascii_lower(c);
    return c == '_' || (lower >= 'a' && lower <= 'z') || (!first && c >= '0' && c <= '9');
}

static str_t name_at(str_t text, size_t pos, size_t end)
{
    size_t at = pos;
    while (at < end && is_name_part(text.ptr[at], at == pos))
        at++;
    return str_make(text.ptr + pos, at - pos);
}

static struct variable *find(const struct shell_values *values, str_t name)
{
    return name_map_get(&values->variables, name_of(name));
}

static struct variable *find_or_add(struct shell_values *values, str_t name)
{
    struct arena *arena = &values->shell->arena;
    void **place = need(name_map_place(&values->variables, arena, name_of(name)));
    if (*place == NULL)
        *place = need(ARENA_NEW(arena, struct variable));
    return *place;
}

static bool opaque_between(const struct shell_values *values, uint32_t from, uint32_t to)
{
    uint32_t low = 0, high = values->opaque.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (values->opaque.items[middle] <= from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < values->opaque.count && values->opaque.items[low] < to;
}

static const struct variable *known(const struct shell_values *values, str_t name, uint32_t at)
{
    const struct variable *variable = find(values, name);
    bool usable = variable != NULL && variable->known && variable->at <= at;
    return usable && !opaque_between(values, variable->at, at) ? variable : NULL;
}

/* ---- results ---- */

static void clear(struct shell_result *out)
{
    buf_clear(&out->text);
    out->pieces.count = 0;
}

static void add_piece(struct shell_result *out, colline_piece piece)
{
    *(colline_piece *)need(VEC_PUSH(out->arena, &out->pieces)) = piece;
}

/* Whether the last piece ends where the byte `start` of the script stands. */
static bool goes_on(const struct shell_result *out, size_t start)
{
    if (out->pieces.count == 0)
        return false;
    const colline_piece *last = &out->pieces.items[out->pieces.count - 1];
    return last->exact && last->start + (out->text.len - last->at) == start;
}

/* Bytes of the script as they stand there. */
static void add_exact(struct expansion *e, size_t start, size_t end)
{
    struct shell_result *out = e->out;
    if (start >= end)
        return;
    if (!goes_on(out, start))
        add_piece(out,
                  (colline_piece){(uint32_t)out->text.len, (uint32_t)start, (uint32_t)end, true});
    buf_add(&out->text, str_make(e->text.ptr + start, end - start));
}

/* What stands for [start, end) of the script. */
static void add_instead(struct expansion *e, size_t start, size_t end, str_t text)
{
    if (text.len == 0)
        return;
    add_piece(e->out,
              (colline_piece){(uint32_t)e->out->text.len, (uint32_t)start, (uint32_t)end, false});
    buf_add(&e->out->text, text);
}

/* ${(..)} for [start, end), of which what lies between its brackets is told, but for what would end
 * a variable. */
static void add_open(struct expansion *e, size_t start, size_t end, size_t bracket)
{
    char name[LONGEST_NAME + 8] = "${(";
    size_t len = 3;
    for (size_t i = start + bracket; i + 1 < end && len < LONGEST_NAME; i++) {
        char c = e->text.ptr[i];
        bool plain = is_name_part(c, false) || memchr(".:/+-%#@?!*=,", c, 13) != NULL;
        if (plain)
            name[len++] = c;
        else if (name[len - 1] != '_' && name[len - 1] != '(')
            name[len++] = '_';
    }
    memcpy(name + len, ")}", 2);
    add_instead(e, start, end, str_make(name, len + 2));
}

/* ---- variables and commands in a text ---- */

static void add_variable(struct expansion *e, size_t start, size_t end, str_t name)
{
    const struct variable *variable = known(e->values, name, e->at);
    if (variable != NULL) {
        add_instead(e, start, end, variable->text);
        return;
    }
    char reference[LONGEST_NAME + 4];
    size_t length = name.len < LONGEST_NAME ? name.len : LONGEST_NAME;
    memcpy(reference, "${", 2);
    memcpy(reference + 2, name.ptr, length);
    reference[length + 2] = '}';
    add_instead(e, start, end, str_make(reference, length + 3));
}

/* ${x}, ${x:-y}: of all that can stand behind a name, only a value for the missing case leaves a
 * known value as it is. */
static void add_braces(struct expansion *e)
{
    size_t start = e->pos, end = shell_skip(e->text, start);
    str_t name = name_at(e->text, start + 2, end);
    size_t behind = start + 2 + name.len;
    bool digits =
        name.len == 0 && behind < end && e->text.ptr[behind] >= '0' && e->text.ptr[behind] <= '9';
    if (digits)
        name = str_make(e->text.ptr + behind++, 1);
    char next = behind < end ? e->text.ptr[behind] : '\0';
    bool missing =
        next == '-' || (next == ':' && behind + 1 < end && e->text.ptr[behind + 1] == '-');
    e->pos = end;
    if (name.len > 0 && (next == '}' || missing))
        add_variable(e, start, end, name);
    else
        add_open(e, start, end, 2);
}

static void add_dollar(struct expansion *e)
{
    size_t start = e->pos;
    char next = start + 1 < e->end ? e->text.ptr[start + 1] : '\0';
    str_t name = name_at(e->text, start + 1, e->end);
    if (next == '{') {
        add_braces(e);
    } else if (next == '(') {
        e->pos = shell_skip(e->text, start);
        add_open(e, start, e->pos, 2);
    } else if (name.len > 0) {
        e->pos += 1 + name.len;
        add_variable(e, start, e->pos, name);
    } else if (next != '\0' && memchr("0123456789@*#?$!-", next, 17) != NULL) {
        e->pos += 2;
        add_variable(e, start, e->pos, str_make(e->text.ptr + start + 1, 1));
    } else {
        e->pos++;
        add_exact(e, start, e->pos);
    }
}

/* ---- quotes ---- */

static bool backslash_works(enum quoting quoting, char next)
{
    switch (quoting) {
    case PLAIN:
        return true;
    case DOUBLE:
        return memchr("$`\"\\\n", next, 5) != NULL;
    case HERE:
        break;
    }
    return memchr("$`\\\n", next, 4) != NULL;
}

static void add_backslash(struct expansion *e, enum quoting quoting)
{
    size_t start = e->pos;
    char next = start + 1 < e->end ? e->text.ptr[start + 1] : '\0';
    e->pos += start + 1 < e->end ? 2 : 1;
    if (!backslash_works(quoting, next))
        add_exact(e, start, e->pos);
    else if (next != '\n')
        add_exact(e, start + 1, e->pos);
}

static void add_single(struct expansion *e)
{
    size_t start = e->pos + 1, close = str_find(str_make(e->text.ptr, e->end), '\'', start);
    add_exact(e, start, close);
    e->pos = close < e->end ? close + 1 : e->end;
}

/* $'..' */
static void add_ansi(struct expansion *e)
{
    size_t end = shell_skip(e->text, e->pos);
    for (size_t at = e->pos + 2; at + 1 < end; at++) {
        char c = e->text.ptr[at], next = e->text.ptr[at + 1];
        if (c != '\\') {
            add_exact(e, at, at + 1);
            continue;
        }
        add_instead(e, at, at + 2,
                    next == 'n'   ? STR("\n")
                    : next == 't' ? STR("\t")
                                  : str_make(&e->text.ptr[at + 1], 1));
        at++;
    }
    e->pos = end;
}

/* The plain run from e->pos on that no quoting changes. */
static void add_run(struct expansion *e)
{
    size_t start = e->pos;
    while (e->pos < e->end && memchr("\\'\"$`", e->text.ptr[e->pos], 5) == NULL)
        e->pos++;
    e->pos += e->pos == start;
    add_exact(e, start, e->pos);
}

static void expand(struct expansion *e, enum quoting quoting)
{
    while (e->pos < e->end && !e->out->text.failed) {
        char c = e->text.ptr[e->pos];
        if (c == '\\') {
            add_backslash(e, quoting);
        } else if (c == '$' && quoting == PLAIN && e->pos + 1 < e->end &&
                   e->text.ptr[e->pos + 1] == '\'') {
            add_ansi(e);
        } else if (c == '$') {
            add_dollar(e);
        } else if (c == '`') {
            size_t start = e->pos;
            e->pos = shell_skip(e->text, start);
            add_open(e, start, e->pos, 1);
        } else if (c == '\'' && quoting == PLAIN) {
            add_single(e);
        } else if (c == '"' && quoting != HERE) {
            quoting = quoting == PLAIN ? DOUBLE : PLAIN;
            e->pos++;
        } else {
            add_run(e);
        }
    }
}

static struct expansion expansion_of(const struct shell_values *values, struct shell_range range,
                                     uint32_t at, struct shell_result *out)
{
    str_t text = str_make(values->shell->text.ptr, range.end);
    return (struct expansion){values, out, text, range.start, range.end, at};
}

void shell_expand_here(const struct shell_values *values, const struct shell_command *command,
                       struct shell_result *out)
{
    struct expansion e = expansion_of(values, command->here_doc, command->end, out);
    clear(out);
    if (command->here_literal)
        add_exact(&e, e.pos, e.end);
    else
        expand(&e, HERE);
}

/* ---- words that are one thing ---- */

static struct shell_range without_quotes(const struct shell_text *shell, struct shell_range word)
{
    str_t text = shell_slice(shell, word);
    bool quoted = text.len >= 2 && text.ptr[0] == '"' && text.ptr[text.len - 1] == '"';
    return quoted ? (struct shell_range){word.start + 1, word.end - 1} : word;
}

/* x, where the word is "$x" or "${x}" and no more; else empty. */
static str_t sole_variable(const struct shell_text *shell, struct shell_range word)
{
    str_t text = shell_slice(shell, without_quotes(shell, word));
    bool braces = text.len > 3 && text.ptr[1] == '{' && text.ptr[text.len - 1] == '}';
    if (text.len < 2 || text.ptr[0] != '$')
        return STR("");
    size_t start = braces ? 2 : 1, end = text.len - (braces ? 1 : 0);
    str_t name = name_at(text, start, end);
    return start + name.len == end ? name : STR("");
}

/* The command of a word that is "$(cat <<EOF .. EOF)" and no more; NULL else. */
static const struct shell_command *sole_here(const struct shell_text *shell,
                                             struct shell_range word, struct shell_text *inner)
{
    struct shell_range range = without_quotes(shell, word);
    str_t text = shell_slice(shell, range);
    if (!str_starts_with(text, STR("$(")) ||
        shell_skip(str_make(shell->text.ptr, range.end), range.start) != range.end)
        return NULL;
    shell_read(inner, (struct shell_range){range.start + 2, range.end - 1});
    const struct shell_command *first = inner->commands.items;
    bool cat = inner->commands.count == 1 && first->words.count == 1 && first->here_doc.end > 0 &&
               first->out_file.end == 0 &&
               str_eq(shell_slice(inner, first->words.items[0]), STR("cat"));
    return cat ? first : NULL;
}

static void expand_sole(const struct shell_values *values, struct shell_range word, uint32_t at,
                        struct shell_result *out)
{
    struct shell_text inner;
    shell_text_init(&inner, values->shell->text);
    const struct shell_command *here = sole_here(values->shell, word, &inner);
    if (here != NULL) {
        struct shell_command command = *here;
        command.end = at;
        shell_expand_here(values, &command, out);
    } else {
        struct expansion e = expansion_of(values, word, at, out);
        clear(out);
        expand(&e, PLAIN);
    }
    shell_text_release(&inner);
}

void shell_expand_word(const struct shell_values *values, struct shell_range word, uint32_t at,
                       struct shell_result *out)
{
    for (unsigned hop = 0; hop < MOST_HOPS; hop++) {
        str_t name = sole_variable(values->shell, word);
        const struct variable *variable = name.len == 0 ? NULL : known(values, name, at);
        if (variable == NULL)
            break;
        if (variable->here != NULL) {
            shell_expand_here(values, variable->here, out);
            return;
        }
        word = variable->word;
        at = variable->at;
    }
    expand_sole(values, word, at, out);
}

/* ---- assignments ---- */

/* Whether a value is open altogether: then its variable's own name says more. */
static bool is_open(str_t text)
{
    text = str_trim(text);
    return str_starts_with(text, STR("${")) && str_find(text, '}', 0) + 1 == text.len;
}

static void settle(struct shell_values *values, struct variable *variable,
                   struct shell_result *scratch)
{
    if (variable->times != 1 || !variable->certain || values->held > MOST_HELD)
        return;
    if (variable->here != NULL)
        shell_expand_here(values, variable->here, scratch);
    else
        expand_sole(values, variable->word, variable->at, scratch);
    if (scratch->text.failed || is_open(buf_str(&scratch->text)))
        return;
    variable->known = true;
    variable->text = arena_copy(&values->shell->arena, buf_str(&scratch->text));
    values->held += variable->text.len;
}

struct assignment {
    str_t name;
    struct shell_range value;
    bool adds; /* += */
};

/* NAME=value or NAME+=value; an empty name: it is none. */
static struct assignment assignment_of(const struct shell_text *shell, struct shell_range word)
{
    str_t text = shell_slice(shell, word), name = name_at(text, 0, text.len);
    size_t sign = name.len;
    bool adds = sign + 1 < text.len && text.ptr[sign] == '+';
    sign += adds;
    if (name.len == 0 || sign >= text.len || text.ptr[sign] != '=')
        return (struct assignment){STR(""), {0, 0}, false};
    return (struct assignment){name, {word.start + (uint32_t)sign + 1, word.end}, adds};
}

static bool declares(str_t word)
{
    static const str_t words[] = {
        {"export", 6}, {"readonly", 8}, {"declare", 7}, {"typeset", 7}, {"local", 5}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (str_eq(word, words[i]))
            return true;
    return false;
}

/* Words that give their arguments values nobody can see. */
static bool changes(str_t word)
{
    static const str_t words[] = {{"read", 4},    {"for", 3},  {"select", 6},  {"unset", 5},
                                  {"getopts", 7}, {"let", 3},  {"mapfile", 7}, {"readarray", 9},
                                  {"printf", 6},  {"local", 5}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (str_eq(word, words[i]))
            return true;
    return false;
}

static bool is_opaque(str_t word)
{
    return str_eq(word, STR("source")) || str_eq(word, STR(".")) || str_eq(word, STR("eval"));
}

/* `read -r -d '' x <<EOF` puts the document into x. */
static bool reads_here(const struct shell_text *shell, const struct shell_command *command)
{
    if (command->here_doc.end == 0 ||
        !str_eq(shell_slice(shell, command->words.items[0]), STR("read")))
        return false;
    for (uint32_t i = 1; i < command->words.count; i++) {
        str_t word = shell_slice(shell, command->words.items[i]);
        if (word.len >= 2 && word.ptr[0] == '-' && word.ptr[word.len - 1] == 'd')
            return true;
    }
    return false;
}

static void note_changes(struct shell_values *values, const struct shell_command *command)
{
    const struct shell_text *shell = values->shell;
    bool here = reads_here(shell, command);
    for (uint32_t i = 1; i < command->words.count; i++) {
        str_t word = shell_slice(shell, command->words.items[i]);
        str_t name = name_at(word, 0, word.len);
        if (name.len == 0)
            continue;
        struct variable *variable = find_or_add(values, name);
        variable->times += here ? 1 : 2;
        variable->here = command;
        variable->certain = command->certain;
        variable->at = command->end;
    }
}

static void note_assignment(struct shell_values *values, const struct shell_command *command,
                            const struct assignment *assignment)
{
    struct variable *variable = find_or_add(values, assignment->name);
    variable->times += assignment->adds ? 2 : 1;
    variable->word = assignment->value;
    variable->at = command->end;
    variable->certain = command->certain;
}

/* `declares` and assignments without a command; before a command they are that command's alone. */
static void note_assignments(struct shell_values *values, const struct shell_command *command)
{
    const struct shell_text *shell = values->shell;
    bool declared = declares(shell_slice(shell, command->words.items[0]));
    struct assignment last = assignment_of(shell, command->words.items[command->words.count - 1]);
    if (!declared && last.name.len == 0)
        return;
    for (uint32_t i = declared ? 1 : 0; i < command->words.count; i++) {
        struct assignment assignment = assignment_of(shell, command->words.items[i]);
        if (assignment.name.len > 0)
            note_assignment(values, command, &assignment);
        else if (!declared)
            return;
    }
}

static void note_command(struct shell_values *values, const struct shell_command *command)
{
    if (command->words.count == 0 || command->inside)
        return;
    str_t word = shell_slice(values->shell, command->words.items[0]);
    if (is_opaque(word))
        *(uint32_t *)need(VEC_PUSH(&values->shell->arena, &values->opaque)) = command->end;
    else if (changes(word))
        note_changes(values, command);
    else
        note_assignments(values, command);
}

/* The variables that a command settles, in the order in which it names them. */
static void settle_command(struct shell_values *values, const struct shell_command *command,
                           struct shell_result *scratch)
{
    for (uint32_t i = 0; i < command->words.count; i++) {
        str_t word = shell_slice(values->shell, command->words.items[i]);
        str_t name = name_at(word, 0, word.len);
        struct variable *variable = name.len == 0 ? NULL : find(values, name);
        if (variable != NULL && !variable->known && variable->at == command->end)
            settle(values, variable, scratch);
    }
}

void shell_values_init(struct shell_values *values, struct shell_text *shell)
{
    *values = (struct shell_values){.shell = shell};
    struct shell_result scratch = {.arena = &shell->arena};
    buf_init(&scratch.text, LONGEST_VALUE);
    for (uint32_t i = 0; i < shell->commands.count; i++)
        note_command(values, &shell->commands.items[i]);
    for (uint32_t i = 0; i < shell->commands.count; i++)
        settle_command(values, &shell->commands.items[i], &scratch);
    buf_release(&scratch.text);
}
