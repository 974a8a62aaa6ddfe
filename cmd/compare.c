/*
 * Edges of both sides are sorted by target and source, so that one pass finds what only one side has. Where a column loses a source and
 * another statement reads the column, the readers are named.
 */
#include "compare.h"

#include <stdlib.h>

/* An edge by names; conditions of a statement lead to the tables that it writes. */
struct link {
    str_t to, from, how, expression;
    bool direct;
};

struct links {
    struct link *items;
    size_t count, capacity;
};

static void add_link(struct links *links, struct link link)
{
    if (links->count == links->capacity) {
        links->capacity = links->capacity * 2 + 256;
        links->items = need_grow(links->items, links->capacity, sizeof *links->items);
    }
    links->items[links->count++] = link;
}

/* `db.t` of `db.t.c` */
static str_t owner_of(str_t column)
{
    size_t at = column.len;
    while (at > 0 && column.ptr[at - 1] != '.')
        at--;
    return str_make(column.ptr, at == 0 ? 0 : at - 1);
}

/* A condition on all rows stands once for each table that the statement writes, not for each column. */
static void add_condition(struct links *links, const struct facts *facts, const struct edge *edge)
{
    const struct node *rows = &facts->nodes.items[edge->to];
    str_t last = STR("");
    for (uint32_t i = 0; i < rows->down.count; i++) {
        str_t owner = owner_of(facts->nodes.items[facts->edges.items[rows->down.items[i]].to].name);
        if (!str_eq(owner, last))
            add_link(links, (struct link){owner, facts->nodes.items[edge->from].name, edge->how, edge->expression, false});
        last = owner;
    }
}

static int compare_ends(const struct link *a, const struct link *b)
{
    int order = str_compare(a->to, b->to);
    if (order == 0 && a->direct != b->direct)
        order = a->direct ? -1 : 1;
    if (order == 0)
        order = str_compare(a->from, b->from);
    if (order == 0 && !a->direct)
        order = str_compare(a->how, b->how);
    return order;
}

static int compare_links(const void *a, const void *b)
{
    const struct link *left = a, *right = b;
    int order = compare_ends(left, right);
    if (order == 0)
        order = str_compare(left->how, right->how);
    return order != 0 ? order : str_compare(left->expression, right->expression);
}

/* Results of a SELECT are named by place, which any edit moves: they are left out. */
static bool is_lasting(str_t name)
{
    return !str_starts_with(name, STR("result of "));
}

static struct links links_of(const struct facts *facts)
{
    struct links links = {0};
    for (uint32_t i = 0; i < facts->edges.count; i++) {
        const struct edge *edge = &facts->edges.items[i];
        const struct node *from = &facts->nodes.items[edge->from], *to = &facts->nodes.items[edge->to];
        if (from->kind == NODE_ROWS || (edge->tables && str_eq(edge->how, STR("view"))))
            continue;
        if (to->kind == NODE_ROWS)
            add_condition(&links, facts, edge);
        else if (is_lasting(to->name))
            add_link(&links, (struct link){to->name, from->name, edge->how, edge->expression, edge->direct});
    }
    if (links.count > 1)
        qsort(links.items, links.count, sizeof *links.items, compare_links);
    return links;
}

struct writer {
    const struct facts *new;
    struct buf *out;
    const struct look *look;
    str_t target; /* of the heading written last */
    bool warned;  /* its readers were named */
    struct comparison_result result;
};

static void heading(struct writer *w, const struct link *link)
{
    if (str_eq(w->target, link->to))
        return;
    if (w->target.len > 0)
        buf_add_char(w->out, '\n');
    w->target = link->to;
    w->warned = false;
    paint(w->out, w->look, PAINT_BOLD, link->to);
    buf_add_char(w->out, '\n');
}

static void write_link(struct writer *w, enum paint colour, char sign, const struct link *link, const struct link *was)
{
    heading(w, link);
    paint_on(w->out, w->look, colour);
    BUF_ADD(w->out, "  ");
    buf_add_char(w->out, sign);
    buf_add_char(w->out, ' ');
    buf_add(w->out, link->from);
    BUF_ADD(w->out, "  ");
    if (was != NULL && !str_eq(was->how, link->how)) {
        buf_add(w->out, was->how);
        BUF_ADD(w->out, " -> ");
    }
    buf_add(w->out, link->how);
    if (link->expression.len > 0) {
        BUF_ADD(w->out, ": ");
        if (was != NULL && !str_eq(was->expression, link->expression)) {
            buf_add(w->out, was->expression);
            BUF_ADD(w->out, " -> ");
        }
        buf_add(w->out, link->expression);
    }
    paint_off(w->out, w->look, colour);
    buf_add_char(w->out, '\n');
}

/* Statements that read the column after the change. */
static void warn_readers(struct writer *w, const struct link *link)
{
    enum { MOST = 5 };
    uint32_t node = link->direct && !w->warned ? facts_find(w->new, link->to) : NO_NODE;
    if (node == NO_NODE)
        return;
    const struct node *column = &w->new->nodes.items[node];
    str_t last = STR("");
    size_t named = 0;
    for (uint32_t i = 0; i < column->down.count && named < MOST; i++) {
        str_t script = w->new->edges.items[column->down.items[i]].script;
        if (str_eq(script, last))
            continue;
        last = script;
        buf_add(w->out, named == 0 ? STR("    ! lost a source, and is read by ") : STR(", "));
        buf_add(w->out, script);
        named++;
    }
    if (named == 0)
        return;
    buf_add_char(w->out, '\n');
    w->warned = true;
    w->result.broken_readers++;
}

/* How many links from `at` on have the same ends. */
static size_t run_length(const struct links *links, size_t at)
{
    size_t end = at + 1;
    while (end < links->count && compare_ends(&links->items[at], &links->items[end]) == 0)
        end++;
    return end - at;
}

static bool same_run(const struct link *a, size_t a_count, const struct link *b, size_t b_count)
{
    if (a_count != b_count)
        return false;
    for (size_t i = 0; i < a_count; i++)
        if (!str_eq(a[i].how, b[i].how) || !str_eq(a[i].expression, b[i].expression))
            return false;
    return true;
}

static void write_totals(struct writer *w)
{
    const struct comparison_result *r = &w->result;
    if (r->added + r->removed + r->changed == 0) {
        BUF_ADD(w->out, "The lineage is the same.\n");
        return;
    }
    buf_add_char(w->out, '\n');
    buf_add_number(w->out, r->added);
    buf_add(w->out, r->added == 1 ? STR(" edge added, ") : STR(" edges added, "));
    buf_add_number(w->out, r->removed);
    BUF_ADD(w->out, " removed, ");
    buf_add_number(w->out, r->changed);
    BUF_ADD(w->out, " changed\n");
}

static void compare_at(struct writer *w, const struct links *before, size_t *b, const struct links *after, size_t *a)
{
    int order = *b == before->count ? 1 : *a == after->count ? -1 : compare_ends(&before->items[*b], &after->items[*a]);
    size_t b_run = order > 0 ? 0 : run_length(before, *b), a_run = order < 0 ? 0 : run_length(after, *a);
    if (order < 0) {
        w->result.removed++;
        write_link(w, PAINT_RED, '-', &before->items[*b], NULL);
        warn_readers(w, &before->items[*b]);
    } else if (order > 0) {
        w->result.added++;
        write_link(w, PAINT_GREEN, '+', &after->items[*a], NULL);
    } else if (!same_run(&before->items[*b], b_run, &after->items[*a], a_run)) {
        w->result.changed++;
        write_link(w, PAINT_YELLOW, '~', &after->items[*a], &before->items[*b]);
    }
    *b += b_run;
    *a += a_run;
}

struct comparison_result compare_facts(const struct facts *old, const struct facts *new, struct buf *out, const struct look *look)
{
    struct writer w = {.new = new, .out = out, .look = look, .target = STR("")};
    struct links before = links_of(old), after = links_of(new);
    for (size_t b = 0, a = 0; b < before.count || a < after.count;)
        compare_at(&w, &before, &b, &after, &a);
    write_totals(&w);
    free(before.items);
    free(after.items);
    return w.result;
}
