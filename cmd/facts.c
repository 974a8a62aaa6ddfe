/* The graph: nodes by name through a hash table, edges in lists at both ends. */
#include "facts.h"

#include "base/buf.h"
#include "base/grid.h"

struct fact_slot {
    uint32_t hash;
    uint32_t node_plus_one; /* 0: free */
};

void facts_init(struct facts *facts)
{
    *facts = (struct facts){.rows = NO_NODE};
    arena_init(&facts->arena, 0, NULL);
}

void facts_release(struct facts *facts)
{
    arena_release(&facts->arena);
}

void facts_statement(struct facts *facts, str_t script, uint32_t line)
{
    if (!str_eq(facts->script, script))
        facts->script = arena_copy(&facts->arena, script);
    facts->line = line;
    facts->rows = NO_NODE;
}

static uint32_t slot_of(const struct facts *facts, str_t name, uint32_t hash)
{
    uint32_t mask = facts->slot_count - 1;
    uint32_t at = hash & mask;
    for (; facts->slots[at].node_plus_one != 0; at = (at + 1) & mask)
        if (facts->slots[at].hash == hash && str_eq(facts->nodes.items[facts->slots[at].node_plus_one - 1].name, name))
            break;
    return at;
}

static void grow(struct facts *facts)
{
    uint32_t larger = facts->slot_count == 0 ? 1024 : facts->slot_count * 2;
    struct fact_slot *slots = need(ARENA_ARRAY(&facts->arena, struct fact_slot, larger));
    for (uint32_t i = 0; i < facts->slot_count; i++) {
        if (facts->slots[i].node_plus_one == 0)
            continue;
        uint32_t at = facts->slots[i].hash & (larger - 1);
        while (slots[at].node_plus_one != 0)
            at = (at + 1) & (larger - 1);
        slots[at] = facts->slots[i];
    }
    facts->slots = slots;
    facts->slot_count = larger;
}

static uint32_t push_node(struct facts *facts, str_t name, enum node_kind kind)
{
    struct node *node = need(VEC_PUSH(&facts->arena, &facts->nodes));
    node->name = arena_copy(&facts->arena, name);
    node->kind = kind;
    return facts->nodes.count - 1;
}

static uint32_t node_of(struct facts *facts, str_t name, enum node_kind kind)
{
    if (facts->nodes.count >= facts->slot_count / 2)
        grow(facts);
    uint32_t hash = name_hash(name.ptr, name.len);
    uint32_t at = slot_of(facts, name, hash);
    if (facts->slots[at].node_plus_one == 0) {
        uint32_t node = push_node(facts, name, kind);
        facts->slots[at] = (struct fact_slot){hash, node + 1};
    }
    return facts->slots[at].node_plus_one - 1;
}

uint32_t facts_find(const struct facts *facts, str_t name)
{
    if (facts->slot_count == 0)
        return NO_NODE;
    uint32_t at = slot_of(facts, name, name_hash(name.ptr, name.len));
    return facts->slots[at].node_plus_one == 0 ? NO_NODE : facts->slots[at].node_plus_one - 1;
}

uint32_t facts_table(struct facts *facts, str_t table)
{
    return node_of(facts, table, NODE_TABLE);
}

/* `result of FILE:LINE` */
static str_t result_name(struct facts *facts)
{
    struct buf name;
    buf_init(&name, 0);
    BUF_ADD(&name, "result of ");
    buf_add(&name, facts->script);
    buf_add_char(&name, ':');
    buf_add_number(&name, facts->line);
    str_t copy = arena_copy(&facts->arena, buf_str(&name));
    buf_release(&name);
    return copy;
}

uint32_t facts_column(struct facts *facts, str_t table, str_t column)
{
    if (column.len == 0)
        return facts_table(facts, table);
    str_t owner = table.len > 0 ? table : result_name(facts);
    return node_of(facts, arena_dotted(&facts->arena, (const str_t[]){owner, column}, 2), NODE_COLUMN);
}

uint32_t facts_rows(struct facts *facts)
{
    if (facts->rows == NO_NODE)
        facts->rows = push_node(facts, STR(""), NODE_ROWS);
    return facts->rows;
}

static str_t one_line(struct arena *arena, str_t text)
{
    struct buf line;
    buf_init(&line, 0);
    add_one_line(&line, text, 0);
    str_t copy = arena_copy(arena, buf_str(&line));
    buf_release(&line);
    return copy;
}

/* Whether this statement has said so already; its edges are the newest of the node. */
static bool is_known(const struct facts *facts, uint32_t from, uint32_t to, str_t how)
{
    const struct node *node = &facts->nodes.items[from];
    for (uint32_t i = node->down.count; i-- > 0;) {
        const struct edge *edge = &facts->edges.items[node->down.items[i]];
        if (edge->line != facts->line || !str_eq(edge->script, facts->script))
            return false;
        if (edge->to == to && str_eq(edge->how, how))
            return true;
    }
    return false;
}

void facts_edge(struct facts *facts, uint32_t from, uint32_t to, str_t how, str_t expression, bool direct)
{
    bool tables = facts->nodes.items[from].kind == NODE_TABLE && facts->nodes.items[to].kind == NODE_TABLE;
    if (tables && is_known(facts, from, to, how))
        return;
    struct edge *edge = need(VEC_PUSH(&facts->arena, &facts->edges));
    uint32_t index = facts->edges.count - 1;
    *edge = (struct edge){
        .from = from,
        .to = to,
        .how = arena_copy(&facts->arena, how),
        .expression = one_line(&facts->arena, expression),
        .script = facts->script,
        .line = facts->line,
        .direct = direct,
        .tables = tables,
    };
    uint32_t *up = need(VEC_PUSH(&facts->arena, &facts->nodes.items[to].up));
    *up = index;
    uint32_t *down = need(VEC_PUSH(&facts->arena, &facts->nodes.items[from].down));
    *down = index;
}

static str_t dataset_name(const colline_dataset *dataset)
{
    colline_text table = colline_dataset_table(dataset);
    return str_of_text(table.len > 0 ? table : colline_dataset_path(dataset));
}

/* What is read leads to what is written, and through a view too. */
static void add_tables(struct facts *facts, const colline_statement *st)
{
    size_t outputs = colline_statement_output_count(st);
    for (size_t o = 0; o < outputs; o++) {
        const colline_output *output = colline_statement_output(st, o);
        colline_text table = colline_output_table(output);
        uint32_t to = facts_table(facts, str_of_text(table.len > 0 ? table : colline_output_path(output)));
        for (size_t i = 0; i < colline_statement_input_count(st); i++)
            facts_edge(facts, facts_table(facts, dataset_name(colline_statement_input(st, i))), to, STR("table"), STR(""), true);
        for (size_t i = 0; i < colline_statement_view_count(st); i++)
            facts_edge(facts, facts_table(facts, str_of_text(colline_statement_view(st, i))), to, STR("view"), STR(""), true);
    }
}

static uint32_t source_node(struct facts *facts, const colline_source *source)
{
    return facts_column(facts, str_of_text(colline_source_table(source)), str_of_text(colline_source_name(source)));
}

/* The table that columns without one belong to: a directory, or none for a result. */
static str_t owner_of(const colline_statement *st, colline_text table)
{
    if (table.len > 0 || colline_statement_output_count(st) != 1)
        return str_of_text(table);
    return str_of_text(colline_output_path(colline_statement_output(st, 0)));
}

static void add_columns(struct facts *facts, const colline_statement *st, bool conditions)
{
    for (size_t i = 0; i < colline_statement_column_count(st); i++) {
        const colline_column *column = colline_statement_column(st, i);
        str_t expression = str_of_text(colline_column_expression(column));
        uint32_t to = facts_column(facts, owner_of(st, colline_column_table(column)), str_of_text(colline_column_name(column)));
        for (size_t s = 0; s < colline_column_source_count(column); s++)
            facts_edge(facts, source_node(facts, colline_column_source(column, s)), to,
                       str_of_text(colline_column_transform(column)), expression, true);
        if (conditions)
            facts_edge(facts, facts_rows(facts), to, STR(""), STR(""), false);
    }
}

/* True where a condition holds for all outputs. */
static bool add_predicates(struct facts *facts, const colline_statement *st)
{
    bool general = false;
    for (size_t i = 0; i < colline_statement_predicate_count(st); i++) {
        const colline_predicate *predicate = colline_statement_predicate(st, i);
        str_t clause = str_of_text(colline_predicate_clause(predicate));
        str_t expression = str_of_text(colline_predicate_expression(predicate));
        size_t targets = colline_predicate_target_count(predicate);
        general |= targets == 0;
        for (size_t s = 0; s < colline_predicate_source_count(predicate); s++) {
            uint32_t from = source_node(facts, colline_predicate_source(predicate, s));
            if (targets == 0)
                facts_edge(facts, from, facts_rows(facts), clause, expression, false);
            for (size_t t = 0; t < targets; t++) {
                str_t owner = owner_of(st, colline_predicate_target_table(predicate, t));
                uint32_t to = facts_column(facts, owner, str_of_text(colline_predicate_target_name(predicate, t)));
                facts_edge(facts, from, to, clause, expression, false);
            }
        }
    }
    return general;
}

void facts_add(struct facts *facts, colline_analyzer *an, str_t script, const colline_statement *st)
{
    for (size_t i = 0; i < colline_statement_input_count(st); i++)
        facts_table(facts, dataset_name(colline_statement_input(st, i))); /* it is read, be it into nothing */
    bool moves = colline_statement_output_count(st) > 0 || colline_statement_column_count(st) > 0;
    if (!moves)
        return;
    uint32_t line = 0, column = 0;
    colline_position(an, colline_statement_span(st).start, &line, &column);
    facts_statement(facts, script, line);
    add_tables(facts, st);
    bool conditions = add_predicates(facts, st);
    add_columns(facts, st, conditions);
}
