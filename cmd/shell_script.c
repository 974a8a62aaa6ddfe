/* Commands that run SQL: each client's options, and where its SQL comes from when no option brings
 * any. */
#include "shell_script.h"

#include "shell_values.h"

#include <stdlib.h>

enum {
    LONGEST_SQL = 64 << 20 /* of one piece, with variables put in */
};

enum client { CLIENT_NONE, CLIENT_HIVE, CLIENT_BEELINE, CLIENT_IMPALA };

/* A file that a here-document writes. */
struct written {
    str_t name;
    const struct shell_command *command;
    bool used;
};

struct shell_source {
    struct shell_text shell;
    struct shell_values values;
    struct shell_result result;  /* of a SQL text */
    struct shell_result scratch; /* of words */
    VEC(struct written) written;
    VEC(struct shell_sql) found;
};

/* A call of a client, while its words are gone through. */
struct call {
    struct shell_source *source;
    const struct shell_command *command;
    const struct shell_command *before; /* whose output it reads; NULL: none */
    enum client client;
    uint32_t next; /* word */
    VEC(struct define) defines;
    str_t database;
    VEC(struct shell_range) texts, files;
};

static str_t slice(const struct shell_source *s, struct shell_range range)
{
    return shell_slice(&s->shell, range);
}

/* What a word comes to, kept. */
static str_t word_text(struct shell_source *s, struct shell_range word, uint32_t at)
{
    shell_expand_word(&s->values, word, at, &s->scratch);
    return arena_copy(&s->shell.arena, buf_str(&s->scratch.text));
}

/* ---- what was found ---- */

/* How many blanks the text begins with. */
static uint32_t blank_bytes(str_t text)
{
    uint32_t count = 0;
    while (count < text.len && (shell_is_blank(text.ptr[count]) || text.ptr[count] == '\n'))
        count++;
    return count;
}

static void add_found(struct shell_source *s, const struct call *call, colline_dialect dialect,
                      bool guessed)
{
    struct shell_result *result = &s->result;
    if (result->text.failed || str_trim(buf_str(&result->text)).len == 0)
        return;
    size_t size = result->pieces.count * sizeof(colline_piece);
    colline_piece *pieces = need(arena_alloc(&s->shell.arena, size));
    memcpy(pieces, result->pieces.items, size);
    str_t text = arena_copy(&s->shell.arena, buf_str(&result->text));
    struct shell_sql *sql = need(VEC_PUSH(&s->shell.arena, &s->found));
    *sql = (struct shell_sql){
        .dialect = dialect,
        .guessed = guessed,
        .at = pieces[0].start + (pieces[0].exact ? blank_bytes(text) : 0),
        .text = text,
        .pieces = pieces,
        .piece_count = result->pieces.count,
    };
    if (call == NULL)
        return;
    sql->database = call->database;
    sql->defines = call->defines.items;
    sql->define_count = call->defines.count;
}

static colline_dialect dialect_of(enum client client)
{
    return client == CLIENT_IMPALA ? COLLINE_IMPALA : COLLINE_HIVE;
}

static void take_text(struct call *call, struct shell_range word)
{
    struct shell_source *s = call->source;
    shell_expand_word(&s->values, word, call->command->end, &s->result);
    add_found(s, call, dialect_of(call->client), false);
}

static void take_here(struct call *call, const struct shell_command *command)
{
    struct shell_source *s = call->source;
    shell_expand_here(&s->values, command, &s->result);
    add_found(s, call, dialect_of(call->client), false);
}

static struct written *find_written(struct shell_source *s, struct shell_range word)
{
    for (uint32_t i = 0; i < s->written.count; i++)
        if (str_eq(s->written.items[i].name, slice(s, word)))
            return &s->written.items[i];
    return NULL;
}

/* `-f FILE`: what a here-document wrote into it, or else a script that sources it. */
static void take_file(struct call *call, struct shell_range word)
{
    struct shell_source *s = call->source;
    struct written *written = find_written(s, word);
    if (written != NULL) {
        written->used = true;
        take_here(call, written->command);
        return;
    }
    str_t name = word_text(s, word, call->command->end);
    struct shell_result *result = &s->result;
    buf_clear(&result->text);
    result->pieces.count = 0;
    *(colline_piece *)need(VEC_PUSH(result->arena, &result->pieces)) =
        (colline_piece){0, word.start, word.end, false};
    BUF_ADD(&result->text, "source ");
    buf_add(&result->text, name);
    add_found(s, call, dialect_of(call->client), false);
}

/* ---- clients ---- */

/* The name of the program: a path's last part; of a variable that holds a command line, its first
 * word. */
static str_t program_of(str_t word)
{
    size_t end = 0;
    while (end < word.len && !shell_is_blank(word.ptr[end]))
        end++;
    size_t start = end;
    while (start > 0 && word.ptr[start - 1] != '/')
        start--;
    return str_make(word.ptr + start, end - start);
}

static enum client client_of(str_t word)
{
    static const struct {
        str_t name;
        enum client client;
    } names[] = {
        {STR("hive"), CLIENT_HIVE},
        {STR("${hive}"), CLIENT_HIVE},
        {STR("${hive_cmd}"), CLIENT_HIVE},
        {STR("${hive_bin}"), CLIENT_HIVE},
        {STR("beeline"), CLIENT_BEELINE},
        {STR("${beeline}"), CLIENT_BEELINE},
        {STR("${beeline_cmd}"), CLIENT_BEELINE},
        {STR("impala-shell"), CLIENT_IMPALA},
        {STR("impala-shell.sh"), CLIENT_IMPALA},
        {STR("${impala}"), CLIENT_IMPALA},
        {STR("${impala_shell}"), CLIENT_IMPALA},
        {STR("${impala_cmd}"), CLIENT_IMPALA},
    };
    str_t program = program_of(word);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (str_eq_fold(program, names[i].name))
            return names[i].client;
    return CLIENT_NONE;
}

/* Programs that run the command in their arguments. */
static bool runs_another(str_t word)
{
    static const str_t words[] = {{"sudo", 4},    {"nohup", 5}, {"env", 3},
                                  {"exec", 4},    {"nice", 4},  {"time", 4},
                                  {"timeout", 7}, {"su", 2},    {"command", 7}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (str_eq(word, words[i]))
            return true;
    return false;
}

static bool is_assignment(str_t word)
{
    size_t sign = str_find(word, '=', 0);
    size_t quote = str_find(word, '"', 0);
    return sign > 0 && sign < word.len && sign < quote && word.ptr[0] != '-' && word.ptr[0] != '$';
}

/* Finds the client among the words: the first one, or behind a program that runs it. */
static bool find_client(struct call *call)
{
    bool wrapped = false;
    struct shell_source *s = call->source;
    for (uint32_t i = 0; i < call->command->words.count; i++) {
        struct shell_range range = call->command->words.items[i];
        if (is_assignment(slice(s, range)))
            continue;
        str_t word = word_text(s, range, call->command->end);
        call->client = client_of(word);
        call->next = i + 1;
        if (call->client != CLIENT_NONE)
            return true;
        wrapped |= runs_another(program_of(word));
        if (!wrapped)
            return false;
    }
    return false;
}

/* ---- options ---- */

static bool has_next(const struct call *call)
{
    return call->next < call->command->words.count;
}

static void take_define(struct call *call, str_t value)
{
    size_t sign = str_find(value, '=', 0);
    if (sign == 0 || sign >= value.len)
        return;
    struct define *define = need(VEC_PUSH(&call->source->shell.arena, &call->defines));
    *define = (struct define){str_make(value.ptr, sign),
                              str_make(value.ptr + sign + 1, value.len - sign - 1)};
}

/* ${hiveconf:x} is read by its whole name. */
static void take_conf(struct call *call, str_t value)
{
    take_define(call, arena_join(&call->source->shell.arena, STR("hiveconf:"), value));
}

/* jdbc:hive2://host:port/db;more */
static void take_url(struct call *call, str_t url)
{
    if (!str_starts_with(url, STR("jdbc:")) || url.len < 15)
        return;
    size_t slash = str_find(url, '/', sizeof "jdbc:hive2://" - 1);
    size_t start = slash < url.len ? slash + 1 : url.len, end = start;
    while (end < url.len && memchr(";?#", url.ptr[end], 3) == NULL)
        end++;
    str_t name = str_make(url.ptr + start, end - start);
    if (str_find(name, '$', 0) == name.len)
        call->database = name;
}

enum meaning {
    MEANS_NOTHING,
    MEANS_TEXT,
    MEANS_FILE,
    MEANS_VARIABLE,
    MEANS_SETTING,
    MEANS_DATABASE,
    MEANS_URL
};

struct client_option {
    str_t name;
    enum meaning meaning;
    bool clients[4]; /* by enum client */
};

static enum meaning meaning_of(const struct call *call, str_t name)
{
    static const struct client_option names[] = {
        {STR("-e"), MEANS_TEXT, {false, true, true, false}},
        {STR("-Se"), MEANS_TEXT, {false, true, false, false}},
        {STR("-q"), MEANS_TEXT, {false, false, false, true}},
        {STR("--query"), MEANS_TEXT, {false, false, false, true}},
        {STR("-f"), MEANS_FILE, {false, true, true, true}},
        {STR("--query_file"), MEANS_FILE, {false, false, false, true}},
        {STR("--hivevar"), MEANS_VARIABLE, {false, true, true, false}},
        {STR("-hivevar"), MEANS_VARIABLE, {false, true, true, false}},
        {STR("--define"), MEANS_VARIABLE, {false, true, false, false}},
        {STR("-d"), MEANS_VARIABLE, {false, true, false, false}},
        {STR("--var"), MEANS_VARIABLE, {false, false, false, true}},
        {STR("--hiveconf"), MEANS_SETTING, {false, true, true, false}},
        {STR("-hiveconf"), MEANS_SETTING, {false, true, true, false}},
        {STR("--database"), MEANS_DATABASE, {false, true, false, true}},
        {STR("-database"), MEANS_DATABASE, {false, true, false, false}},
        {STR("-d"), MEANS_DATABASE, {false, false, false, true}},
        {STR("-u"), MEANS_URL, {false, false, true, false}},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (str_eq(name, names[i].name) && names[i].clients[call->client])
            return names[i].meaning;
    return MEANS_NOTHING;
}

static void take_setting(struct call *call, enum meaning meaning, str_t value)
{
    if (meaning == MEANS_VARIABLE)
        take_define(call, value);
    else if (meaning == MEANS_SETTING)
        take_conf(call, value);
    else if (meaning == MEANS_DATABASE && str_find(value, '$', 0) == value.len)
        call->database = value;
    else if (meaning == MEANS_URL)
        take_url(call, value);
}

static void take_value(struct call *call, enum meaning meaning, struct shell_range word)
{
    struct arena *arena = &call->source->shell.arena;
    if (meaning == MEANS_TEXT)
        *(struct shell_range *)need(VEC_PUSH(arena, &call->texts)) = word;
    else if (meaning == MEANS_FILE)
        *(struct shell_range *)need(VEC_PUSH(arena, &call->files)) = word;
    else
        take_setting(call, meaning, word_text(call->source, word, call->command->end));
}

static str_t next_part(str_t *rest)
{
    size_t start = 0;
    while (start < rest->len && shell_is_blank(rest->ptr[start]))
        start++;
    size_t end = start;
    while (end < rest->len && !shell_is_blank(rest->ptr[end]))
        end++;
    str_t part = str_make(rest->ptr + start, end - start);
    *rest = str_make(rest->ptr + end, rest->len - end);
    return part;
}

/* hive="hive -S --database ads": settings that a variable brings with the program's name. */
static void take_settings_of(struct call *call, str_t words)
{
    next_part(&words);
    for (str_t part = next_part(&words); part.len > 0; part = next_part(&words)) {
        size_t sign = str_starts_with(part, STR("--")) ? str_find(part, '=', 0) : part.len;
        enum meaning meaning = meaning_of(call, str_make(part.ptr, sign));
        if (meaning == MEANS_NOTHING)
            continue;
        take_setting(call, meaning,
                     sign < part.len ? str_make(part.ptr + sign + 1, part.len - sign - 1)
                                     : next_part(&words));
    }
}

/* One option, its value in the same word (--query=..) or in the next. */
static void take_option(struct call *call)
{
    struct shell_range word = call->command->words.items[call->next++];
    str_t text = slice(call->source, word);
    size_t sign = str_starts_with(text, STR("--")) ? str_find(text, '=', 0) : text.len;
    enum meaning meaning = meaning_of(call, str_make(text.ptr, sign));
    if (meaning == MEANS_NOTHING)
        return;
    if (sign < text.len)
        take_value(call, meaning, (struct shell_range){word.start + (uint32_t)sign + 1, word.end});
    else if (has_next(call))
        take_value(call, meaning, call->command->words.items[call->next++]);
}

/* ---- SQL that comes by standard input ---- */

/* echo 'select ..' | */
static void take_echo(struct call *call)
{
    struct shell_source *s = call->source;
    const struct shell_command *echo = call->before;
    uint32_t text = 1;
    while (text < echo->words.count && slice(s, echo->words.items[text]).ptr[0] == '-')
        text++;
    if (text + 1 == echo->words.count)
        take_text(call, echo->words.items[text]);
}

static void take_pipe(struct call *call)
{
    struct shell_source *s = call->source;
    const struct shell_command *before = call->before;
    if (before->words.count == 0)
        return;
    str_t word = slice(s, before->words.items[0]);
    if (str_eq(word, STR("echo")))
        take_echo(call);
    else if (str_eq(word, STR("cat")) && before->here_doc.end > 0)
        take_here(call, before);
    else if (str_eq(word, STR("cat")) && before->words.count == 2)
        take_file(call, before->words.items[1]);
}

static void take_standard_input(struct call *call)
{
    const struct shell_command *command = call->command;
    if (command->here_doc.end > 0)
        take_here(call, command);
    else if (command->here_string.end > 0)
        take_text(call, command->here_string);
    else if (command->in_file.end > 0)
        take_file(call, command->in_file);
    else if (call->before != NULL)
        take_pipe(call);
}

/* ---- commands ---- */

static bool is_sql_file(str_t name)
{
    static const str_t endings[] = {{".hql", 4}, {".sql", 4}, {".q", 2}, {".ddl", 4}};
    while (name.len > 0 && (name.ptr[name.len - 1] == '"' || name.ptr[name.len - 1] == '\''))
        name.len--;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (str_ends_with(name, endings[i]))
            return true;
    return false;
}

/* `cat > FILE <<EOF`, `tee FILE <<EOF` */
static void note_written(struct shell_source *s, const struct shell_command *command)
{
    if (command->here_doc.end == 0 || command->words.count == 0)
        return;
    str_t word = slice(s, command->words.items[0]);
    struct shell_range file = command->out_file;
    if (str_eq(word, STR("tee")))
        file = command->words.items[command->words.count - 1];
    else if (!str_eq(word, STR("cat")))
        return;
    if (file.end == 0)
        return;
    struct written *written = need(VEC_PUSH(&s->shell.arena, &s->written));
    *written = (struct written){slice(s, file), command, false};
}

static void take_command(struct shell_source *s, const struct shell_command *command,
                         const struct shell_command *before)
{
    struct call call = {.source = s, .command = command, .before = command->piped ? before : NULL};
    if (!find_client(&call))
        return;
    take_settings_of(&call, word_text(s, command->words.items[call.next - 1], command->end));
    while (has_next(&call))
        take_option(&call);
    for (uint32_t i = 0; i < call.texts.count; i++)
        take_text(&call, call.texts.items[i]);
    for (uint32_t i = 0; i < call.files.count; i++)
        take_file(&call, call.files.items[i]);
    if (call.texts.count == 0 && call.files.count == 0)
        take_standard_input(&call);
}

/* Files that no client was seen to read, where their names say that they hold SQL. */
static void take_unused(struct shell_source *s, const struct written *written)
{
    if (written->used || !is_sql_file(written->name))
        return;
    char *name = need_copy_of(written->name);
    name[strcspn(name, "\"'")] = '\0';
    colline_dialect dialect;
    bool told = dialect_of_path(name, &dialect);
    free(name);
    shell_expand_here(&s->values, written->command, &s->result);
    add_found(s, NULL, dialect, !told);
}

static int by_place(const void *a, const void *b)
{
    const struct shell_sql *left = a, *right = b;
    return left->at < right->at ? -1 : left->at > right->at;
}

bool is_shell_script(const char *path, str_t text)
{
    str_t name = str_of(path), line = str_make(text.ptr, str_find(text, '\n', 0));
    if (str_ends_with(name, STR(".sh")) || str_ends_with(name, STR(".bash")) ||
        str_ends_with(name, STR(".ksh")))
        return true;
    if (!str_starts_with(line, STR("#!")))
        return false;
    str_t command = str_trim(str_make(line.ptr + 2, line.len - 2));
    return str_ends_with(command, STR("sh")) || str_ends_with(program_of(command), STR("sh"));
}

struct shell_script shell_script_read(str_t text)
{
    struct shell_source *s = need_alloc(sizeof *s);
    shell_text_init(&s->shell, text);
    shell_read(&s->shell, (struct shell_range){0, (uint32_t)text.len});
    shell_values_init(&s->values, &s->shell);
    s->result.arena = s->scratch.arena = &s->shell.arena;
    buf_init(&s->result.text, LONGEST_SQL);
    buf_init(&s->scratch.text, LONGEST_SQL);
    const struct shell_command *commands = s->shell.commands.items;
    for (uint32_t i = 0; i < s->shell.commands.count; i++)
        note_written(s, &commands[i]);
    for (uint32_t i = 0; i < s->shell.commands.count; i++)
        take_command(s, &commands[i], i == 0 ? NULL : &commands[i - 1]);
    for (uint32_t i = 0; i < s->written.count; i++)
        take_unused(s, &s->written.items[i]);
    if (s->found.count > 1)
        qsort(s->found.items, s->found.count, sizeof *s->found.items, by_place);
    return (struct shell_script){s->found.items, s->found.count, s};
}

void shell_script_release(struct shell_script *script)
{
    buf_release(&script->source->result.text);
    buf_release(&script->source->scratch.text);
    shell_text_release(&script->source->shell);
    free(script->source);
}
