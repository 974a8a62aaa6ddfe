/* Copies of a document's parts that hold pieces of the text. */
#include "flow/refill.h"

struct refill {
    const struct slot_map *map;
    bool failed; /* a piece has no counterpart */
};

static void *copy_array(struct refill *r, const void *items, uint32_t count, size_t size)
{
    void *copy = arena_array(r->map->arena, count, size);
    if (copy == NULL || count == 0)
        return copy;
    return memcpy(copy, items, count * size);
}

static str_t refill_text(struct refill *r, str_t text)
{
    str_t after = text;
    if (!slots_piece(r->map, text, &after))
        r->failed = true;
    return after;
}

static span_t refill_span(struct refill *r, span_t span)
{
    span_t after = span;
    if (span.end > span.start && !slots_span(r->map, span, &after))
        r->failed = true;
    return after;
}

/* A value that was put together from the text, its escapes resolved, cannot be found again. */
static void refill_partitions(struct refill *r, struct doc_output *output)
{
    output->partitions = copy_array(r, output->partitions, output->partition_count, sizeof *output->partitions);
    for (uint32_t i = 0; output->partitions != NULL && i < output->partition_count; i++) {
        struct doc_partition *partition = &output->partitions[i];
        if (!partition->has_value)
            continue;
        r->failed = r->failed || !slots_holds(r->map, partition->value);
        partition->value = refill_text(r, partition->value);
    }
}

static void refill_column(struct refill *r, struct doc_column *column)
{
    column->expression = refill_text(r, column->expression);
    column->span = refill_span(r, column->span);
    column->steps = copy_array(r, column->steps, column->step_count, sizeof *column->steps);
    for (uint32_t i = 0; column->steps != NULL && i < column->step_count; i++)
        column->steps[i] = refill_text(r, column->steps[i]);
}

static void refill_parts(struct refill *r, struct doc_statement *st)
{
    st->outputs = copy_array(r, st->outputs, st->output_count, sizeof *st->outputs);
    for (uint32_t i = 0; st->outputs != NULL && i < st->output_count; i++)
        refill_partitions(r, &st->outputs[i]);
    st->columns = copy_array(r, st->columns, st->column_count, sizeof *st->columns);
    for (uint32_t i = 0; st->columns != NULL && i < st->column_count; i++)
        refill_column(r, &st->columns[i]);
    st->predicates = copy_array(r, st->predicates, st->predicate_count, sizeof *st->predicates);
    for (uint32_t i = 0; st->predicates != NULL && i < st->predicate_count; i++) {
        st->predicates[i].expression = refill_text(r, st->predicates[i].expression);
        st->predicates[i].span = refill_span(r, st->predicates[i].span);
    }
}

/* A message whose place is not one of whole items is about the statement. */
static void refill_diags(struct refill *r, struct doc_statement *st)
{
    st->diags.list.items = copy_array(r, st->diags.list.items, st->diags.list.count, sizeof *st->diags.list.items);
    for (uint32_t i = 0; st->diags.list.items != NULL && i < st->diags.list.count; i++) {
        struct diag *diag = &st->diags.list.items[i];
        if (!slots_span(r->map, diag->span, &diag->span))
            diag->span = st->span;
    }
}

const struct doc_statement *document_refill(const struct slot_map *map, const struct doc_statement *made)
{
    struct refill r = {.map = map};
    struct doc_statement *st = ARENA_NEW(map->arena, struct doc_statement);
    if (st == NULL)
        return NULL;
    *st = *made;
    st->span = refill_span(&r, made->span);
    st->text.text = map->after;
    st->text.span = st->span;
    st->text.arena = map->arena;
    st->text.tokens = (struct tokens){0};
    st->stmt = NULL; /* the tree belongs to the first text */
    refill_parts(&r, st);
    refill_diags(&r, st);
    return r.failed || map->arena->failed ? NULL : st;
}
