/* Views seen through: the stored text is parsed and bound once a statement, in the database where it was made. */
#include "bind/binder.h"

static struct view_entry *find_entry(struct binder *b, struct name name)
{
    for (struct view_entry *entry = b->views; entry != NULL; entry = entry->next)
        if (name_eq(entry->name, name))
            return entry;
    return NULL;
}

static void remember_view(struct binder *b, const struct catalog_table *view)
{
    if (view->kind != TABLE_VIEW)
        return;
    str_t *slot = VEC_PUSH(b->arena, &b->stmt->views);
    if (slot != NULL)
        *slot = name_str(view->name);
}

/* The view's columns, under the names that the catalog has. */
static struct bound_query *with_catalog_names(struct binder *b, struct bound_query *body, const struct catalog_table *view)
{
    if (body == NULL || body->columns.count != view->column_count || body->open)
        return body;
    bool same = true;
    for (uint32_t i = 0; i < view->column_count; i++)
        same = same && name_eq(body->columns.items[i]->name, view->columns[i].name);
    if (same)
        return body;
    struct ident *names = ARENA_ARRAY(b->arena, struct ident, view->column_count);
    for (uint32_t i = 0; names != NULL && i < view->column_count; i++)
        names[i].name = view->columns[i].name;
    return names == NULL ? NULL : query_rename(b, body, names, view->column_count);
}

static struct bound_query *bind_body(struct binder *b, const struct catalog_table *view)
{
    struct parse_options options = {.dialect = view->view_dialect, .quoted_identifiers = QUOTED_COLUMN};
    struct parse_error error = {0};
    struct query *ast = parse_query_text(view->view_text, &options, b->arena, &error);
    if (ast == NULL) {
        binder_note(b, DIAG_BROKEN_VIEW, (span_t){0, 0}, STR("the stored text does not parse of view "), name_str(view->name), STR(""));
        return NULL;
    }
    struct binder outer = *b;
    b->text = view->view_text;
    b->in_script = false;
    b->database = view->view_database;
    b->dialect = view->view_dialect;
    b->ctes = NULL;
    b->aliases = ALIAS_NONE;
    b->clause_override = 0;
    struct bound_query *body = bind_query(b, ast, NULL);
    b->text = outer.text;
    b->in_script = outer.in_script;
    b->database = outer.database;
    b->dialect = outer.dialect;
    b->ctes = outer.ctes;
    b->aliases = outer.aliases;
    b->clause_override = outer.clause_override;
    b->query = outer.query;
    return body;
}

struct bound_query *bind_view(struct binder *b, const struct catalog_table *view)
{
    struct view_entry *entry = find_entry(b, view->name);
    if (entry != NULL && entry->binding) {
        binder_note(b, DIAG_RECURSIVE_VIEW, (span_t){0, 0}, STR("refers to itself: view "), name_str(view->name), STR(""));
        return NULL;
    }
    if (entry != NULL)
        return entry->query;
    if (b->view_depth >= LIMIT_VIEW_DEPTH) {
        binder_note(b, DIAG_TOO_DEEP, (span_t){0, 0}, STR("views are nested too deeply at "), name_str(view->name), STR(""));
        return NULL;
    }
    entry = ARENA_NEW(b->arena, struct view_entry);
    if (entry == NULL)
        return NULL;
    *entry = (struct view_entry){view->name, NULL, true, b->views};
    b->views = entry;
    remember_view(b, view);
    b->view_depth++;
    entry->query = with_catalog_names(b, bind_body(b, view), view);
    b->view_depth--;
    entry->binding = false;
    if (entry->query != NULL)
        entry->query->view_name = name_str(view->name);
    return entry->query;
}
