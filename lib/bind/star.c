/*
 * Stars: `*`, `t.*`, a struct's `t.s.*`, and Hive's regular expressions over column names. A star's output is a vertex of its own
 * that depends on the column it stands for, so that a filter of this query can be told from one above or below.
 */
#include "bind/binder.h"
#include "bind/regex.h"

static bool is_complex(const struct type *type)
{
    return type != NULL && type->kind != TYPE_PRIMITIVE;
}

/* Impala leaves collections and structs out of stars unless told otherwise. */
static bool in_star(const struct binder *b, const struct column *column)
{
    if (column->flags & (COLUMN_HIDDEN | COLUMN_FIELD))
        return false;
    return b->dialect != DIALECT_IMPALA || b->in->expand_complex_types || !is_complex(column->type);
}

static bool is_merged(const struct scope *scope, const struct column *column)
{
    for (uint32_t i = 0; i < scope->merged.count; i++)
        if (name_eq(scope->merged.items[i]->name, column->name))
            return true;
    return false;
}

static void star_of_relation(struct binder *b, struct scope *scope, struct relation *relation, bool all,
                             star_visit *visit, void *context)
{
    for (uint32_t i = 0; i < relation->column_count && !b->arena->failed; i++) {
        struct column *column = relation_column(b, relation, i);
        if (column != NULL && in_star(b, column) && (all || !is_merged(scope, column)))
            visit(context, relation, column);
    }
    bool listed_star = relation->kind == RELATION_QUERY; /* an open star below is one of its columns */
    if (relation->open && !listed_star)
        visit(context, relation, relation_star(b, relation));
}

/* t.s.* of a struct column */
static bool star_of_struct(struct binder *b, struct scope *scope, const struct qname *qualifier,
                           star_visit *visit, void *context)
{
    struct resolved found = scope_try(b, scope, qualifier);
    const struct type *type = found.column == NULL ? NULL : found.column->type;
    if (type == NULL || type->kind != TYPE_STRUCT || found.path.len > 0)
        return false;
    for (uint32_t i = 0; i < type->field_count; i++) {
        struct column *field = column_new(b, type->fields[i].name, name_str(type->fields[i].name));
        if (field == NULL)
            return true;
        field->flags = COLUMN_PLAIN;
        field->type = type->fields[i].type;
        deps_add(b, &field->deps, found.column, arena_join(b->arena, STR("."), field->shown), 0);
        visit(context, NULL, field);
    }
    return true;
}

void star_columns(struct binder *b, struct scope *scope, const struct qname *qualifier,
                  star_visit *visit, void *context)
{
    if (qualifier->count == 0) {
        for (uint32_t i = 0; i < scope->merged.count; i++)
            visit(context, NULL, scope->merged.items[i]);
        for (uint32_t i = 0; i < scope->relations.count; i++)
            if (!scope->relations.items[i]->filters_only)
                star_of_relation(b, scope, scope->relations.items[i], false, visit, context);
        return;
    }
    struct relation *relation = scope_relation(scope, qualifier->parts, qualifier->count);
    if (relation != NULL)
        star_of_relation(b, scope, relation, true, visit, context);
    else if (!star_of_struct(b, scope, qualifier, visit, context))
        binder_note(b, DIAG_UNKNOWN_QUALIFIER, qualifier->span, STR("no table goes by the name of "),
                    binder_slice(b, qualifier->span), STR(""));
}

struct star_output {
    struct binder *b;
    struct scope *scope;
    struct bound_query *query;
    span_t span;
    const struct regex *pattern; /* NULL: all columns */
};

static void add_output(void *context, struct relation *relation, struct column *from)
{
    struct star_output *out = context;
    struct binder *b = out->b;
    if (from == NULL || (out->pattern != NULL && !regex_matches(out->pattern, name_str(from->name))))
        return;
    if (from->flags & COLUMN_OPEN) {
        str_t table = from->source == NULL ? STR("a query") : name_str(from->source->table->name);
        binder_note(b, DIAG_OPEN_STAR, out->span, STR("the columns of "), table, STR(" are not known"));
        out->query->open = true;
    }
    struct column *column = column_new(b, from->name, from->shown);
    struct column **slot = VEC_PUSH(b->arena, &out->query->columns);
    if (column == NULL || slot == NULL)
        return;
    column->flags = COLUMN_PLAIN | (from->flags & COLUMN_OPEN);
    column->ordinal = out->query->columns.count - 1;
    column->type = from->type;
    column->query = out->query;
    column->scope = out->scope;
    column->star_of = relation;
    deps_add(b, &column->deps, from, STR(""), 0);
    *slot = column;
}

void bind_star(struct binder *b, struct scope *scope, struct bound_query *query, const struct expr *star)
{
    struct star_output out = {b, scope, query, star->span, NULL};
    star_columns(b, scope, &star->u.name, add_output, &out);
}

/* Hive, quoted identifiers `none`: a lone back-quoted item with a character that no plain name has */
bool is_regex_item(const struct binder *b, const struct select_item *item)
{
    const struct expr *expr = item->expr;
    if (b->dialect != DIALECT_HIVE || b->in->parse_options->quoted_identifiers != QUOTED_NONE || item->alias != NULL || expr == NULL ||
        expr->kind != EXPR_COLUMN || expr->u.name.count > 2 || expr->u.name.count == 0)
        return false;
    const struct ident *last = &expr->u.name.parts[expr->u.name.count - 1];
    if (!last->quoted)
        return false;
    for (uint32_t i = 0; i < last->name.len; i++) {
        char c = last->name.ptr[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
        if (!plain)
            return true;
    }
    return false;
}

void bind_regex(struct binder *b, struct scope *scope, struct bound_query *query, const struct expr *expr)
{
    const struct qname *name = &expr->u.name;
    struct qname qualifier = {name->parts, name->count - 1, name->span};
    struct regex pattern = {name_str(name->parts[name->count - 1].name)};
    struct star_output out = {b, scope, query, expr->span, &pattern};
    star_columns(b, scope, &qualifier, add_output, &out);
}
