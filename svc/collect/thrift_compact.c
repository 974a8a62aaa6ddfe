/* Thrift's compact protocol: numbers of seven bits a byte, zigzag; a field is a byte with the step
 * of its id and its type. */
#include "collect/thrift_compact.h"

static size_t left(const struct thrift *t)
{
    return (size_t)(t->end - t->at);
}

static void fail(struct thrift *t)
{
    t->failed = true;
    t->at = t->end;
}

static uint8_t take_byte(struct thrift *t)
{
    if (left(t) == 0) {
        fail(t);
        return 0;
    }
    return (uint8_t)*t->at++;
}

static void pass(struct thrift *t, size_t count)
{
    if (count > left(t))
        fail(t);
    else
        t->at += count;
}

static uint64_t take_number(struct thrift *t)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        uint8_t byte = take_byte(t);
        if (shift == 63 && byte > 1)
            break;
        number |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return t->failed ? 0 : number;
    }
    fail(t);
    return 0;
}

int64_t thrift_integer(struct thrift *t)
{
    uint64_t number = take_number(t);
    return (int64_t)(number >> 1 ^ (0 - (number & 1)));
}

str_t thrift_binary(struct thrift *t)
{
    uint64_t len = take_number(t);
    const char *at = t->at;
    if (len > left(t)) {
        fail(t);
        return STR("");
    }
    t->at += len;
    return str_make(at, (size_t)len);
}

static enum thrift_type type_of(struct thrift *t, unsigned type)
{
    if (type > THRIFT_UUID) {
        fail(t);
        return THRIFT_STOP;
    }
    return (enum thrift_type)type;
}

bool thrift_next_field(struct thrift *t, struct thrift_field *field)
{
    uint8_t byte = take_byte(t);
    field->type = type_of(t, byte & 0x0F);
    if (t->failed || field->type == THRIFT_STOP)
        return false;
    int64_t id = byte >> 4 == 0 ? thrift_integer(t) : (int64_t)field->id + (byte >> 4);
    if (id < INT16_MIN || id > INT16_MAX)
        fail(t);
    field->id = (int16_t)id;
    return !t->failed;
}

/* Every item has a byte at least, so a count beyond the bytes is a lie. */
static size_t counted(struct thrift *t, uint64_t count, size_t least)
{
    if (count > left(t) / least) {
        fail(t);
        return 0;
    }
    return (size_t)count;
}

struct thrift_items thrift_list(struct thrift *t)
{
    uint8_t byte = take_byte(t);
    struct thrift_items items = {.value = type_of(t, byte & 0x0F)};
    uint64_t count = byte >> 4 == 15 ? take_number(t) : byte >> 4;
    items.count = counted(t, count, 1);
    return items;
}

struct thrift_items thrift_map(struct thrift *t)
{
    struct thrift_items items = {.count = counted(t, take_number(t), 2)};
    if (items.count == 0)
        return items;
    uint8_t types = take_byte(t);
    items.key = type_of(t, types >> 4);
    items.value = type_of(t, types & 0x0F);
    if (t->failed)
        items.count = 0;
    return items;
}

/* ---- skipping ------------------------------------------------------------------------------ */

/* A container that is being skipped: a struct, or so many values of two types in turn. */
struct level {
    bool is_struct;
    struct thrift_field field;
    size_t values;
    enum thrift_type type, other;
};

static struct level level_of(struct thrift *t, enum thrift_type type)
{
    if (type == THRIFT_STRUCT)
        return (struct level){.is_struct = true};
    if (type == THRIFT_MAP) {
        struct thrift_items items = thrift_map(t);
        return (struct level){.values = items.count * 2, .type = items.key, .other = items.value};
    }
    struct thrift_items items = thrift_list(t);
    return (struct level){.values = items.count, .type = items.value, .other = items.value};
}

/* The type of the next value in a container; false at its end. */
static bool next_value(struct thrift *t, struct level *level, enum thrift_type *type)
{
    if (level->is_struct) {
        bool more = thrift_next_field(t, &level->field);
        *type = level->field.type;
        return more;
    }
    if (level->values == 0)
        return false;
    level->values--;
    *type = level->type;
    level->type = level->other;
    level->other = *type;
    return true;
}

/* A truth value is in the field's own byte, but a byte of its own among the items of a list. */
static void skip_scalar(struct thrift *t, enum thrift_type type, bool is_field)
{
    switch (type) {
    case THRIFT_TRUE:
    case THRIFT_FALSE:
        pass(t, is_field ? 0 : 1);
        break;
    case THRIFT_BYTE:
        pass(t, 1);
        break;
    case THRIFT_I16:
    case THRIFT_I32:
    case THRIFT_I64:
        take_number(t);
        break;
    case THRIFT_DOUBLE:
        pass(t, 8);
        break;
    case THRIFT_BINARY:
        thrift_binary(t);
        break;
    case THRIFT_UUID:
        pass(t, 16);
        break;
    case THRIFT_STOP:
    case THRIFT_LIST:
    case THRIFT_SET:
    case THRIFT_MAP:
    case THRIFT_STRUCT:
        fail(t);
        break;
    }
}

static bool is_container(enum thrift_type type)
{
    return type == THRIFT_LIST || type == THRIFT_SET || type == THRIFT_MAP || type == THRIFT_STRUCT;
}

static void skip_container(struct thrift *t, enum thrift_type type)
{
    struct level levels[THRIFT_DEPTH_MAX];
    size_t depth = 1;
    levels[0] = level_of(t, type);
    while (depth > 0 && !t->failed) {
        struct level *level = &levels[depth - 1];
        if (!next_value(t, level, &type))
            depth--;
        else if (!is_container(type))
            skip_scalar(t, type, level->is_struct);
        else if (depth < THRIFT_DEPTH_MAX)
            levels[depth++] = level_of(t, type);
        else
            fail(t);
    }
}

void thrift_skip(struct thrift *t, enum thrift_type type)
{
    if (is_container(type))
        skip_container(t, type);
    else
        skip_scalar(t, type, true);
}
