/*
 * Scripts: one statement or client command after the other. A command is known by its first word,
 * before any lexing, for what follows it is free text. A statement is lexed up to its `;`, then
 * parsed; whatever happens there, the next one begins behind that `;`.
 */
#include "sql/parser.h"

/* ---- positions ---- */

void text_position(str_t text, size_t at, uint32_t *line, uint32_t *column)
{
    uint32_t lines = 1;
    size_t start = 0;
    if (at > text.len)
        at = text.len;
    for (size_t i = str_find(text, '\n', 0); i < at; i = str_find(text, '\n', i + 1)) {
        lines++;
        start = i + 1;
    }
    *line = lines;
    *column = (uint32_t)(at - start) + 1;
}

/* ---- words of commands ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

/* The letters at `pos`. */
static str_t letters_at(str_t text, size_t pos)
{
    size_t end = pos;
    while (end < text.len && (text.ptr[end] | 0x20) >= 'a' && (text.ptr[end] | 0x20) <= 'z')
        end++;
    return str_make(text.ptr + pos, end - pos);
}

/* The letters of the second word, if blanks lead to it. */
static str_t second_word(str_t text, size_t pos)
{
    while (pos < text.len && is_blank(text.ptr[pos]))
        pos++;
    str_t word = letters_at(text, pos);
    size_t end = pos + word.len;
    bool ended = end >= text.len || is_blank(text.ptr[end]) || text.ptr[end] == ';';
    return ended ? word : STR("");
}

static bool is_one_of(str_t word, const str_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq_fold(word, words[i]))
            return true;
    return false;
}

#define IS_ONE_OF(word, words) is_one_of((word), (words), sizeof(words) / sizeof((words)[0]))

/* Hive's clients decide by the first word, for some by the second too, which is behind `end`. */
static bool is_hive_command(str_t text, str_t word, size_t end)
{
    static const str_t always[] = {{"reset", 5},   {"dfs", 3},    {"add", 3},  {"list", 4},
                                   {"compile", 7}, {"source", 6}, {"quit", 4}, {"exit", 4}};
    static const str_t server_sets[] = {{"role", 4}, {"autocommit", 10}, {"catalog", 7}};
    static const str_t reloads[] = {{"function", 8}, {"functions", 9}};
    static const str_t llap[] = {{"cluster", 7}, {"cache", 5}};
    if (IS_ONE_OF(word, always))
        return true;
    if (str_eq_fold(word, STR("set")))
        return !IS_ONE_OF(second_word(text, end), server_sets);
    if (str_eq_fold(word, STR("delete")))
        return !str_eq_fold(second_word(text, end), STR("from"));
    if (str_eq_fold(word, STR("reload")))
        return !IS_ONE_OF(second_word(text, end), reloads);
    return str_eq_fold(word, STR("llap")) && IS_ONE_OF(second_word(text, end), llap);
}

/* Commands of impala-shell; SET is a statement of the server. */
static bool is_impala_command(str_t word)
{
    static const str_t words[] = {{"source", 6},  {"src", 3},     {"shell", 5},   {"profile", 7},
                                  {"summary", 7}, {"connect", 7}, {"history", 7}, {"help", 4},
                                  {"version", 7}, {"rerun", 5},   {"quit", 4},    {"exit", 4},
                                  {"tip", 3}};
    return IS_ONE_OF(word, words);
}

/* Nearly every statement begins with one of these, and no command does. */
static bool begins_statement(str_t word, enum dialect dialect)
{
    enum word_class word_class;
    uint16_t keyword = (uint16_t)keyword_find(word, dialect, &word_class);
    switch (keyword) {
    case KW_SELECT:
    case KW_CREATE:
    case KW_INSERT:
    case KW_EXPLAIN:
    case KW_DROP:
    case KW_ALTER:
    case KW_FROM:
    case KW_WITH:
        return true;
    default:
        return false;
    }
}

/* The word that makes the text at `pos` a client command; empty when it is SQL. */
static str_t command_word(const struct script_reader *reader, size_t pos)
{
    str_t text = reader->text;
    if (text.ptr[pos] == '!' || text.ptr[pos] == '@')
        return str_make(text.ptr + pos, 1);
    str_t word = letters_at(text, pos);
    if (begins_statement(word, reader->options.dialect))
        return STR("");
    size_t end = pos + word.len;
    bool ended = end >= text.len || is_blank(text.ptr[end]) || text.ptr[end] == ';';
    if (word.len == 0 || !ended)
        return STR("");
    bool hive = reader->options.dialect == DIALECT_HIVE;
    bool command = hive ? is_hive_command(text, word, end) : is_impala_command(word);
    return command ? word : STR("");
}

/* ---- the extent of commands ---- */

/* These end with their line. */
static bool is_line_command(str_t word)
{
    static const str_t words[] = {{"!", 1},     {"@", 1},    {"source", 6}, {"src", 3},
                                  {"shell", 5}, {"quit", 4}, {"exit", 4}};
    return IS_ONE_OF(word, words);
}

/*
 * The quote that closes the one at `pos` on the same line; `pos` when there is none: then it is
 * only a character.
 */
static size_t closing_quote(str_t text, size_t pos)
{
    for (size_t i = pos + 1; i < text.len && text.ptr[i] != '\n'; i++) {
        if (text.ptr[i] == '\\')
            i++;
        else if (text.ptr[i] == text.ptr[pos])
            return i;
    }
    return pos;
}

/* Where the command at `pos` ends: at its `;` outside quotes, or at the line's end. */
static size_t command_end(str_t text, size_t pos, bool line)
{
    for (; pos < text.len; pos++) {
        char c = text.ptr[pos];
        if (c == ';' || (line && c == '\n'))
            break;
        if (c == '\\' && pos + 1 < text.len && text.ptr[pos + 1] == ';')
            pos++;
        else if (c == '\'' || c == '"')
            pos = closing_quote(text, pos);
    }
    return pos;
}

/* ---- SET and the other commands ---- */

/* key=value; the value runs to the end */
static void split_setting(str_t rest, struct command_stmt *command)
{
    size_t equal = str_find(rest, '=', 0);
    command->key = str_trim(str_make(rest.ptr, equal));
    if (equal < rest.len)
        command->value = str_trim(str_make(rest.ptr + equal + 1, rest.len - equal - 1));
}

/* SET hive.support.quoted.identifiers changes how what follows is read. */
static void apply_setting(struct script_reader *reader, const struct command_stmt *command)
{
    if (reader->options.dialect != DIALECT_HIVE ||
        !str_eq_fold(command->key, STR("hive.support.quoted.identifiers")))
        return;
    if (str_eq_fold(command->value, STR("none")))
        reader->options.quoted_identifiers = QUOTED_NONE;
    else if (str_eq_fold(command->value, STR("standard")))
        reader->options.quoted_identifiers = QUOTED_STANDARD;
    else
        reader->options.quoted_identifiers = QUOTED_COLUMN;
}

static void read_command(struct script_reader *reader, size_t start, str_t word,
                         struct arena *arena, struct parsed *out)
{
    str_t text = reader->text;
    size_t end = command_end(text, start, is_line_command(word));
    str_t whole = str_trim(str_make(text.ptr + start, end - start));
    str_t rest = str_trim(str_make(whole.ptr + word.len, whole.len - word.len));
    bool set = str_eq_fold(word, STR("set"));
    reader->pos = end < text.len ? end + 1 : end;
    struct stmt *stmt = ARENA_NEW(arena, struct stmt);
    struct command_stmt *command = ARENA_NEW(arena, struct command_stmt);
    if (stmt == NULL || command == NULL)
        return;
    command->word = name_str(arena_name(arena, word));
    if (set)
        split_setting(rest, command);
    else
        command->value = rest;
    if (set)
        apply_setting(reader, command);
    stmt->kind = set ? STMT_SET : STMT_COMMAND;
    stmt->span = (span_t){(uint32_t)start, (uint32_t)(start + whole.len)};
    stmt->u.command = command;
    out->stmt = stmt;
}

/* ---- statements ---- */

static struct parser parser_over(str_t text, const struct tokens *tokens,
                                 const struct parse_options *options, struct arena *arena)
{
    const struct token *first = tokens->list.items;
    return (struct parser){
        .text = text,
        .token = first,
        .first = first,
        .end = first + tokens->list.count - 1,
        .arena = arena,
        .options = options,
        .dialect = options->dialect,
    };
}

static const struct parse_error out_of_memory = {
    .code = DIAG_TOO_LARGE,
    .message = {"the statement needs more memory than allowed", 44},
};

/* Lexes the text from `pos`; false when out of memory, for then the tokens have no end. */
static bool lex(str_t text, size_t *pos, const struct parse_options *options, struct arena *arena,
                struct tokens *tokens, struct parse_error *error)
{
    *pos = lex_statement(text, *pos, options, arena, tokens);
    if (!arena->failed && tokens->list.count > 0)
        return true;
    *error = out_of_memory;
    return false;
}

static void expect_end(struct parser *p)
{
    if (!p->failed && !at(p, TOKEN_END))
        parse_fail_end(p, STR("the end of the statement"));
}

static struct stmt *new_broken(struct parser *p)
{
    struct stmt *stmt = ARENA_NEW(p->arena, struct stmt);
    const struct token *last = p->end > p->first ? p->end - 1 : p->end;
    if (stmt != NULL) {
        stmt->kind = STMT_BROKEN;
        stmt->span = (span_t){p->first->start, last->end};
    }
    return stmt;
}

/* Whether only a run shows what the statement is: EXECUTE IMMEDIATE anything, or nothing but a
 * variable. */
static bool is_dynamic(struct parser *p)
{
    if (at(p, TOKEN_VARIABLE))
        return peek_at(p, 1) == p->end;
    if (!at_word(p, KW_EXECUTE) || p->end - p->token < 3)
        return false;
    return str_eq_fold(token_text(p, peek_at(p, 1)), STR("immediate")) &&
           peek_at(p, 2)->word != KW_USING;
}

/* Neither engine knows such statements, but procedural scripts and shell scripts have them. */
static struct stmt *dynamic_statement(struct parser *p)
{
    const struct token *first = p->token;
    p->token = p->end;
    return new_stmt(p, STMT_DYNAMIC, ARENA_NEW(p->arena, struct object_stmt), first);
}

static struct stmt *parse_one(struct parser *p)
{
    if (is_dynamic(p))
        return dynamic_statement(p);
    return p->dialect == DIALECT_HIVE ? hive_parse_statement(p) : impala_parse_statement(p);
}

/* Takes the hints out; false when there is none. */
static bool drop_hints(struct tokens *tokens)
{
    uint32_t kept = 0, count = tokens->list.count;
    for (uint32_t i = 0; i < count; i++)
        if (tokens->list.items[i].kind != TOKEN_HINT)
            tokens->list.items[kept++] = tokens->list.items[i];
    tokens->list.count = kept;
    return kept < count;
}

/* Hive takes hints in few places; elsewhere they are the comments that they look like. */
static void read_without_hints(struct parser *p, struct tokens *tokens, struct parsed *out)
{
    if (p->dialect != DIALECT_HIVE || p->error.code != DIAG_SYNTAX || !drop_hints(tokens))
        return;
    out->tokens = (struct tokens){0};
    struct parser again = parser_over(p->text, tokens, p->options, p->arena);
    struct stmt *stmt = parse_one(&again);
    expect_end(&again);
    if (!again.failed)
        *out = (struct parsed){.stmt = stmt};
}

static void read_statement(struct script_reader *reader, size_t start, struct arena *arena,
                           struct parsed *out)
{
    struct tokens tokens = {.unclosed = reader->unclosed};
    size_t pos = start;
    bool lexed = lex(reader->text, &pos, &reader->options, arena, &tokens, &out->error);
    reader->pos = pos;
    reader->unclosed = tokens.unclosed;
    if (!lexed)
        return;
    struct parser p = parser_over(reader->text, &tokens, &reader->options, arena);
    out->stmt = parse_one(&p);
    expect_end(&p);
    out->tokens = tokens;
    if (!p.failed)
        return;
    out->error = p.error;
    out->stmt = new_broken(&p);
    read_without_hints(&p, &tokens, out);
}

/* The place of the next statement or command: behind blanks, comments and lone semicolons. */
static size_t skip_empty(const struct script_reader *reader)
{
    size_t pos = lex_skip_blanks(reader->text, reader->pos, reader->options.dialect);
    while (pos < reader->text.len && reader->text.ptr[pos] == ';')
        pos = lex_skip_blanks(reader->text, pos + 1, reader->options.dialect);
    return pos;
}

/* Places are 32 bits wide. */
static bool is_too_long(str_t text)
{
    return text.len >= UINT32_MAX;
}

void script_reader_init(struct script_reader *reader, str_t text,
                        const struct parse_options *options)
{
    *reader = (struct script_reader){.text = text, .options = *options};
}

bool script_reader_next(struct script_reader *reader, struct arena *arena, struct parsed *out)
{
    *out = (struct parsed){0};
    if (is_too_long(reader->text) && reader->pos < reader->text.len) {
        reader->pos = reader->text.len;
        out->error = (struct parse_error){.code = DIAG_TOO_LARGE,
                                          .message = STR("the text is longer than 4 GB")};
        return true;
    }
    size_t start = skip_empty(reader);
    if (start >= reader->text.len) {
        reader->pos = reader->text.len;
        return false;
    }
    str_t word = command_word(reader, start);
    if (word.len > 0)
        read_command(reader, start, word, arena, out);
    else
        read_statement(reader, start, arena, out);
    /* A tree with holes is none. */
    if (arena->failed)
        *out = (struct parsed){.error = out_of_memory};
    return true;
}

/* ---- pieces ---- */

struct query *parse_query_text(str_t text, const struct parse_options *options, struct arena *arena,
                               struct parse_error *error)
{
    struct tokens tokens = {0};
    size_t pos = 0;
    *error = (struct parse_error){0};
    if (!lex(text, &pos, options, arena, &tokens, error))
        return NULL;
    struct parser p = parser_over(text, &tokens, options, arena);
    struct query *query = parse_query(&p);
    expect_end(&p);
    *error = arena->failed ? out_of_memory : p.error;
    return p.failed || arena->failed ? NULL : query;
}

struct type *parse_type_text(str_t text, enum dialect dialect, struct arena *arena)
{
    struct parse_options options = {.dialect = dialect};
    struct tokens tokens = {0};
    struct parse_error error;
    size_t pos = 0;
    if (!lex(text, &pos, &options, arena, &tokens, &error))
        return NULL;
    struct parser p = parser_over(text, &tokens, &options, arena);
    struct type *type = parse_type(&p);
    expect_end(&p);
    return p.failed || arena->failed ? NULL : type;
}
