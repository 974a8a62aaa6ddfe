/* Words and phrases of the formats for people. */
#include "doc/people.h"

bool has_lineage(const struct doc_statement *st)
{
    return st->column_count > 0 || st->predicate_count > 0 || (st->input_count > 0 && st->operation != OPERATION_NONE) ||
           (st->output_count > 0 && st->operation != OPERATION_NONE);
}

static str_t text_of(struct arena *arena, const struct buf *scratch)
{
    return scratch->failed ? STR("") : arena_copy(arena, buf_str(scratch));
}

static void add_source(struct buf *out, const struct doc_source *source)
{
    buf_add(out, source->table);
    if (source->column.len == 0) {
        BUF_ADD(out, " (rows)");
        return;
    }
    if (source->table.len > 0)
        buf_add_char(out, '.');
    buf_add(out, source->column);
    buf_add(out, source->path);
}

str_t source_text(struct arena *arena, const struct doc_source *source)
{
    return source_list(arena, source, 1);
}

str_t source_list(struct arena *arena, const struct doc_source *sources, uint32_t count)
{
    struct buf text;
    buf_init(&text, 0);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            BUF_ADD(&text, ", ");
        add_source(&text, &sources[i]);
    }
    str_t copy = text_of(arena, &text);
    buf_release(&text);
    return copy;
}

str_t dataset_text(const struct doc_dataset *dataset)
{
    return dataset->table.len > 0 ? dataset->table : dataset->path;
}

str_t output_text(struct arena *arena, const struct doc_output *output)
{
    struct buf text;
    buf_init(&text, 0);
    buf_add(&text, dataset_text(&output->dataset));
    for (uint32_t i = 0; i < output->partition_count; i++) {
        const struct doc_partition *partition = &output->partitions[i];
        buf_add(&text, i == 0 ? STR(" (") : STR(", "));
        buf_add(&text, partition->key);
        buf_add_char(&text, '=');
        buf_add(&text, partition->has_value ? partition->value : STR("*"));
    }
    if (output->partition_count > 0)
        buf_add_char(&text, ')');
    str_t copy = text_of(arena, &text);
    buf_release(&text);
    return copy;
}

str_t spaced(struct arena *arena, str_t words)
{
    char *copy = arena_alloc(arena, words.len);
    if (copy == NULL)
        return words;
    for (size_t i = 0; i < words.len; i++)
        copy[i] = words.ptr[i] == '_' ? ' ' : words.ptr[i];
    return str_make(copy, words.len);
}

void write_heading(struct doc_writer *w)
{
    paint(&w->out, &w->script.look, PAINT_BOLD, w->script.id);
    buf_add(&w->out, w->script.dialect == DIALECT_HIVE ? STR("  (Hive)\n") : STR("  (Impala)\n"));
}

void write_warnings(struct doc_writer *w, const struct doc_statement *st)
{
    for (uint32_t i = 0; i < st->diags.list.count; i++) {
        const struct diag *diag = &st->diags.list.items[i];
        if (diag_code_severity(diag->code) == DIAG_NOTE)
            continue;
        struct line_column place = lines_find(&w->lines, diag->span.start);
        BUF_ADD(&w->out, "   ");
        paint(&w->out, &w->script.look, PAINT_YELLOW, STR("! "));
        buf_add_number(&w->out, place.line);
        buf_add_char(&w->out, ':');
        buf_add_number(&w->out, place.column);
        BUF_ADD(&w->out, "  ");
        add_one_line(&w->out, diag->message, 0);
        buf_add_char(&w->out, '\n');
    }
}

static void add_count(struct buf *out, uint32_t count, str_t one, str_t many)
{
    buf_add_number(out, count);
    buf_add_char(out, ' ');
    buf_add(out, count == 1 ? one : many);
}

void write_summary(struct doc_writer *w)
{
    struct buf *out = &w->out;
    BUF_ADD(out, "\n  ");
    paint_on(out, &w->script.look, PAINT_DIM);
    add_count(out, w->statements, STR("statement"), STR("statements"));
    BUF_ADD(out, ", ");
    buf_add_number(out, w->with_lineage);
    BUF_ADD(out, " with lineage");
    if (w->broken > 0) {
        BUF_ADD(out, ", ");
        add_count(out, w->broken, STR("that does not parse"), STR("that do not parse"));
    }
    paint_off(out, &w->script.look, PAINT_DIM);
    BUF_ADD(out, "\n\n");
}
