/*
 * Texts are looked up by all their bytes, then by all but the values of their literals (template.h). The second text of such a form gives the
 * template: the analysis of the text with marks in place of values, if it gives that second text's own document when its values are filled in.
 *
 * The cache has two generations, each with an arena: results go into the young one, and are found in both; when the young one is full the old
 * one is emptied and they change places. So memory is bounded and nothing is freed by itself.
 */
#include "normalize/lineage.h"

#include "normalize/template.h"
#include "run/hash.h"

#include <stdlib.h>

enum {
    ENTRIES_DEFAULT = 20000,
    GENERATION_BYTES = 40 * 1024 * 1024
};

struct cached {
    struct hash128 key;
    uint64_t version; /* of the space when it was made */
    struct lineage_result result;
    const struct template *template; /* of a form: the result is that of the marked text. NULL: none yet, or never */
    bool refused;
    uint64_t first; /* of a form without: the text that was seen */
};

struct generation {
    struct cached **slots; /* open addressing, at most half full */
    uint32_t capacity, count;
    struct arena arena;
};

struct lineage {
    struct generation young, old;
    struct lineage_counts counts;
    struct buf document, script, text;
    struct arena filled; /* results with other values, until the next turn */
    struct slotted slotted, marked;
    struct buf form, marks, spec;
};

/* ---- the cache -------------------------------------------------------------------------------------------------- */

static bool generation_init(struct generation *g, size_t entries)
{
    g->capacity = 16;
    while (g->capacity < entries && g->capacity < 1u << 24)
        g->capacity *= 2;
    g->slots = calloc(g->capacity, sizeof *g->slots);
    arena_init(&g->arena, 0, NULL);
    return g->slots != NULL;
}

static void generation_release(struct generation *g)
{
    free(g->slots);
    arena_release(&g->arena);
}

static struct cached **slot_of(const struct generation *g, struct hash128 key)
{
    uint32_t at = (uint32_t)key.low & (g->capacity - 1);
    while (g->slots[at] != NULL && (g->slots[at]->key.low != key.low || g->slots[at]->key.high != key.high))
        at = (at + 1) & (g->capacity - 1);
    return &g->slots[at];
}

static void grow_old(struct lineage *lineage)
{
    struct generation full = lineage->young;
    lineage->young = lineage->old;
    lineage->old = full;
    arena_release(&lineage->young.arena);
    lineage->young.count = 0;
    memset(lineage->young.slots, 0, lineage->young.capacity * sizeof *lineage->young.slots);
}

/* Where the result for a key goes, in place of what was there; NULL when memory is out. */
static struct cached *place_of(struct lineage *lineage, struct hash128 key)
{
    struct generation *young = &lineage->young;
    struct cached **slot = slot_of(young, key), *made = ARENA_NEW(&young->arena, struct cached);
    if (made == NULL)
        return NULL;
    made->key = key;
    young->count += *slot == NULL;
    return *slot = made;
}

void lineage_turn(struct lineage *lineage)
{
    arena_clear(&lineage->filled);
    if (lineage->young.count >= lineage->young.capacity / 2 || lineage->young.arena.held >= GENERATION_BYTES)
        grow_old(lineage);
}

static bool unchanged(const struct space *space, const str_t *tables, uint32_t count, uint64_t since)
{
    for (uint32_t i = 0; i < count; i++)
        if (space_table_version(space, tables[i]) > since)
            return false;
    return true;
}

/* Whether nothing that the result names has changed since it was made. */
static bool is_fresh(struct cached *cached, const struct space *space)
{
    const struct lineage_result *r = &cached->result;
    if (cached->version == space->version)
        return true;
    if (!unchanged(space, r->inputs, r->input_count, cached->version) || !unchanged(space, r->views, r->view_count, cached->version))
        return false;
    for (uint32_t i = 0; i < r->output_count; i++)
        if (!unchanged(space, &r->outputs[i].table, 1, cached->version))
            return false;
    cached->version = space->version;
    return true;
}

/* Of all but the statement. */
static uint64_t seed_of(const struct space *space, const struct lineage_text *text)
{
    uint64_t seed = hash64(text->database, space->number * 2 + text->hive);
    return text->prelude.len > 0 ? hash64(text->prelude, seed) : seed;
}

static struct hash128 key_of(const struct space *space, const struct lineage_text *text)
{
    return hash128(text->sql, seed_of(space, text));
}

static uint64_t form_seed(const struct space *space, const struct lineage_text *text)
{
    return seed_of(space, text) + 1; /* a form is no text */
}

/* ---- the analysis ----------------------------------------------------------------------------------------------- */

static str_t slice(colline_text text)
{
    return str_make(text.ptr, text.len);
}

static bool append(void *context, const char *bytes, size_t len)
{
    struct buf *out = context;
    buf_add(out, str_make(bytes, len));
    return !out->failed;
}

/* Characters that Hive escapes in the names of partition directories. */
static void add_escaped(struct buf *out, str_t value)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < value.len; i++) {
        char c = value.ptr[i];
        if ((unsigned char)c < 0x20 || c == 0x7f || memchr("\"#%'*/:=?\\{[]^", c, 14) != NULL) {
            buf_add_char(out, '%');
            buf_add_char(out, digits[(unsigned char)c >> 4]);
            buf_add_char(out, digits[(unsigned char)c & 15]);
        } else {
            buf_add_char(out, c);
        }
    }
}

static str_t partition_spec(const colline_output *output, struct buf *scratch, struct arena *arena)
{
    buf_clear(scratch);
    for (size_t i = 0; i < colline_output_partition_count(output); i++) {
        colline_text value;
        if (i > 0)
            buf_add_char(scratch, '/');
        buf_add(scratch, slice(colline_output_partition_key(output, i)));
        buf_add_char(scratch, '=');
        if (colline_output_partition_value(output, i, &value))
            add_escaped(scratch, slice(value));
        else
            buf_add_char(scratch, '*');
    }
    return arena_copy(arena, buf_str(scratch));
}

static void take_outputs(struct lineage *lineage, struct lineage_result *r, const colline_statement *st, struct arena *arena)
{
    size_t count = colline_statement_output_count(st);
    r->outputs = ARENA_ARRAY(arena, struct lineage_output, count);
    for (size_t i = 0; r->outputs != NULL && i < count; i++) {
        const colline_output *output = colline_statement_output(st, i);
        r->outputs[r->output_count++] = (struct lineage_output){
            .table = arena_copy(arena, slice(colline_output_table(output))),
            .path = arena_copy(arena, slice(colline_output_path(output))),
            .mode = arena_copy(arena, slice(colline_output_write_mode(output))),
            .spec = partition_spec(output, &lineage->text, arena),
        };
    }
}

static void take_inputs(struct lineage_result *r, const colline_statement *st, struct arena *arena)
{
    size_t count = colline_statement_input_count(st), views = colline_statement_view_count(st);
    r->inputs = ARENA_ARRAY(arena, str_t, count + 1);
    r->paths = ARENA_ARRAY(arena, str_t, count + 1);
    r->views = ARENA_ARRAY(arena, str_t, views + 1);
    if (r->inputs == NULL || r->paths == NULL || r->views == NULL)
        return;
    for (size_t i = 0; i < count; i++) {
        const colline_dataset *input = colline_statement_input(st, i);
        str_t table = slice(colline_dataset_table(input));
        if (table.len > 0)
            r->inputs[r->input_count++] = arena_copy(arena, table);
        else
            r->paths[r->path_count++] = arena_copy(arena, slice(colline_dataset_path(input)));
    }
    for (size_t i = 0; i < views; i++)
        r->views[r->view_count++] = arena_copy(arena, slice(colline_statement_view(st, i)));
}

/* Notes that say: the catalog did not know. */
static bool is_uncertain(const colline_statement *st)
{
    for (size_t i = 0; i < colline_statement_diagnostic_count(st); i++) {
        str_t code = slice(colline_diagnostic_code(colline_statement_diagnostic(st, i)));
        if (str_starts_with(code, STR("unknown-")) || str_eq(code, STR("open-star")) || str_eq(code, STR("ambiguous-column")))
            return true;
    }
    return false;
}

static void take_error(struct lineage *lineage, struct lineage_result *r, const colline_statement *st, struct arena *arena)
{
    buf_clear(&lineage->text);
    buf_add(&lineage->text, slice(colline_statement_error_code(st)));
    BUF_ADD(&lineage->text, ": ");
    buf_add(&lineage->text, slice(colline_statement_error_message(st)));
    r->error = arena_copy(arena, buf_str(&lineage->text));
}

static void take_statement(struct lineage *lineage, struct lineage_result *r, const colline_statement *st, struct arena *arena)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t print[2];
    r->found = true;
    colline_statement_fingerprint(st, print);
    for (unsigned i = 0; i < 32; i++)
        r->fingerprint[i] = digits[print[i / 16] >> (60 - 4 * (i % 16)) & 15];
    r->type = arena_copy(arena, slice(colline_statement_type(st)));
    r->operation = arena_copy(arena, slice(colline_statement_operation(st)));
    r->dropped = arena_copy(arena, slice(colline_statement_dropped(st)));
    r->uncertain = is_uncertain(st);
    if (colline_statement_failed(st))
        take_error(lineage, r, st, arena);
    take_inputs(r, st, arena);
    take_outputs(lineage, r, st, arena);
}

/* Begins the text, behind what its session made; places are those of the text itself. */
static bool begin(struct lineage *lineage, colline_analyzer *an, const struct lineage_text *text)
{
    if (text->prelude.len == 0)
        return colline_begin(an, text->sql.ptr, text->sql.len) == COLLINE_OK;
    struct buf *script = &lineage->script;
    buf_clear(script);
    buf_add(script, text->prelude);
    buf_add(script, text->sql);
    const colline_piece pieces[] = {{0, 0, 0, false}, {(uint32_t)text->prelude.len, 0, (uint32_t)text->sql.len, true}};
    if (script->failed || colline_begin_inside(an, script->ptr, script->len, text->sql.ptr, text->sql.len, pieces, 2) != COLLINE_OK)
        return false;
    for (uint32_t i = 0; i < text->prelude_statements; i++)
        (void)colline_next(an);
    return true;
}

static bool has_operation(const colline_statement *st)
{
    return !str_eq(slice(colline_statement_operation(st)), STR("none"));
}

/* The statement number `wanted` of the text, 0 the first that has an operation; gives its number, from 1, or 0: there is none. */
static uint32_t find(colline_analyzer *an, struct lineage *lineage, struct lineage_result *r, uint32_t wanted, struct arena *arena)
{
    uint32_t number = 0, found = 0;
    buf_clear(&lineage->document);
    if (colline_document_open(an, COLLINE_JSONL, "", 0, append, &lineage->document) != COLLINE_OK)
        return 0;
    for (const colline_statement *st; (st = colline_next(an)) != NULL;) {
        number++;
        if (found > 0 || (wanted > 0 ? number != wanted : !has_operation(st)))
            continue;
        found = number;
        take_statement(lineage, r, st, arena);
        (void)colline_document_add(an);
    }
    (void)colline_document_close(an);
    r->statements = number;
    return found;
}

/* {"id":…,"statements":[ S ]} */
static str_t statement_of(str_t document)
{
    static const str_t mark = {"\"statements\":[", 14};
    for (size_t at = 0; at + mark.len < document.len; at++)
        if (memcmp(document.ptr + at, mark.ptr, mark.len) == 0) {
            str_t inside = str_make(document.ptr + at + mark.len, document.len - at - mark.len);
            inside = str_trim(inside);
            return inside.len < 2 ? STR("") : str_make(inside.ptr, inside.len - 2);
        }
    return STR("");
}

static bool analyse(struct lineage *lineage, struct space *space, const struct lineage_text *text, struct lineage_result *r,
                    struct arena *arena)
{
    colline_analyzer *an = space->value;
    colline_set_dialect(an, text->hive ? COLLINE_HIVE : COLLINE_IMPALA);
    str_t database = text->database.len > 0 ? text->database : STR("default");
    if (colline_set_database(an, database.ptr, database.len) != COLLINE_OK || !begin(lineage, an, text))
        return false;
    if (find(an, lineage, r, 0, arena) == 0 && r->statements > 0)
        if (!begin(lineage, an, text) || find(an, lineage, r, 1, arena) == 0)
            return false;
    if (r->error.len == 0 && r->found)
        r->document = arena_copy(arena, statement_of(buf_str(&lineage->document)));
    return !lineage->document.failed;
}

static struct cached *find_cached(const struct lineage *lineage, struct hash128 key)
{
    struct cached *there = *slot_of(&lineage->young, key);
    return there != NULL ? there : *slot_of(&lineage->old, key);
}

static bool analyse_into(struct lineage *lineage, struct space *space, const struct lineage_text *text, struct lineage_result *r,
                         struct arena *arena)
{
    if (!analyse(lineage, space, text, r, arena) || arena->failed)
        return false;
    lineage->counts.analysed++;
    lineage->counts.errors += r->error.len > 0;
    return true;
}

/* A new result under the key; NULL when memory is out. */
static const struct lineage_result *analyse_for(struct lineage *lineage, struct space *space, const struct lineage_text *text,
                                                struct hash128 key)
{
    struct cached *place = place_of(lineage, key);
    if (place == NULL)
        return NULL;
    place->version = space->version;
    if (analyse_into(lineage, space, text, &place->result, &lineage->young.arena))
        return &place->result;
    place->result = (struct lineage_result){0};
    place->key = (struct hash128){0, 0};
    return NULL;
}

/* ---- other values ----------------------------------------------------------------------------------------------- */

static str_t fill_spec(struct lineage *lineage, str_t spec, const struct slotted *values)
{
    if (!marks_in(spec))
        return spec;
    buf_clear(&lineage->spec);
    marks_fill(&lineage->spec, spec, values, add_escaped);
    return arena_copy(&lineage->filled, buf_str(&lineage->spec));
}

/* The result for the text with these values; NULL when it must be analysed, or memory is out. */
static const struct lineage_result *fill(struct lineage *lineage, const struct cached *form, const struct slotted *values)
{
    struct lineage_result *r = ARENA_NEW(&lineage->filled, struct lineage_result);
    if (r == NULL)
        return NULL;
    *r = form->result;
    buf_clear(&lineage->document);
    if (!template_fill(form->template, values, &lineage->document))
        return NULL;
    r->document = arena_copy(&lineage->filled, buf_str(&lineage->document));
    r->outputs = ARENA_ARRAY(&lineage->filled, struct lineage_output, r->output_count);
    for (uint32_t i = 0; r->outputs != NULL && i < r->output_count; i++) {
        r->outputs[i] = form->result.outputs[i];
        r->outputs[i].spec = fill_spec(lineage, r->outputs[i].spec, values);
    }
    return lineage->document.failed || lineage->spec.failed || lineage->filled.failed ? NULL : r;
}

static bool same_texts(const str_t *a, uint32_t a_count, const str_t *b, uint32_t b_count)
{
    bool same = a_count == b_count;
    for (uint32_t i = 0; same && i < a_count; i++)
        same = str_eq(a[i], b[i]);
    return same;
}

static bool same_outputs(const struct lineage_result *a, const struct lineage_result *b)
{
    bool same = a->output_count == b->output_count;
    for (uint32_t i = 0; same && i < a->output_count; i++) {
        const struct lineage_output *x = &a->outputs[i], *y = &b->outputs[i];
        same = str_eq(x->table, y->table) && str_eq(x->path, y->path) && str_eq(x->mode, y->mode) && str_eq(x->spec, y->spec);
    }
    return same;
}

static bool same_result(const struct lineage_result *a, const struct lineage_result *b)
{
    return str_eq(a->document, b->document) && memcmp(a->fingerprint, b->fingerprint, sizeof a->fingerprint) == 0 &&
           str_eq(a->type, b->type) && str_eq(a->operation, b->operation) && str_eq(a->dropped, b->dropped) &&
           same_texts(a->inputs, a->input_count, b->inputs, b->input_count) && same_texts(a->paths, a->path_count, b->paths, b->path_count) &&
           same_texts(a->views, a->view_count, b->views, b->view_count) && same_outputs(a, b) && a->uncertain == b->uncertain;
}

/* DDL is not: it is rare, and changes what comes after it. */
static bool may_be_form(const struct lineage_result *r)
{
    static const str_t types[] = {STR("SELECT"), STR("INSERT"), STR("UPSERT"), STR("UPDATE"), STR("DELETE"), STR("MERGE")};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (str_eq(r->type, types[i]))
            return r->found && r->statements == 1 && r->error.len == 0 && r->document.len > 0;
    return false;
}

/* The template of a form, from a text of it whose own result is `made`. What does not come out alike is never tried again. */
static void make_template(struct lineage *lineage, struct space *space, const struct lineage_text *text, const struct lineage_result *made,
                          struct cached *form)
{
    form->refused = true;
    form->version = space->version;
    if (!may_be_form(made) || !slotted_mark(&lineage->slotted, &lineage->marks, &lineage->marked))
        return;
    struct lineage_text marked = *text;
    struct arena *arena = &lineage->young.arena;
    marked.sql = lineage->marked.text;
    if (!analyse(lineage, space, &marked, &form->result, arena) || !may_be_form(&form->result))
        return;
    form->template = template_make(&lineage->marked, form->result.document, arena);
    const struct lineage_result *filled = form->template == NULL ? NULL : fill(lineage, form, &lineage->slotted);
    form->refused = filled == NULL || arena->failed || !same_result(filled, made);
}

/* A result for now only, for what comes next has other values. NULL when memory is out. */
static const struct lineage_result *analyse_once(struct lineage *lineage, struct space *space, const struct lineage_text *text)
{
    struct lineage_result *r = ARENA_NEW(&lineage->filled, struct lineage_result);
    return r != NULL && analyse_into(lineage, space, text, r, &lineage->filled) ? r : NULL;
}

/* The second text of a form, or the first since a table changed. */
static const struct lineage_result *analyse_form(struct lineage *lineage, struct space *space, const struct lineage_text *text,
                                                 struct hash128 key)
{
    const struct lineage_result *r = analyse_once(lineage, space, text);
    struct cached *form = r == NULL ? NULL : place_of(lineage, key);
    if (form != NULL)
        make_template(lineage, space, text, r, form);
    return r;
}

static const struct lineage_result *hit(struct lineage *lineage, const struct lineage_result *result, bool filled)
{
    lineage->counts.hits += result != NULL;
    lineage->counts.filled += result != NULL && filled;
    return result;
}

/* A text with values in it. Of the first of a form only that there was one is kept: what never comes again needs no template. */
static const struct lineage_result *of_form(struct lineage *lineage, struct space *space, const struct lineage_text *text, struct hash128 text_key)
{
    struct hash128 key = slotted_key(&lineage->slotted, form_seed(space, text), &lineage->form);
    struct cached *form = find_cached(lineage, key);
    if (form == NULL) {
        form = place_of(lineage, key);
        if (form != NULL)
            form->first = text_key.low;
        return analyse_once(lineage, space, text);
    }
    if (form->refused || (form->template == NULL && form->first == text_key.low))
        return analyse_for(lineage, space, text, text_key);
    if (form->template == NULL || !is_fresh(form, space))
        return analyse_form(lineage, space, text, key);
    const struct lineage_result *filled = fill(lineage, form, &lineage->slotted);
    return filled != NULL ? hit(lineage, filled, true) : analyse_once(lineage, space, text);
}

const struct lineage_result *lineage_of(struct lineage *lineage, struct space *space, const struct lineage_text *text)
{
    struct hash128 key = key_of(space, text);
    struct cached *there = find_cached(lineage, key);
    if (there != NULL && is_fresh(there, space))
        return hit(lineage, &there->result, false);
    colline_set_dialect(space->value, text->hive ? COLLINE_HIVE : COLLINE_IMPALA);
    bool has_form = text->prelude.len == 0 && slotted_read(&lineage->slotted, space->value, text->sql);
    return has_form ? of_form(lineage, space, text, key) : analyse_for(lineage, space, text, key);
}

struct lineage_counts lineage_counts(const struct lineage *lineage)
{
    return lineage->counts;
}

struct lineage *lineage_new(size_t entries)
{
    struct lineage *lineage = calloc(1, sizeof *lineage);
    if (lineage == NULL)
        return NULL;
    buf_init(&lineage->document, 0);
    buf_init(&lineage->text, 0);
    buf_init(&lineage->script, 0);
    buf_init(&lineage->form, 0);
    buf_init(&lineage->marks, 0);
    buf_init(&lineage->spec, 0);
    arena_init(&lineage->filled, 0, NULL);
    size_t each = entries == 0 ? ENTRIES_DEFAULT : entries;
    bool young = generation_init(&lineage->young, each), old = generation_init(&lineage->old, each);
    if (young && old)
        return lineage;
    lineage_free(lineage);
    return NULL;
}

void lineage_free(struct lineage *lineage)
{
    if (lineage == NULL)
        return;
    generation_release(&lineage->young);
    generation_release(&lineage->old);
    buf_release(&lineage->document);
    buf_release(&lineage->text);
    buf_release(&lineage->script);
    buf_release(&lineage->form);
    buf_release(&lineage->marks);
    buf_release(&lineage->spec);
    arena_release(&lineage->filled);
    free(lineage);
}
