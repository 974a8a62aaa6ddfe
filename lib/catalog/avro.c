/*
 * Avro's types → column types. The schema is JSON; its nesting is followed with a small depth limit, beyond which a
 * type counts as not known.
 */
#include "catalog/avro.h"

#include "base/json.h"

enum {
    AVRO_DEPTH = 32 /* real schemas have a handful of levels */
};

struct word_pair {
    str_t avro, ours;
};

static const struct word_pair primitives[] = {
    {STR("string"), STR("string")}, {STR("int"), STR("int")},         {STR("long"), STR("bigint")},
    {STR("float"), STR("float")},   {STR("double"), STR("double")},   {STR("boolean"), STR("boolean")},
    {STR("bytes"), STR("binary")},  {STR("fixed"), STR("binary")},    {STR("enum"), STR("string")},
    {STR("null"), STR("void")},
};

static const struct word_pair logicals[] = {
    {STR("date"), STR("date")},
    {STR("timestamp-millis"), STR("timestamp")},
    {STR("timestamp-micros"), STR("timestamp")},
};

/* Types that stand side by side in a struct or union. */
struct type_list {
    VEC(str_t) list;
    bool unknown; /* one of them is not known, so the whole is not */
};

static str_t avro_type(struct arena *arena, const struct json *schema, int depth);

static void list_add(struct arena *arena, struct type_list *types, str_t prefix, str_t type)
{
    str_t *place = VEC_PUSH(arena, &types->list);
    types->unknown = types->unknown || type.len == 0;
    if (place != NULL)
        *place = prefix.len == 0 ? type : arena_join(arena, prefix, type);
}

/* opening type ',' type .. '>' ; empty when a type is not known */
static str_t list_text(struct arena *arena, str_t opening, const struct type_list *types)
{
    size_t len = opening.len + types->list.count;
    for (uint32_t i = 0; i < types->list.count; i++)
        len += types->list.items[i].len;
    char *text = types->unknown || types->list.count == 0 ? NULL : arena_alloc(arena, len), *at = text;
    if (text == NULL)
        return STR("");
    memcpy(at, opening.ptr, opening.len);
    at += opening.len;
    for (uint32_t i = 0; i < types->list.count; i++) {
        str_t type = types->list.items[i];
        memcpy(at, type.ptr, type.len);
        at += type.len;
        *at++ = i + 1 < types->list.count ? ',' : '>';
    }
    return str_make(text, len);
}

static str_t primitive_type(str_t name)
{
    for (size_t i = 0; i < sizeof primitives / sizeof primitives[0]; i++)
        if (str_eq(primitives[i].avro, name))
            return primitives[i].ours;
    return STR("");
}

static str_t member_number(const struct json *schema, str_t key, str_t otherwise)
{
    const struct json *member = json_member(schema, key);
    return member != NULL && member->kind == JSON_NUMBER ? member->text : otherwise;
}

static str_t decimal_type(struct arena *arena, const struct json *schema)
{
    str_t precision = arena_join(arena, STR("decimal("), member_number(schema, STR("precision"), STR("10")));
    str_t scale = arena_join(arena, STR(","), member_number(schema, STR("scale"), STR("0")));
    return arena_join(arena, arena_join(arena, precision, scale), STR(")"));
}

static str_t logical_type(struct arena *arena, const struct json *schema)
{
    str_t name = json_member_text(schema, STR("logicalType"));
    if (str_eq(name, STR("decimal")))
        return decimal_type(arena, schema);
    for (size_t i = 0; i < sizeof logicals / sizeof logicals[0]; i++)
        if (str_eq(logicals[i].avro, name))
            return logicals[i].ours;
    return STR("");
}

/* opening inner '>' */
static str_t wrap_type(struct arena *arena, str_t opening, str_t inner)
{
    struct type_list one = {0};
    list_add(arena, &one, STR(""), inner);
    return list_text(arena, opening, &one);
}

/* ["null", X] is X; other unions are Hive's uniontype. */
static str_t union_type(struct arena *arena, const struct json *schema, int depth)
{
    struct type_list branches = {0};
    for (const struct json *branch = schema->first; branch != NULL; branch = branch->next)
        if (branch->kind != JSON_STRING || !str_eq(branch->text, STR("null")))
            list_add(arena, &branches, STR(""), avro_type(arena, branch, depth));
    if (branches.list.count == 1)
        return branches.list.items[0];
    return list_text(arena, STR("uniontype<"), &branches);
}

static str_t record_type(struct arena *arena, const struct json *schema, int depth)
{
    const struct json *fields = json_member(schema, STR("fields"));
    struct type_list types = {0};
    for (const struct json *field = fields == NULL ? NULL : fields->first; field != NULL; field = field->next) {
        str_t name = name_str(arena_name(arena, json_member_text(field, STR("name"))));
        const struct json *type = json_member(field, STR("type"));
        str_t text = type == NULL ? STR("") : avro_type(arena, type, depth);
        types.unknown = types.unknown || name.len == 0;
        list_add(arena, &types, arena_join(arena, name, STR(":")), text);
    }
    return list_text(arena, STR("struct<"), &types);
}

static str_t object_type(struct arena *arena, const struct json *schema, int depth)
{
    const struct json *type = json_member(schema, STR("type"));
    const struct json *items = json_member(schema, STR("items")), *values = json_member(schema, STR("values"));
    str_t logical = logical_type(arena, schema);
    if (logical.len > 0 || type == NULL)
        return logical;
    if (str_eq(type->text, STR("record")))
        return record_type(arena, schema, depth);
    if (str_eq(type->text, STR("array")) && items != NULL)
        return wrap_type(arena, STR("array<"), avro_type(arena, items, depth));
    if (str_eq(type->text, STR("map")) && values != NULL)
        return wrap_type(arena, STR("map<string,"), avro_type(arena, values, depth));
    return avro_type(arena, type, depth);
}

static str_t avro_type(struct arena *arena, const struct json *schema, int depth)
{
    if (depth >= AVRO_DEPTH)
        return STR("");
    if (schema->kind == JSON_ARRAY)
        return union_type(arena, schema, depth + 1);
    if (schema->kind == JSON_OBJECT)
        return object_type(arena, schema, depth + 1);
    return primitive_type(schema->text);
}

uint32_t avro_columns(struct arena *arena, str_t schema, struct catalog_column **out)
{
    const char *message;
    size_t where;
    VEC(struct catalog_column) columns = {0};
    const struct json *root = schema.len == 0 ? NULL : json_read(arena, schema, &message, &where);
    const struct json *fields = json_member(root, STR("fields"));
    for (const struct json *field = fields == NULL ? NULL : fields->first; field != NULL; field = field->next) {
        str_t name = json_member_text(field, STR("name"));
        const struct json *type = json_member(field, STR("type"));
        struct catalog_column *column = name.len == 0 ? NULL : VEC_PUSH(arena, &columns);
        if (column == NULL)
            continue;
        column->name = arena_name(arena, name);
        column->shown = name;
        column->type = type == NULL ? STR("") : avro_type(arena, type, 0);
        column->comment = json_member_text(field, STR("doc"));
    }
    *out = columns.items;
    return arena->failed ? 0 : columns.count;
}
