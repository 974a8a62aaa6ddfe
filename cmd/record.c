/* Member by member, so that the id of a record that goes wrong behind it is known. */
#include "record.h"

#include "base/json.h"

/* A string, or a number's digits; anything else counts as left out. */
static str_t text_of(const struct json *value, bool *given)
{
    *given = value != NULL && (value->kind == JSON_STRING || value->kind == JSON_NUMBER);
    return *given ? value->text : STR("");
}

static void add_catalog(struct record *record, struct arena *arena, const struct json *value)
{
    bool given;
    str_t text = text_of(value, &given);
    str_t *name = given ? VEC_PUSH(arena, &record->catalogs) : NULL;
    if (name != NULL)
        *name = text;
}

/* One name, or a list of them. */
static void take_catalogs(struct record *record, struct arena *arena, const struct json *value)
{
    add_catalog(record, arena, value);
    if (value != NULL && value->kind == JSON_ARRAY)
        for (const struct json *item = value->first; item != NULL; item = item->next)
            add_catalog(record, arena, item);
}

static void take_member(struct record *record, struct arena *arena, str_t key, const struct json *value)
{
    bool given;
    if (str_eq(key, STR("id")))
        record->id = text_of(value, &given);
    else if (str_eq(key, STR("sql")))
        record->sql = text_of(value, &record->has_sql);
    else if (str_eq(key, STR("dialect")))
        record->dialect = text_of(value, &given);
    else if (str_eq(key, STR("database")))
        record->database = text_of(value, &given);
    else if (str_eq(key, STR("catalogs")))
        take_catalogs(record, arena, value);
    else if (str_eq(key, STR("options")))
        record->expand_complex_types = json_member_true(value, STR("expand_complex_types"));
}

const char *record_read(struct record *record, str_t line, struct arena *arena, size_t *where)
{
    struct json_cursor cursor = {.text = line};
    str_t key;
    *record = (struct record){.has_sql = false};
    if (!json_enter(&cursor, JSON_OBJECT))
        cursor.message = "a JSON object is wanted";
    while (json_next_member(&cursor, arena, &key))
        take_member(record, arena, key, json_take(&cursor, arena));
    bool whole = cursor.message == NULL && json_at_end(&cursor);
    *where = cursor.pos;
    return whole && !record->has_sql ? "the record has no \"sql\"" : cursor.message;
}
