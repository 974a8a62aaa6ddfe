/*
 * Macros: what a macro's body makes of its parameters is worked out once for a statement, whatever the number of its uses. A use then
 * needs only the arguments, each in the roles that its parameter has in the body. Macros may use macros; a body that
 * uses its own macro, as it can after a redefinition, is not looked into again.
 */
#include "bind/macro.h"

static struct macro_entry *find_entry(const struct binder *b, const struct create_function *definition)
{
    for (struct macro_entry *entry = b->macros; entry != NULL; entry = entry->next)
        if (entry->definition == definition)
            return entry;
    return NULL;
}

/* A scope in which the parameters are the only columns. */
static struct scope *params_scope(struct binder *b, const struct catalog_macro *macro, struct relation **out)
{
    struct relation *params = *out = relation_new(b, RELATION_LATERAL, NAME(""));
    struct scope *scope = scope_new(b, NULL);
    if (params == NULL || scope == NULL)
        return NULL;
    for (uint32_t i = 0; i < macro->definition->param_count; i++) {
        struct name name = macro->definition->params[i].name.name;
        struct column *param = column_new(b, name, name_str(name));
        if (param == NULL || relation_add(b, params, param) == NULL)
            return NULL;
        param->ordinal = i;
    }
    scope_add(b, scope, params);
    scope->text = macro->text;
    scope->in_script = false;
    return scope;
}

static bool has_use(const struct macro_entry *entry, uint32_t param, uint32_t roles)
{
    for (uint32_t i = 0; i < entry->uses.count; i++)
        if (entry->uses.items[i].param == param && entry->uses.items[i].roles == roles)
            return true;
    return false;
}

/* Which of the body's dependencies are parameters, in which roles. */
static void note_uses(struct binder *b, struct macro_entry *entry, const struct deps *body, const struct relation *params)
{
    for (uint32_t i = 0; i < body->count; i++) {
        const struct dep *dep = &body->items[i];
        uint32_t param = dep->column == NULL ? params->extra.count : dep->column->ordinal;
        bool is_param = param < params->extra.count && params->extra.items[param] == dep->column;
        if (!is_param || has_use(entry, param, dep->roles))
            continue;
        struct macro_param_use *use = VEC_PUSH(b->arena, &entry->uses);
        if (use != NULL)
            *use = (struct macro_param_use){param, dep->roles};
    }
}

static void bind_body(struct binder *b, struct macro_entry *entry, const struct catalog_macro *macro)
{
    struct relation *params;
    struct scope *scope = params_scope(b, macro, &params);
    struct deps body = {NULL, 0, 0};
    str_t text = b->text;
    bool in_script = b->in_script;
    if (scope == NULL)
        return;
    b->text = macro->text;
    b->in_script = false;
    bind_expr(b, scope, macro->definition->body, &body, NULL);
    b->text = text;
    b->in_script = in_script;
    note_uses(b, entry, &body, params);
}

const struct macro_entry *bind_macro(struct binder *b, const struct catalog_macro *macro)
{
    struct macro_entry *entry = find_entry(b, macro->definition);
    if (entry != NULL)
        return entry->binding ? NULL : entry;
    entry = b->macro_depth == LIMIT_VIEW_DEPTH ? NULL : ARENA_NEW(b->arena, struct macro_entry);
    if (entry == NULL)
        return NULL;
    *entry = (struct macro_entry){.definition = macro->definition, .binding = true, .next = b->macros};
    b->macros = entry;
    b->macro_depth++;
    bind_body(b, entry, macro);
    b->macro_depth--;
    entry->binding = false;
    return entry;
}
