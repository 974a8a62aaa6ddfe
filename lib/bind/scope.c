/*
 * Names → columns. A name is looked up in the scope at hand, then in those around it. In one scope the order is: columns merged by
 * USING, columns that relations list, columns that open relations may have. Of a dotted name the relation comes
 * first (t.c, db.t.c), then a column with fields below it (hive-sql.md 4.5; impala-sql.md 8).
 */
#include "bind/binder.h"

enum {
    INDEX_FROM = 12 /* relations from which an alias is searched by hash */
};

struct scope *scope_new(struct binder *b, struct scope *parent)
{
    struct scope *scope = ARENA_NEW(b->arena, struct scope);
    if (scope == NULL)
        return NULL;
    scope->parent = parent;
    scope->text = b->text;
    scope->in_script = b->in_script;
    return scope;
}

static void index_aliases(struct binder *b, struct scope *scope)
{
    if (scope->relations.count < INDEX_FROM || scope->index_shared)
        return;
    for (; scope->indexed < scope->relations.count; scope->indexed++) {
        struct relation *relation = scope->relations.items[scope->indexed];
        void **place = name_map_place(&scope->by_alias, b->arena, relation->alias);
        if (place == NULL)
            return;
        *place = relation;
    }
}

void scope_add(struct binder *b, struct scope *scope, struct relation *relation)
{
    if (relation == NULL)
        return;
    relation->number = scope->relations.count;
    struct relation **slot = VEC_PUSH(b->arena, &scope->relations);
    if (slot != NULL)
        *slot = relation;
    index_aliases(b, scope);
}

static bool qualifier_matches(const struct relation *relation, const struct ident *parts, uint32_t count)
{
    if (count == 1)
        return name_eq(relation->alias, parts[0].name);
    return count == 2 && relation->table.len > 0 && name_eq(relation->table, parts[1].name) && str_eq(relation->db, name_str(parts[0].name));
}

struct relation *scope_relation(struct scope *scope, const struct ident *parts, uint32_t count)
{
    uint32_t first = count == 1 ? scope->indexed : 0;
    for (uint32_t i = scope->relations.count; i-- > first;)
        if (qualifier_matches(scope->relations.items[i], parts, count))
            return scope->relations.items[i];
    return first == 0 ? NULL : name_map_get(&scope->by_alias, parts[0].name);
}

/* ".city.zip" of the parts from `from` on. */
static str_t path_of(struct binder *b, const struct qname *name, uint32_t from)
{
    if (from >= name->count)
        return STR("");
    str_t path = STR("");
    for (uint32_t i = from; i < name->count; i++)
        path = arena_join(b->arena, path, arena_join(b->arena, STR("."), name_str(name->parts[i].name)));
    return path;
}

static struct column *find_merged(const struct scope *scope, struct name name)
{
    for (uint32_t i = 0; i < scope->merged.count; i++)
        if (name_eq(scope->merged.items[i]->name, name))
            return scope->merged.items[i];
    return NULL;
}

/* One more column that a name may mean. Nearly every name means one only, so the list begins with the second. */
static void add_candidate(struct binder *b, struct deps *candidates, struct column **first, uint32_t *count, struct column *column)
{
    if (*first == NULL)
        *first = column;
    if (*count == 1 && candidates != NULL)
        deps_add(b, candidates, *first, STR(""), 0);
    if (*count > 0 && candidates != NULL)
        deps_add(b, candidates, column, STR(""), 0);
    ++*count;
}

/* All columns of that name that relations list; the first is returned, all go to `candidates` when there are several. */
static struct column *find_unqualified(struct binder *b, struct scope *scope, struct name name, struct deps *candidates,
                                       uint32_t *count, struct relation **where)
{
    struct column *found = find_merged(scope, name);
    if (found != NULL) {
        *count = 1;
        return found;
    }
    for (uint32_t i = 0; i < scope->relations.count; i++) {
        struct relation *relation = scope->relations.items[i];
        struct column *column = relation->filters_only ? NULL : relation_find(b, relation, name);
        if (column == NULL)
            continue;
        if (found == NULL)
            *where = relation;
        add_candidate(b, candidates, &found, count, column);
    }
    return found;
}

/* Relations that may have the column because not all of theirs are known. */
static struct column *assume_unqualified(struct binder *b, struct scope *scope, const struct ident *ident, struct deps *candidates,
                                         uint32_t *count)
{
    struct column *found = NULL;
    for (uint32_t i = 0; i < scope->relations.count; i++) {
        struct relation *relation = scope->relations.items[i];
        if (!relation->open || relation->filters_only)
            continue;
        struct column *column = relation_assume(b, relation, ident->name, binder_slice(b, ident->span));
        add_candidate(b, candidates, &found, count, column);
    }
    return found;
}

static struct column *find_in_relation(struct binder *b, struct relation *relation, const struct ident *ident)
{
    struct column *column = relation_find(b, relation, ident->name);
    if (column == NULL && relation->open)
        column = relation_assume(b, relation, ident->name, binder_slice(b, ident->span));
    return column;
}

/* t.c.path or db.t.c.path */
static bool resolve_qualified(struct binder *b, struct scope *scope, const struct qname *name, struct resolved *out)
{
    for (uint32_t parts = 1; parts <= 2 && parts < name->count; parts++) {
        struct relation *relation = scope_relation(scope, name->parts, parts);
        struct column *column = relation == NULL ? NULL : find_in_relation(b, relation, &name->parts[parts]);
        if (column != NULL) {
            *out = (struct resolved){column, path_of(b, name, parts + 1), relation};
            return true;
        }
    }
    return false;
}

/* One scope. `assume`: columns of open relations too. */
static bool resolve_here(struct binder *b, struct scope *scope, const struct qname *name, struct deps *candidates, bool assume,
                         struct resolved *out, uint32_t *count)
{
    if (name->count > 1 && resolve_qualified(b, scope, name, out)) {
        *count = 1;
        return true;
    }
    const struct ident *first = &name->parts[0];
    struct relation *relation = NULL;
    struct column *column = find_unqualified(b, scope, first->name, candidates, count, &relation);
    /* x.y of an unknown x is rather a table that is missing than a field of a column nobody listed */
    if (column == NULL && assume && name->count == 1)
        column = assume_unqualified(b, scope, first, candidates, count);
    if (column == NULL)
        return false;
    *out = (struct resolved){column, path_of(b, name, 1), relation};
    return true;
}

struct resolved scope_try(struct binder *b, struct scope *scope, const struct qname *name)
{
    struct resolved out = {NULL, STR(""), NULL};
    uint32_t count = 0;
    if (name->count > 0)
        resolve_here(b, scope, name, NULL, false, &out, &count);
    return out;
}

/* x.y where x is nothing that is known: a field of a column of the only open relation, if any. */
static bool assume_field(struct binder *b, struct scope *scope, const struct qname *name, struct resolved *out)
{
    uint32_t count = 0;
    for (struct scope *s = scope; s != NULL; s = s->parent) {
        struct column *column = assume_unqualified(b, s, &name->parts[0], NULL, &count);
        if (column != NULL && count == 1) {
            *out = (struct resolved){column, path_of(b, name, 1), column->relation};
            return true;
        }
    }
    return false;
}

void scope_say_unresolved(struct binder *b, struct scope *scope, const struct qname *name)
{
    str_t written = binder_slice(b, name->span);
    if (name->count > 1 && scope_relation(scope, name->parts, 1) == NULL)
        binder_note(b, DIAG_UNKNOWN_QUALIFIER, name->span, STR("no table goes by the qualifier of "), written, STR(""));
    else
        binder_note(b, DIAG_UNRESOLVED_COLUMN, name->span, STR("no table here has a column "), written, STR(""));
}

struct resolved scope_resolve(struct binder *b, struct scope *scope, const struct qname *name, struct deps *candidates)
{
    struct resolved out = {NULL, STR(""), NULL};
    if (name->count == 0)
        return out;
    for (struct scope *s = scope; s != NULL; s = s->parent) {
        uint32_t count = 0;
        if (!resolve_here(b, s, name, candidates, true, &out, &count))
            continue;
        if (count > 1)
            binder_note(b, DIAG_AMBIGUOUS_COLUMN, name->span, STR("more than one table here may have the column "),
                        binder_slice(b, name->span), STR(""));
        else if (candidates != NULL)
            candidates->count = 0;
        return out;
    }
    if (name->count > 1 && assume_field(b, scope, name, &out))
        return out;
    return out;
}

struct column *scope_alias(struct scope *scope, struct name name)
{
    struct bound_query *query = scope->query;
    for (uint32_t i = 0; query != NULL && i < query->columns.count; i++)
        if (name_eq(query->columns.items[i]->name, name))
            return query->columns.items[i];
    return NULL;
}

/* The relation that a column taken as assumed belongs to. */
static struct relation *relation_of(struct scope *scope, const struct resolved *found)
{
    for (uint32_t i = 0; found->relation == NULL && i < scope->relations.count; i++)
        if (scope->relations.items[i] == found->column->relation)
            return scope->relations.items[i];
    return found->relation;
}

/* Of a semi join's right side, which only its own ON sees. */
static bool find_hidden(struct binder *b, struct scope *scope, struct name name, struct resolved *out)
{
    for (uint32_t i = 0; i < scope->relations.count; i++) {
        struct relation *relation = scope->relations.items[i];
        struct column *column = relation->filters_only ? relation_find(b, relation, name) : NULL;
        if (column != NULL) {
            *out = (struct resolved){column, STR(""), relation};
            return true;
        }
    }
    return false;
}

bool bind_find(struct arena *arena, struct bound_statement *bound, struct scope *scope, const struct qname *name, enum dialect dialect,
               struct bound_name *out)
{
    struct binder b = {.arena = arena, .stmt = bound, .dialect = dialect, .text = scope->text};
    for (struct scope *s = scope; s != NULL && name->count > 0; s = s->parent) {
        struct resolved found = {NULL, STR(""), NULL};
        uint32_t count = 0;
        if (!resolve_here(&b, s, name, NULL, true, &found, &count) && !find_hidden(&b, s, name->parts[0].name, &found))
            continue;
        *out = (struct bound_name){s, relation_of(s, &found), found.column, found.path};
        return true;
    }
    return false;
}

struct column *bind_relation_column(struct arena *arena, struct bound_statement *bound, struct relation *relation, uint32_t ordinal)
{
    struct binder b = {.arena = arena, .stmt = bound};
    return ordinal < relation->column_count ? relation_column(&b, relation, ordinal) : NULL;
}

struct column *bind_relation_find(struct arena *arena, struct bound_statement *bound, struct relation *relation, struct name name)
{
    struct binder b = {.arena = arena, .stmt = bound};
    return relation_find(&b, relation, name);
}
