/* Neighbours, and the order in which everything reachable is visited. Nothing here recurses. */
#include "walk.h"

#include "base/jsonw.h"

#include <stdlib.h>

/* ---- neighbours ---- */

static void note(struct neighbours *list, uint32_t node, uint32_t edge, bool star)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity * 2 + 8;
        list->items = need_grow(list->items, list->capacity, sizeof *list->items);
    }
    list->items[list->count++] = (struct neighbour){node, edge, 1, star};
}

static uint32_t far_end(const struct walk *walk, const struct edge *edge)
{
    return walk->up ? edge->from : edge->to;
}

/* A statement's rows have no name: what lies behind them is the neighbour. The clause stands on the edge to the rows. */
static void note_through_rows(const struct walk *walk, struct neighbours *list, uint32_t rows, uint32_t edge, bool star)
{
    const struct node *node = &walk->facts->nodes.items[rows];
    uint32_t count = walk->up ? node->up.count : node->down.count;
    const uint32_t *edges = walk->up ? node->up.items : node->down.items;
    for (uint32_t i = 0; i < count; i++)
        note(list, far_end(walk, &walk->facts->edges.items[edges[i]]), walk->up ? edges[i] : edge, star);
}

static void note_edges(const struct walk *walk, struct neighbours *list, uint32_t from, bool star)
{
    const struct node *node = &walk->facts->nodes.items[from];
    uint32_t count = walk->up ? node->up.count : node->down.count;
    const uint32_t *edges = walk->up ? node->up.items : node->down.items;
    for (uint32_t i = 0; i < count; i++) {
        const struct edge *edge = &walk->facts->edges.items[edges[i]];
        uint32_t other = far_end(walk, edge);
        if (edge->tables != walk->tables || (!edge->direct && !walk->indirect) || other == from)
            continue;
        if (walk->facts->nodes.items[other].kind == NODE_ROWS)
            note_through_rows(walk, list, other, edges[i], star);
        else
            note(list, other, edges[i], star);
    }
}

/* The node of `db.t.*`, for a column `db.t.c`: who reads that may read the column. */
static uint32_t star_beside(const struct walk *walk, uint32_t node)
{
    const struct node *column = &walk->facts->nodes.items[node];
    size_t dot = column->name.len;
    while (dot > 0 && column->name.ptr[dot - 1] != '.')
        dot--;
    if (column->kind != NODE_COLUMN || dot == 0)
        return NO_NODE;
    char *name = need_format("%.*s*", (int)dot, column->name.ptr);
    uint32_t star = facts_find(walk->facts, str_of(name));
    free(name);
    return star == node ? NO_NODE : star;
}

struct sort_item {
    const struct facts *facts;
    struct neighbour neighbour;
};

static int by_name(const void *a, const void *b)
{
    const struct sort_item *left = a, *right = b;
    const struct facts *facts = left->facts;
    int order = str_compare(facts->nodes.items[left->neighbour.node].name, facts->nodes.items[right->neighbour.node].name);
    if (order != 0)
        return order;
    const struct edge *l = &facts->edges.items[left->neighbour.edge], *r = &facts->edges.items[right->neighbour.edge];
    if (l->direct != r->direct)
        return l->direct ? -1 : 1;
    return left->neighbour.edge < right->neighbour.edge ? -1 : left->neighbour.edge > right->neighbour.edge;
}

/* Sorted, each node once, with the number of its edges. */
static void tidy(const struct walk *walk, struct neighbours *list)
{
    struct sort_item *items = need_alloc(list->count * sizeof *items);
    for (size_t i = 0; i < list->count; i++)
        items[i] = (struct sort_item){walk->facts, list->items[i]};
    qsort(items, list->count, sizeof *items, by_name);
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (kept > 0 && list->items[kept - 1].node == items[i].neighbour.node)
            list->items[kept - 1].count++;
        else
            list->items[kept++] = items[i].neighbour;
    }
    list->count = kept;
    free(items);
}

struct neighbours walk_neighbours(const struct walk *walk, uint32_t node)
{
    struct neighbours list = {0};
    note_edges(walk, &list, node, false);
    uint32_t star = walk->up || walk->tables ? NO_NODE : star_beside(walk, node);
    if (star != NO_NODE)
        note_edges(walk, &list, star, true);
    if (list.count > 1)
        tidy(walk, &list);
    return list;
}

/* ---- the tree ---- */

struct frame {
    struct neighbours list;
    size_t next;
    size_t indent; /* bytes of the prefix above this level */
};

struct tree {
    const struct walk *walk;
    struct buf *out;
    const struct look *look;
    struct frame *frames;
    size_t depth, capacity;
    struct buf prefix;
    bool *expanded;
    size_t direct, all;
};

static void open_node(struct tree *tree, uint32_t node, size_t indent)
{
    if (tree->depth == tree->capacity) {
        tree->capacity = tree->capacity * 2 + 16;
        tree->frames = need_grow(tree->frames, tree->capacity, sizeof *tree->frames);
    }
    tree->frames[tree->depth++] = (struct frame){walk_neighbours(tree->walk, node), 0, indent};
    tree->expanded[node] = true;
}

static void write_how(struct tree *tree, const struct neighbour *neighbour)
{
    const struct edge *edge = &tree->walk->facts->edges.items[neighbour->edge];
    struct buf *out = tree->out;
    bool plain = edge->tables || str_eq(edge->how, STR("identity"));
    if (!plain) {
        BUF_ADD(out, "  ");
        buf_add(out, edge->how);
    }
    if (!plain && edge->expression.len > 0) {
        BUF_ADD(out, ": ");
        add_one_line(out, edge->expression, tree->look->width == 0 ? 0 : 60);
    }
    if (neighbour->star)
        BUF_ADD(out, "  (by a star: it may be read)");
    paint_on(out, tree->look, PAINT_DIM);
    BUF_ADD(out, "  [");
    buf_add(out, edge->script);
    if (edge->line > 0) { /* else it is no place in a script */
        buf_add_char(out, ':');
        buf_add_number(out, edge->line);
    }
    if (neighbour->count > 1) {
        BUF_ADD(out, " and ");
        buf_add_number(out, neighbour->count - 1);
        BUF_ADD(out, " more");
    }
    buf_add_char(out, ']');
    paint_off(out, tree->look, PAINT_DIM);
}

static bool has_more(const struct tree *tree, uint32_t node)
{
    struct neighbours list = walk_neighbours(tree->walk, node);
    free(list.items);
    return list.count > 0;
}

static void write_node(struct tree *tree, const struct frame *frame, const struct neighbour *neighbour)
{
    const struct node *node = &tree->walk->facts->nodes.items[neighbour->node];
    struct buf *out = tree->out;
    paint_on(out, tree->look, PAINT_DIM);
    buf_add(out, str_make(tree->prefix.ptr, frame->indent));
    buf_add(out, frame->next == frame->list.count ? STR("└─ ") : STR("├─ "));
    paint_off(out, tree->look, PAINT_DIM);
    paint(out, tree->look, PAINT_CYAN, node->name);
    if (node->kind == NODE_TABLE && !tree->walk->tables)
        BUF_ADD(out, " (rows)");
    write_how(tree, neighbour);
    if (tree->expanded[neighbour->node] && has_more(tree, neighbour->node))
        paint(out, tree->look, PAINT_DIM, STR("  (see above)"));
    buf_add_char(out, '\n');
}

/* One line of the deepest open level; a level that is through is closed. */
static void step(struct tree *tree)
{
    struct frame *frame = &tree->frames[tree->depth - 1];
    if (frame->next == frame->list.count) {
        free(frame->list.items);
        tree->depth--;
        return;
    }
    struct neighbour neighbour = frame->list.items[frame->next++];
    bool last = frame->next == frame->list.count;
    size_t indent = frame->indent;
    write_node(tree, frame, &neighbour);
    tree->all += !tree->expanded[neighbour.node];
    tree->direct += tree->depth == 1;
    bool too_deep = tree->walk->deepest != 0 && tree->depth >= tree->walk->deepest;
    if (tree->expanded[neighbour.node] || too_deep) {
        tree->expanded[neighbour.node] = true;
        return;
    }
    tree->prefix.len = indent;
    buf_add(&tree->prefix, last ? STR("   ") : STR("│  "));
    open_node(tree, neighbour.node, tree->prefix.len);
}

static void write_totals(struct tree *tree)
{
    struct buf *out = tree->out;
    buf_add_char(out, '\n');
    paint_on(out, tree->look, PAINT_DIM);
    if (tree->all == 0) {
        buf_add(out, tree->walk->up ? STR("Nothing is known that it is made of.") : STR("Nothing is made of it."));
    } else {
        buf_add_number(out, tree->direct);
        BUF_ADD(out, " direct ");
        buf_add(out, tree->walk->up ? STR("source") : STR("dependent"));
        buf_add(out, tree->direct == 1 ? STR(", ") : STR("s, "));
        buf_add_number(out, tree->all);
        BUF_ADD(out, " in all");
    }
    paint_off(out, tree->look, PAINT_DIM);
    buf_add_char(out, '\n');
}

void walk_tree(const struct walk *walk, uint32_t start, struct buf *out, const struct look *look)
{
    struct tree tree = {.walk = walk, .out = out, .look = look};
    tree.expanded = need_alloc(walk->facts->nodes.count * sizeof(bool));
    buf_init(&tree.prefix, 0);
    paint(out, look, PAINT_BOLD, walk->facts->nodes.items[start].name);
    buf_add_char(out, '\n');
    open_node(&tree, start, 0);
    while (tree.depth > 0)
        step(&tree);
    write_totals(&tree);
    free(tree.frames);
    free(tree.expanded);
    buf_release(&tree.prefix);
}

/* ---- lists ---- */

struct reached {
    uint32_t *nodes, *depths;
    size_t count;
    bool *seen;
};

/* Visits in breadth, calling `take` for every pair of neighbours once. */
static void each_pair(const struct walk *walk, uint32_t start,
                      void (*take)(void *context, const struct walk *walk, uint32_t node, const struct neighbour *neighbour),
                      void *context)
{
    size_t most = walk->facts->nodes.count;
    struct reached reached = {need_alloc(most * sizeof(uint32_t)), need_alloc(most * sizeof(uint32_t)), 1,
                              need_alloc(most * sizeof(bool))};
    reached.nodes[0] = start;
    reached.seen[start] = true;
    for (size_t at = 0; at < reached.count; at++) {
        if (walk->deepest != 0 && reached.depths[at] >= walk->deepest)
            continue;
        struct neighbours list = walk_neighbours(walk, reached.nodes[at]);
        for (size_t i = 0; i < list.count; i++) {
            uint32_t node = list.items[i].node;
            take(context, walk, reached.nodes[at], &list.items[i]);
            if (reached.seen[node])
                continue;
            reached.seen[node] = true;
            reached.depths[reached.count] = reached.depths[at] + 1;
            reached.nodes[reached.count++] = node;
        }
        free(list.items);
    }
    free(reached.nodes);
    free(reached.depths);
    free(reached.seen);
}

/* An edge as names, in the direction of the data. */
struct pair {
    str_t from, to;
    const struct edge *edge;
};

static struct pair pair_of(const struct walk *walk, uint32_t node, const struct neighbour *neighbour)
{
    str_t here = walk->facts->nodes.items[node].name, there = walk->facts->nodes.items[neighbour->node].name;
    return (struct pair){walk->up ? there : here, walk->up ? here : there, &walk->facts->edges.items[neighbour->edge]};
}

static void write_json_pair(void *context, const struct walk *walk, uint32_t node, const struct neighbour *neighbour)
{
    struct jsonw *json = context;
    struct pair pair = pair_of(walk, node, neighbour);
    jsonw_row(json);
    jsonw_object_begin(json);
    jsonw_member(json, STR("from"), pair.from);
    jsonw_member(json, STR("to"), pair.to);
    jsonw_member(json, STR("kind"), pair.edge->direct ? STR("direct") : STR("indirect"));
    jsonw_member(json, STR("how"), pair.edge->how);
    if (pair.edge->expression.len > 0)
        jsonw_member(json, STR("expression"), pair.edge->expression);
    jsonw_member(json, STR("script"), pair.edge->script);
    jsonw_member_number(json, STR("line"), pair.edge->line);
    jsonw_object_end(json);
}

void walk_json(const struct walk *walk, uint32_t start, struct buf *out)
{
    struct jsonw json;
    jsonw_init(&json, out, true);
    jsonw_object_begin(&json);
    jsonw_member(&json, STR("start"), walk->facts->nodes.items[start].name);
    jsonw_member(&json, STR("direction"), walk->up ? STR("upstream") : STR("downstream"));
    jsonw_key(&json, STR("edges"));
    jsonw_array_begin(&json);
    each_pair(walk, start, write_json_pair, &json);
    jsonw_array_end(&json);
    jsonw_object_end(&json);
    buf_add_char(out, '\n');
}

static void add_cell(struct buf *out, str_t cell, bool last)
{
    buf_add_char(out, '"');
    for (size_t i = 0; i < cell.len; i++) {
        if (cell.ptr[i] == '"')
            buf_add_char(out, '"');
        buf_add_char(out, cell.ptr[i]);
    }
    buf_add(out, last ? STR("\"\r\n") : STR("\","));
}

static void write_csv_pair(void *context, const struct walk *walk, uint32_t node, const struct neighbour *neighbour)
{
    struct buf *out = context;
    struct pair pair = pair_of(walk, node, neighbour);
    add_cell(out, pair.from, false);
    add_cell(out, pair.to, false);
    add_cell(out, pair.edge->direct ? STR("direct") : STR("indirect"), false);
    add_cell(out, pair.edge->how, false);
    add_cell(out, pair.edge->script, false);
    buf_add_number(out, pair.edge->line);
    buf_add_char(out, ',');
    add_cell(out, pair.edge->expression, true);
}

void walk_csv(const struct walk *walk, uint32_t start, struct buf *out)
{
    BUF_ADD(out, "from,to,kind,how,script,line,expression\r\n");
    each_pair(walk, start, write_csv_pair, out);
}
