/* The analyzer of the public header: checks arguments, calls the stages, hands results out. catalog_api.c has the catalog's part. */
#include "colline.h"

#include "doc/doc.h"
#include "fingerprint/fingerprint.h"
#include "flow/analyze.h"
#include "fingerprint/literals.h"
#include "flow/refill.h"
#include "flow/substitute.h"
#include "handles.h"

#include <stdlib.h>

enum {
    FLUSH_AT = 64 * 1024 /* bytes of finished output that are handed on at once */
};

/* The script that a sourced file interrupted. */
struct including {
    struct script_reader reader;
    const struct substitution *outer;
    str_t file;
};

struct colline_analyzer {
    struct analysis analysis;
    const colline_catalog *catalog;
    struct analysis_options options; /* for the next script */
    struct arena own;                /* the database's name */
    struct arena reuse;              /* the statement that colline_reuse gave last */
    struct arena script;             /* the stack of interrupted scripts, until the next begin */
    VEC(struct including) including;
    str_t outer;                     /* the text that the script stands in: itself, or what colline_begin_inside was told */
    str_t file;                      /* name of the sourced file that is being read */
    struct line_cursor lines;
    bool begun, has_current;         /* current: the analysis' statement, which the caller has in hand */
    struct doc_writer writer;
    bool writing;
    colline_write write;
    void *write_context;
};

const char *colline_version(void)
{
    return COLLINE_VERSION;
}

bool colline_format_by_name(const char *name, size_t len, colline_format *format)
{
    enum doc_format found;
    if (name == NULL || format == NULL || !doc_format_find(str_make(name, len), &found))
        return false;
    *format = (colline_format)found;
    return true;
}

colline_analyzer *colline_analyzer_new(const colline_catalog *catalog, size_t memory_limit)
{
    colline_analyzer *an = calloc(1, sizeof *an);
    if (an == NULL)
        return NULL;
    an->catalog = catalog;
    analysis_init(&an->analysis, catalog == NULL ? NULL : catalog->catalog, memory_limit, NULL);
    arena_init(&an->own, memory_limit, NULL);
    arena_init(&an->reuse, memory_limit, NULL);
    arena_init(&an->script, memory_limit, NULL);
    doc_writer_init(&an->writer, memory_limit, NULL);
    return an;
}

void colline_analyzer_free(colline_analyzer *an)
{
    if (an == NULL)
        return;
    analysis_release(&an->analysis);
    arena_release(&an->own);
    arena_release(&an->reuse);
    arena_release(&an->script);
    doc_writer_release(&an->writer);
    free(an);
}

void colline_set_dialect(colline_analyzer *an, colline_dialect dialect)
{
    if (an != NULL)
        an->options.dialect = inner_dialect(dialect);
}

void colline_set_reading(colline_analyzer *an, colline_reading reading)
{
    if (an != NULL)
        an->options.reading = reading == COLLINE_READING_ENGINE ? READING_ENGINE : READING_VALUE;
}

void colline_set_expand_complex_types(colline_analyzer *an, bool expand)
{
    if (an != NULL)
        an->options.expand_complex_types = expand;
}

void colline_set_parse_only(colline_analyzer *an, bool parse_only)
{
    if (an != NULL)
        an->options.parse_only = parse_only;
}

void colline_set_look(colline_analyzer *an, bool colour, uint32_t width)
{
    if (an != NULL)
        an->writer.script.look = (struct look){colour, width};
}

colline_status colline_set_database(colline_analyzer *an, const char *name, size_t len)
{
    if (an == NULL || (name == NULL && len > 0))
        return COLLINE_BAD_ARGUMENT;
    an->options.database = STR("");
    arena_clear(&an->own);
    an->options.database = name_str(arena_name(&an->own, arena_copy(&an->own, str_make(name, len))));
    return an->own.failed ? COLLINE_NO_MEMORY : COLLINE_OK;
}

static void read_text(colline_analyzer *an, str_t file, str_t text)
{
    an->file = file;
    lines_init(&an->lines, text);
    if (an->writing)
        doc_set_text(&an->writer, file, text);
}

colline_status colline_begin(colline_analyzer *an, const char *text, size_t len)
{
    if (an == NULL || (text == NULL && len > 0) || len >= UINT32_MAX)
        return COLLINE_BAD_ARGUMENT;
    str_t script = str_make(text == NULL ? "" : text, len);
    arena_clear(&an->script);
    an->including.items = NULL;
    an->including.count = an->including.capacity = 0;
    an->has_current = an->writing = false;
    an->outer = script;
    read_text(an, STR(""), script);
    an->begun = analysis_begin(&an->analysis, script, &an->options);
    return an->begun ? COLLINE_OK : COLLINE_NO_MEMORY;
}

/* Copies the pieces, in the library's own shape, for as long as the script is read. */
static bool copy_pieces(colline_analyzer *an, const colline_piece *pieces, size_t count)
{
    struct substitution *outer = ARENA_NEW(&an->script, struct substitution);
    for (size_t i = 0; outer != NULL && i < count; i++) {
        struct text_piece *piece = VEC_PUSH(&an->script, &outer->pieces);
        if (piece != NULL)
            *piece = (struct text_piece){pieces[i].at, pieces[i].start, pieces[i].end, !pieces[i].exact};
    }
    an->analysis.outer = outer;
    return !an->script.failed;
}

colline_status colline_begin_inside(colline_analyzer *an, const char *text, size_t len, const char *outer, size_t outer_len,
                                    const colline_piece *pieces, size_t count)
{
    if ((outer == NULL && outer_len > 0) || outer_len >= UINT32_MAX || pieces == NULL || count == 0 || count >= UINT32_MAX)
        return COLLINE_BAD_ARGUMENT;
    colline_status status = colline_begin(an, text, len);
    if (status != COLLINE_OK)
        return status;
    an->outer = str_make(outer == NULL ? "" : outer, outer_len);
    read_text(an, STR(""), an->outer);
    an->begun = copy_pieces(an, pieces, count);
    return an->begun ? COLLINE_OK : COLLINE_NO_MEMORY;
}

void colline_set_line(colline_analyzer *an, uint32_t at, uint32_t line)
{
    if (an != NULL && an->begun)
        lines_start(&an->lines, at, line);
}

colline_status colline_define(colline_analyzer *an, const char *key, size_t key_len, const char *value, size_t value_len)
{
    if (an == NULL || !an->begun || key == NULL || (value == NULL && value_len > 0))
        return COLLINE_BAD_ARGUMENT;
    return analysis_define(&an->analysis, str_make(key, key_len), str_make(value, value_len)) ? COLLINE_OK : COLLINE_NO_MEMORY;
}

/* Back to the script that sourced the file which has just ended; what the file set stays set. */
static bool end_include(colline_analyzer *an)
{
    if (an->including.count == 0)
        return false;
    struct including outer = an->including.items[--an->including.count];
    struct parse_options options = an->analysis.reader.options;
    an->analysis.reader = outer.reader;
    an->analysis.reader.options = options;
    an->analysis.outer = outer.outer;
    read_text(an, outer.file, an->including.count == 0 ? an->outer : outer.reader.text);
    return true;
}

const colline_statement *colline_next(colline_analyzer *an)
{
    if (an == NULL || !an->begun)
        return NULL;
    const struct doc_statement *st;
    do
        st = analysis_next(&an->analysis);
    while (st == NULL && end_include(an));
    an->has_current = st != NULL;
    if (st == NULL)
        return NULL;
    lines_mark(&an->lines, st->span.start);
    return (const colline_statement *)st;
}

colline_status colline_include(colline_analyzer *an, const char *name, size_t name_len, const char *text, size_t len)
{
    if (an == NULL || !an->has_current || name == NULL || (text == NULL && len > 0) || len >= UINT32_MAX)
        return COLLINE_BAD_ARGUMENT;
    struct including *outer = VEC_PUSH(&an->script, &an->including);
    if (outer == NULL)
        return COLLINE_NO_MEMORY;
    *outer = (struct including){an->analysis.reader, an->analysis.outer, an->file};
    an->analysis.outer = NULL;
    an->analysis.reader.text = str_make(text == NULL ? "" : text, len);
    an->analysis.reader.pos = 0;
    an->has_current = false;
    read_text(an, str_make(name, name_len), an->analysis.reader.text);
    return COLLINE_OK;
}

size_t colline_include_depth(const colline_analyzer *an)
{
    return an == NULL ? 0 : an->including.count;
}

static bool find_code(str_t text, enum diag_code *code)
{
    for (unsigned i = 0; i < DIAG_CODE_COUNT; i++) {
        if (str_eq(diag_code_text((enum diag_code)i), text)) {
            *code = (enum diag_code)i;
            return true;
        }
    }
    return false;
}

colline_text colline_code_meaning(const char *code, size_t len)
{
    enum diag_code known;
    str_t meaning = code != NULL && find_code(str_make(code, len), &known) ? diag_code_meaning(known) : STR("");
    return (colline_text){meaning.ptr, meaning.len};
}

colline_status colline_add_diagnostic(colline_analyzer *an, const char *code, const char *message, size_t len)
{
    enum diag_code known;
    if (an == NULL || !an->has_current || code == NULL || message == NULL || !find_code(str_make(code, strlen(code)), &known))
        return COLLINE_BAD_ARGUMENT;
    struct arena *arena = &an->analysis.arena;
    diag_add(arena, &an->analysis.statement.diags, known, an->analysis.statement.span, arena_copy(arena, str_make(message, len)));
    return arena->failed ? COLLINE_NO_MEMORY : COLLINE_OK;
}

void colline_position(colline_analyzer *an, uint32_t at, uint32_t *line, uint32_t *column)
{
    if (an == NULL || line == NULL || column == NULL)
        return;
    struct line_column place = lines_find(&an->lines, at);
    *line = place.line;
    *column = place.column;
}

colline_status colline_parse(colline_analyzer *an, const char *text, size_t len, size_t *statements, size_t *errors)
{
    if (an == NULL || (text == NULL && len > 0) || len >= UINT32_MAX)
        return COLLINE_BAD_ARGUMENT;
    struct arena *arena = &an->analysis.arena;
    struct parse_options options = {.dialect = an->options.dialect};
    struct script_reader reader;
    struct parsed parsed = {0};
    size_t count = 0, failed = 0;
    bool memory_out = false;
    an->begun = an->has_current = false;
    script_reader_init(&reader, str_make(text, len), &options);
    for (arena_clear(arena); script_reader_next(&reader, arena, &parsed); arena_clear(arena)) {
        count++;
        failed += parsed.error.message.len > 0;
        memory_out |= arena->failed;
    }
    if (statements != NULL)
        *statements = count;
    if (errors != NULL)
        *errors = failed;
    return memory_out ? COLLINE_NO_MEMORY : COLLINE_OK;
}

size_t colline_memory_used(const colline_analyzer *an)
{
    if (an == NULL)
        return 0;
    return sizeof *an + an->analysis.session.held + an->analysis.arena.held + an->own.held + an->script.held + an->writer.arena.held +
           an->writer.scratch.used + an->writer.out.capacity;
}

/* Hands finished output to the caller once there is enough of it. */
static colline_status flush(colline_analyzer *an, size_t at_least)
{
    struct doc_writer *w = &an->writer;
    if (doc_writer_failed(w)) {
        an->writing = false;
        return COLLINE_NO_MEMORY;
    }
    if (w->out.len == 0 || w->out.len < at_least)
        return COLLINE_OK;
    bool taken = an->write(an->write_context, w->out.ptr, w->out.len);
    buf_clear(&w->out);
    if (!taken)
        an->writing = false;
    return taken ? COLLINE_OK : COLLINE_STOPPED;
}

colline_status colline_document_open(colline_analyzer *an, colline_format format, const char *id, size_t id_len, colline_write write,
                                     void *context)
{
    bool known = (unsigned)format < COLLINE_FORMAT_COUNT;
    if (an == NULL || !an->begun || !known || (id == NULL && id_len > 0) || write == NULL)
        return COLLINE_BAD_ARGUMENT;
    struct doc_script script = {
        .id = str_make(id == NULL ? "" : id, id_len),
        .dialect = an->options.dialect,
        .catalog = an->analysis.catalog,
        .look = an->writer.script.look,
    };
    an->write = write;
    an->write_context = context;
    an->writing = true;
    doc_open(&an->writer, (enum doc_format)format, &script);
    doc_set_text(&an->writer, an->file, an->including.count == 0 ? an->outer : an->analysis.reader.text);
    an->writer.lines = an->lines;
    return COLLINE_OK;
}

colline_status colline_document_add(colline_analyzer *an)
{
    if (an == NULL || !an->writing || !an->has_current)
        return COLLINE_BAD_ARGUMENT;
    doc_add(&an->writer, &an->analysis.statement);
    return flush(an, FLUSH_AT);
}

colline_status colline_document_close(colline_analyzer *an)
{
    if (an == NULL || !an->writing)
        return COLLINE_BAD_ARGUMENT;
    doc_close(&an->writer);
    colline_status status = flush(an, 0);
    an->writing = false;
    return status;
}

colline_status colline_write_document(colline_analyzer *an, colline_format format, const char *id, size_t id_len,
                                      colline_write write, void *context)
{
    colline_status status = colline_document_open(an, format, id, id_len, write, context);
    while (status == COLLINE_OK && colline_next(an) != NULL)
        status = colline_document_add(an);
    return status == COLLINE_OK ? colline_document_close(an) : status;
}

static void write_hex(char hex[33], const uint64_t words[2])
{
    static const char digits[] = "0123456789abcdef";
    for (unsigned i = 0; i < 32; i++)
        hex[i] = digits[words[i / 16] >> (60 - 4 * (i % 16)) & 15];
    hex[32] = '\0';
}

colline_status colline_fingerprint(colline_analyzer *an, const char *text, size_t len, char hex[33])
{
    if (an == NULL || hex == NULL)
        return COLLINE_BAD_ARGUMENT;
    bool parse_only = an->options.parse_only;
    an->options.parse_only = true;
    colline_status status = colline_begin(an, text, len);
    an->options.parse_only = parse_only;
    if (status != COLLINE_OK)
        return status;
    if (colline_next(an) == NULL)
        return COLLINE_BAD_INPUT;
    uint64_t print[2];
    doc_fingerprint(&an->analysis.statement, print);
    write_hex(hex, print);
    return COLLINE_OK;
}

static struct fingerprint current_key(colline_analyzer *an, str_t space)
{
    const struct doc_text *from = &an->analysis.statement.text;
    const str_t expand = an->options.expand_complex_types ? STR("expand_complex_types=true") : STR("expand_complex_types=false");
    const struct lineage_context context = {.options = *from->options,
                                            .engine = an->analysis.options.reading == READING_ENGINE,
                                            .database = an->analysis.statement.database,
                                            .namespace_ = space,
                                            .settings = &expand,
                                            .setting_count = 1};
    struct tokens tokens = doc_tokens(&an->analysis.statement);
    str_t text = str_make(from->text.ptr, from->span.end);
    struct fingerprint print = fingerprint_of(text, &tokens, from->options->dialect, from->arena);
    return lineage_key(text, &tokens, &context, print, from->arena);
}

colline_status colline_statement_lineage_key(colline_analyzer *an, const char *space, size_t space_len, char hex[33])
{
    if (an == NULL || !an->has_current || an->analysis.statement.text.arena == NULL || hex == NULL || (space == NULL && space_len > 0))
        return COLLINE_BAD_ARGUMENT;
    struct fingerprint key = current_key(an, str_make(space == NULL ? "" : space, space_len));
    write_hex(hex, (const uint64_t[]){key.high, key.low});
    return an->analysis.statement.text.arena->failed ? COLLINE_NO_MEMORY : COLLINE_OK;
}

const colline_statement *colline_reuse(colline_analyzer *an, const char *text, size_t len)
{
    if (an == NULL || !an->has_current || an->analysis.statement.text.arena == NULL || text == NULL || len >= UINT32_MAX)
        return NULL;
    const struct doc_text *from = &an->analysis.statement.text;
    str_t after = str_make(text, len);
    bool as_written = from->text.ptr == an->analysis.reader.text.ptr && from->span.start == an->analysis.statement.span.start;
    struct slot_text before_text = {from->text, from->span.start},
                     after_text = {after, lex_skip_blanks(after, 0, from->options->dialect)};
    struct slot_map map;
    arena_clear(&an->reuse);
    if (!as_written || !slots_align(&map, before_text, after_text, from->options, &an->reuse))
        return NULL;
    return (const colline_statement *)document_refill(&map, &an->analysis.statement);
}

size_t colline_literals(colline_analyzer *an, const char *text, size_t len, colline_literal *literals, size_t most, size_t *behind)
{
    if (an == NULL || text == NULL || len >= UINT32_MAX || behind == NULL)
        return SIZE_MAX;
    str_t script = str_make(text, len);
    struct parse_options options = {.dialect = an->options.dialect};
    struct tokens tokens = {0};
    struct literals found = {0};
    arena_clear(&an->reuse);
    *behind = lex_statement(script, lex_skip_blanks(script, 0, options.dialect), &options, &an->reuse, &tokens);
    if (an->reuse.failed || !literals_find(&found, script, &tokens, options.dialect, &an->reuse))
        return SIZE_MAX;
    for (uint32_t i = 0; i < found.list.count && i < most; i++)
        literals[i] = (colline_literal){found.list.items[i].span.start, found.list.items[i].span.end, found.list.items[i].structure};
    return found.list.count;
}
