/* The tree as indented text: the walk, expressions, types and clauses. See ast_dump.h. */
#include "sql/ast_dump.h"

/* ---- the walk ---- */

void dump_push(struct dumper *d, str_t label, dump_function *print, const void *node)
{
    struct dump_item *item = node != NULL ? VEC_PUSH(&d->arena, &d->stack) : NULL;
    if (item != NULL)
        *item = (struct dump_item){print, node, label, d->depth + 1};
}

void dump_push_array(struct dumper *d, str_t label, dump_function *print, const void *items,
                     uint32_t count, size_t size)
{
    for (uint32_t i = 0; i < count; i++)
        dump_push(d, label, print, (const char *)items + i * size);
}

void dump_push_exprs(struct dumper *d, str_t label, struct expr *const *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        dump_push(d, label, dump_expr, items[i]);
}

/* What was pushed from `mark` on comes off the stack in the order in which it was pushed. */
static void reverse(struct dumper *d, uint32_t mark)
{
    for (uint32_t i = mark, j = d->stack.count; i + 1 < j; i++, j--) {
        struct dump_item item = d->stack.items[i];
        d->stack.items[i] = d->stack.items[j - 1];
        d->stack.items[j - 1] = item;
    }
}

void ast_dump(struct buf *out, str_t text, const struct stmt *stmt)
{
    struct dumper d = {.out = out, .text = text};
    arena_init(&d.arena, 0, NULL);
    dump_push(&d, STR(""), dump_stmt, stmt);
    while (d.stack.count > 0 && !out->failed) {
        struct dump_item item = d.stack.items[--d.stack.count];
        uint32_t mark = d.stack.count;
        d.depth = item.depth;
        buf_add_repeat(out, ' ', (size_t)(item.depth - 1) * 2);
        buf_add(out, item.label);
        item.print(&d, item.node);
        buf_add_char(out, '\n');
        reverse(&d, mark);
    }
    arena_release(&d.arena);
}

/* ---- words ---- */

void dump_word(struct dumper *d, str_t word)
{
    /* Only the first word of a line stands without a blank before it. */
    bool first = d->out->len == 0 || d->out->ptr[d->out->len - 1] == '\n' ||
                 d->out->ptr[d->out->len - 1] == ' ';
    if (!first && word.len > 0)
        buf_add_char(d->out, ' ');
    buf_add(d->out, word);
}

void dump_flag(struct dumper *d, bool flag, str_t word)
{
    if (flag)
        dump_word(d, word);
}

void dump_ident(struct dumper *d, const struct ident *ident)
{
    if (ident != NULL)
        dump_word(d, name_str(ident->name));
}

void dump_idents(struct dumper *d, const struct ident *idents, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            buf_add_char(d->out, ',');
        dump_ident(d, &idents[i]);
    }
}

void dump_name(struct dumper *d, const struct qname *name)
{
    for (uint32_t i = 0; i < name->count; i++) {
        if (i == 0) {
            dump_ident(d, &name->parts[0]);
            continue;
        }
        buf_add_char(d->out, '.');
        buf_add(d->out, name_str(name->parts[i].name));
    }
}

/* A piece of the text on one line: its line breaks become blanks. */
void dump_span(struct dumper *d, span_t span)
{
    dump_word(d, STR(""));
    buf_add_char(d->out, ' ');
    for (uint32_t i = span.start; i < span.end && i < d->text.len; i++) {
        char c = d->text.ptr[i];
        buf_add_char(d->out, c == '\n' || c == '\r' ? ' ' : c);
    }
}

/* ---- lines of names and texts ---- */

struct ident_list {
    const struct ident *idents;
    uint32_t count;
};

static void dump_ident_list(struct dumper *d, const void *node)
{
    const struct ident_list *list = node;
    dump_idents(d, list->idents, list->count);
}

void dump_push_idents(struct dumper *d, str_t label, const struct ident *idents, uint32_t count)
{
    struct ident_list *list = count > 0 ? arena_alloc(&d->arena, sizeof(*list)) : NULL;
    if (list != NULL)
        *list = (struct ident_list){idents, count};
    dump_push(d, label, dump_ident_list, list);
}

static void dump_text(struct dumper *d, const void *node)
{
    const str_t *text = node;
    dump_word(d, *text);
}

void dump_push_text(struct dumper *d, str_t label, str_t text)
{
    str_t *copy = text.len > 0 ? arena_alloc(&d->arena, sizeof(*copy)) : NULL;
    if (copy != NULL)
        *copy = text;
    dump_push(d, label, dump_text, copy);
}

void dump_ident_line(struct dumper *d, const void *node)
{
    dump_ident(d, node);
}

/* ---- expressions ---- */

/* The operators of a chain: one when they are all the same. */
static void dump_chain_operators(struct dumper *d, const struct expr *expr)
{
    bool mixed = false;
    for (uint32_t i = 0; expr->u.ops != NULL && i + 1 < expr->arg_count; i++)
        mixed = mixed || expr->u.ops[i] != expr->op;
    if (!mixed)
        dump_word(d, expr_op_text(expr->op));
    for (uint32_t i = 0; mixed && i + 1 < expr->arg_count; i++)
        dump_word(d, expr_op_text(expr->u.ops[i]));
}

static void dump_call(struct dumper *d, const struct expr *expr)
{
    dump_name(d, &expr->u.name);
    const struct call *call = expr->call;
    if (call == NULL)
        return;
    dump_flag(d, call->distinct, STR("DISTINCT"));
    dump_flag(d, call->all, STR("ALL"));
    dump_flag(d, call->nulls == 1, STR("RESPECT NULLS"));
    dump_flag(d, call->nulls == 2, STR("IGNORE NULLS"));
}

static void push_call_details(struct dumper *d, const struct call *call)
{
    if (call == NULL)
        return;
    dump_push_array(d, STR("within group"), dump_sort_key, call->within_group.items,
                    call->within_group.count, sizeof(struct sort_key));
    dump_push(d, STR("over"), dump_window, call->over);
}

/* What stands on the expression's own line. */
static void dump_expr_head(struct dumper *d, const struct expr *expr)
{
    switch ((enum expr_kind)expr->kind) {
    case EXPR_COLUMN:
    case EXPR_STAR:
    case EXPR_FIELD:
        dump_name(d, &expr->u.name);
        break;
    case EXPR_CALL:
        dump_call(d, expr);
        break;
    case EXPR_CHAIN:
        dump_chain_operators(d, expr);
        break;
    case EXPR_LITERAL:
    case EXPR_INTERVAL:
    case EXPR_VARIABLE:
        dump_span(d, expr->span);
        break;
    case EXPR_UNARY:
    case EXPR_COMPARE:
    case EXPR_IS:
    case EXPR_LIKE:
    case EXPR_QUANTIFIED:
        dump_word(d, expr_op_text(expr->op));
        break;
    case EXPR_PARAMETER:
    case EXPR_CAST:
    case EXPR_CASE:
    case EXPR_BETWEEN:
    case EXPR_IN:
    case EXPR_IN_QUERY:
    case EXPR_EXISTS:
    case EXPR_SUBQUERY:
    case EXPR_INDEX:
    case EXPR_ROW:
    case EXPR_DEFAULT:
        break;
    }
}

static bool has_query(const struct expr *expr)
{
    return expr->kind == EXPR_IN_QUERY || expr->kind == EXPR_QUANTIFIED ||
           expr->kind == EXPR_EXISTS || expr->kind == EXPR_SUBQUERY;
}

void dump_expr(struct dumper *d, const void *node)
{
    const struct expr *expr = node;
    dump_word(d, expr_kind_text(expr->kind));
    dump_expr_head(d, expr);
    dump_flag(d, (expr->flags & EXPR_NEGATED) != 0, STR("negated"));
    dump_flag(d, (expr->flags & QUANTIFIED_ALL) != 0, STR("all"));
    dump_flag(d, (expr->flags & CASE_OPERAND) != 0, STR("operand"));
    dump_flag(d, (expr->flags & CASE_ELSE) != 0, STR("else"));
    if (expr->kind == EXPR_INTERVAL && expr->arg_count == 1 && expr->args[0] != NULL &&
        expr->args[0]->kind == EXPR_LITERAL)
        return;
    dump_push_exprs(d, STR(""), expr->args, expr->arg_count);
    if (expr->kind == EXPR_CAST)
        dump_push(d, STR("as"), dump_type, expr->u.type);
    if (has_query(expr))
        dump_push(d, STR(""), dump_query, expr->u.query);
    if (expr->kind == EXPR_CALL)
        push_call_details(d, expr->call);
}

void dump_sort_key(struct dumper *d, const void *node)
{
    const struct sort_key *key = node;
    dump_flag(d, key->descending, STR("DESC"));
    dump_flag(d, key->nulls == 1, STR("NULLS FIRST"));
    dump_flag(d, key->nulls == 2, STR("NULLS LAST"));
    dump_push(d, STR(""), dump_expr, key->expr);
}

void dump_window(struct dumper *d, const void *node)
{
    const struct window *window = node;
    dump_ident(d, window->base);
    dump_push_exprs(d, STR("partition by"), window->partition_by.items, window->partition_by.count);
    dump_push_array(d, STR("order by"), dump_sort_key, window->order_by.items,
                    window->order_by.count, sizeof(struct sort_key));
    if (window->has_frame)
        dump_push_text(d, STR("frame"), STR("yes"));
    dump_push_exprs(d, STR("bound"), window->frame.items, window->frame.count);
}

/* ---- types ---- */

static str_t type_kind_text(const struct type *type)
{
    switch ((enum type_kind)type->kind) {
    case TYPE_ARRAY:
        return STR("array");
    case TYPE_MAP:
        return STR("map");
    case TYPE_STRUCT:
        return STR("struct");
    case TYPE_UNION:
        return STR("uniontype");
    case TYPE_PRIMITIVE:
        break;
    }
    return name_str(type->name);
}

void dump_type(struct dumper *d, const void *node)
{
    const struct type *type = node;
    dump_word(d, type_kind_text(type));
    for (uint32_t i = 0; i < type->field_count; i++)
        dump_push(d, name_str(type->fields[i].name), dump_type, type->fields[i].type);
}

/* ---- clauses ---- */

static void dump_clause_name(struct dumper *d, const void *node)
{
    dump_name(d, node);
}

/* Words stay on the line; everything else goes below it. */
void dump_clause(struct dumper *d, const void *node)
{
    const struct clause *clause = node;
    dump_word(d, clause->label);
    for (uint32_t i = 0; i < clause->items.count; i++) {
        const struct clause_item *item = &clause->items.items[i];
        switch ((enum clause_item_kind)item->kind) {
        case CLAUSE_WORD:
            dump_span(d, item->u.word);
            break;
        case CLAUSE_NODE:
            dump_push(d, STR(""), dump_clause, item->u.clause);
            break;
        case CLAUSE_EXPR:
            dump_push(d, STR(""), dump_expr, item->u.expr);
            break;
        case CLAUSE_NAME:
            dump_push(d, STR("name"), dump_clause_name, item->u.name);
            break;
        case CLAUSE_TYPE:
            dump_push(d, STR(""), dump_type, item->u.type);
            break;
        case CLAUSE_QUERY:
            dump_push(d, STR(""), dump_query, item->u.query);
            break;
        }
    }
}
