/*
 * Writing and reading by table. Each type has a row of three functions, so the loops know nothing
 * of types. Members come in the table's order when we wrote them, so each is looked for where the
 * last one was found.
 */
#include "record/fields.h"

#include "base/utf8.h"
#include "record/members.h"

/* What reading needs besides the place to fill. */
struct reading {
    struct arena *arena;
    struct reasons *reasons;
};

struct type_functions {
    bool (*absent)(const struct field *field, const char *record);
    void (*write)(struct jsonw *w, const struct field *field, const char *record);
    /* False with a word on what was expected. */
    bool (*read)(const struct reading *r, const struct field *field, const struct member *m,
                 char *record);
    const char *expected;
};

static const struct type_functions *functions_of(enum field_type type);

/* ---- reasons -------------------------------------------------------------------------------- */

void reasons_add(struct reasons *reasons, str_t member, const char *what)
{
    if (reasons->text.len > 0)
        BUF_ADD(&reasons->text, "; ");
    buf_add(&reasons->text, member);
    if (member.len > 0)
        BUF_ADD(&reasons->text, ": ");
    buf_add(&reasons->text, str_make(what, strlen(what)));
}

bool reasons_give(struct reasons *reasons, struct arena *arena, str_t *text)
{
    bool none = reasons->text.len == 0 && !reasons->text.failed;
    *text = none ? STR("") : arena_copy(arena, buf_str(&reasons->text));
    if (!none && text->len == 0)
        *text = STR("out of memory");
    buf_release(&reasons->text);
    return none;
}

/* ---- places in the struct ------------------------------------------------------------------- */

static uint32_t get_u32(const char *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint64_t get_u64(const char *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static str_t get_text(const char *at)
{
    str_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static const void *get_pointer(const char *at)
{
    const void *value;
    memcpy(&value, at, sizeof value);
    return value;
}

static void put_u32(char *at, uint32_t value)
{
    memcpy(at, &value, sizeof value);
}

static void put_u64(char *at, uint64_t value)
{
    memcpy(at, &value, sizeof value);
}

static void put_items(const struct field *field, char *record, void *items, uint32_t count)
{
    memcpy(record + field->offset, &items, sizeof items);
    put_u32(record + field->count_offset, count);
}

/* ---- numbers -------------------------------------------------------------------------------- */

static bool never_absent(const struct field *field, const char *record)
{
    (void)field;
    (void)record;
    return false;
}

static bool absent_u32(const struct field *field, const char *record)
{
    return get_u32(record + field->offset) == 0;
}

static void write_u32(struct jsonw *w, const struct field *field, const char *record)
{
    jsonw_number(w, get_u32(record + field->offset));
}

static bool read_u32(const struct reading *r, const struct field *field, const struct member *m,
                     char *record)
{
    int64_t number;
    (void)r;
    if (!member_integer(m, &number) || number < 0 || number > (int64_t)UINT32_MAX)
        return false;
    put_u32(record + field->offset, (uint32_t)number);
    return true;
}

static bool absent_u64(const struct field *field, const char *record)
{
    return get_u64(record + field->offset) == 0;
}

static void write_u64(struct jsonw *w, const struct field *field, const char *record)
{
    jsonw_number(w, get_u64(record + field->offset));
}

static bool read_u64(const struct reading *r, const struct field *field, const struct member *m,
                     char *record)
{
    uint64_t number;
    (void)r;
    if (!member_unsigned(m, &number))
        return false;
    put_u64(record + field->offset, number);
    return true;
}

/* Times and durations. */
static bool read_i64(const struct reading *r, const struct field *field, const struct member *m,
                     char *record)
{
    int64_t number;
    (void)r;
    if (!member_integer(m, &number) || number < 0)
        return false;
    put_u64(record + field->offset, (uint64_t)number);
    return true;
}

static bool absent_duration(const struct field *field, const char *record)
{
    return (int64_t)get_u64(record + field->offset) == -1;
}

static bool absent_partition(const struct field *field, const char *record)
{
    return (int32_t)get_u32(record + field->offset) == -1;
}

static bool read_partition(const struct reading *r, const struct field *field,
                           const struct member *m, char *record)
{
    int64_t number;
    (void)r;
    if (!member_integer(m, &number) || number < 0 || number > INT32_MAX)
        return false;
    put_u32(record + field->offset, (uint32_t)number);
    return true;
}

static void write_hex(struct jsonw *w, const struct field *field, const char *record)
{
    static const char digits[] = "0123456789abcdef";
    char text[16];
    uint64_t value = get_u64(record + field->offset);
    for (size_t i = sizeof text; i-- > 0; value >>= 4)
        text[i] = digits[value & 15];
    jsonw_string(w, str_make(text, sizeof text));
}

static bool read_hex(const struct reading *r, const struct field *field, const struct member *m,
                     char *record)
{
    uint64_t value = 0;
    (void)r;
    if (m->kind != JSON_STRING || m->value.len != 16)
        return false;
    for (size_t i = 0; i < 16; i++) {
        char c = m->value.ptr[i];
        bool digit = c >= '0' && c <= '9';
        if (!digit && (c < 'a' || c > 'f'))
            return false;
        value = value << 4 | (uint64_t)(digit ? c - '0' : c - 'a' + 10);
    }
    put_u64(record + field->offset, value);
    return true;
}

/* ---- flags and texts ------------------------------------------------------------------------ */

static bool absent_flag(const struct field *field, const char *record)
{
    return record[field->offset] == 0;
}

static void write_flag(struct jsonw *w, const struct field *field, const char *record)
{
    jsonw_bool(w, record[field->offset] != 0);
}

static bool read_flag(const struct reading *r, const struct field *field, const struct member *m,
                      char *record)
{
    (void)r;
    record[field->offset] = m->kind == JSON_TRUE;
    return m->kind == JSON_TRUE || m->kind == JSON_FALSE;
}

static bool absent_text(const struct field *field, const char *record)
{
    return get_text(record + field->offset).len == 0;
}

static void write_text(struct jsonw *w, const struct field *field, const char *record)
{
    jsonw_string(w, get_text(record + field->offset));
}

static bool read_text(const struct reading *r, const struct field *field, const struct member *m,
                      char *record)
{
    str_t text;
    if (m->kind != JSON_STRING || !member_text(m, r->arena, &text))
        return false;
    memcpy(record + field->offset, &text, sizeof text);
    return true;
}

static void write_json(struct jsonw *w, const struct field *field, const char *record)
{
    jsonw_raw(w, get_text(record + field->offset));
}

static bool read_json(const struct reading *r, const struct field *field, const struct member *m,
                      char *record)
{
    (void)r;
    memcpy(record + field->offset, &m->value, sizeof m->value);
    return m->kind == JSON_OBJECT;
}

static bool absent_items(const struct field *field, const char *record)
{
    return get_u32(record + field->count_offset) == 0;
}

static void write_texts(struct jsonw *w, const struct field *field, const char *record)
{
    const str_t *items = get_pointer(record + field->offset);
    uint32_t count = get_u32(record + field->count_offset);
    jsonw_array_begin(w);
    for (uint32_t i = 0; i < count; i++)
        jsonw_string(w, items[i]);
    jsonw_array_end(w);
}

static bool read_texts(const struct reading *r, const struct field *field, const struct member *m,
                       char *record)
{
    VEC(str_t) texts = {0};
    struct member item;
    if (m->kind != JSON_ARRAY)
        return false;
    struct member_reader items = member_reader_of(m->value);
    while (member_next(&items, &item)) {
        str_t *text = VEC_PUSH(r->arena, &texts);
        if (text == NULL || item.kind != JSON_STRING || !member_text(&item, r->arena, text))
            return false;
    }
    put_items(field, record, texts.items, texts.count);
    return true;
}

/* ---- names ---------------------------------------------------------------------------------- */

bool name_to_enum(const struct field_names *names, str_t name, uint32_t *value)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (str_eq(names->names[i], name)) {
            *value = i;
            return true;
        }
    return false;
}

static void write_name(struct jsonw *w, const struct field *field, const char *record)
{
    uint32_t value = get_u32(record + field->offset);
    jsonw_string(w, value < field->names->count ? field->names->names[value] : STR("?"));
}

static bool read_name(const struct reading *r, const struct field *field, const struct member *m,
                      char *record)
{
    uint32_t value;
    (void)r;
    if (m->kind != JSON_STRING || !name_to_enum(field->names, m->value, &value))
        return false;
    put_u32(record + field->offset, value);
    return true;
}

static void write_name_set(struct jsonw *w, const struct field *field, const char *record)
{
    uint32_t bits = get_u32(record + field->offset);
    jsonw_array_begin(w);
    for (uint32_t i = 0; i < field->names->count; i++)
        if (bits >> i & 1)
            jsonw_string(w, field->names->names[i]);
    jsonw_array_end(w);
}

static bool read_name_set(const struct reading *r, const struct field *field,
                          const struct member *m, char *record)
{
    uint32_t bits = 0, value;
    struct member item;
    (void)r;
    if (m->kind != JSON_ARRAY)
        return false;
    struct member_reader items = member_reader_of(m->value);
    while (member_next(&items, &item)) {
        if (item.kind != JSON_STRING || !name_to_enum(field->names, item.value, &value))
            return false;
        bits |= (uint32_t)1 << value;
    }
    put_u32(record + field->offset, bits);
    return true;
}

/* ---- structs within ------------------------------------------------------------------------- */

static void write_object(struct jsonw *w, const struct field *field, const char *record)
{
    fields_write(w, field->inside, record + field->offset);
}

static bool read_object(const struct reading *r, const struct field *field, const struct member *m,
                        char *record)
{
    if (m->kind != JSON_OBJECT)
        return false;
    (void)fields_read(m->value, field->inside, record + field->offset, r->arena, r->reasons);
    return true;
}

static void write_objects(struct jsonw *w, const struct field *field, const char *record)
{
    const char *items = get_pointer(record + field->offset);
    uint32_t count = get_u32(record + field->count_offset);
    jsonw_array_begin(w);
    for (uint32_t i = 0; i < count; i++)
        fields_write(w, field->inside, items + (size_t)i * field->inside->size);
    jsonw_array_end(w);
}

static uint32_t count_items(str_t array)
{
    struct member item;
    struct member_reader items = member_reader_of(array);
    uint32_t count = 0;
    while (member_next(&items, &item))
        count++;
    return count;
}

static bool read_objects(const struct reading *r, const struct field *field, const struct member *m,
                         char *record)
{
    struct member item;
    if (m->kind != JSON_ARRAY)
        return false;
    uint32_t count = count_items(m->value);
    char *structs = arena_array(r->arena, count, field->inside->size);
    if (structs == NULL && count > 0)
        return false;
    struct member_reader items = member_reader_of(m->value);
    for (uint32_t i = 0; structs != NULL && member_next(&items, &item); i++) {
        if (item.kind != JSON_OBJECT)
            return false;
        (void)fields_read(item.value, field->inside, structs + (size_t)i * field->inside->size,
                          r->arena, r->reasons);
    }
    put_items(field, record, structs, count);
    return true;
}

/* ---- the loops ------------------------------------------------------------------------------ */

static const struct type_functions *functions_of(enum field_type type)
{
    static const struct type_functions functions[] = {
        [FIELD_VERSION] = {absent_u32, write_u32, read_u32, "expected a whole number"},
        [FIELD_NUMBER32] = {absent_u32, write_u32, read_u32, "expected a whole number"},
        [FIELD_NUMBER] = {absent_u64, write_u64, read_u64, "expected a whole number"},
        [FIELD_HEX] = {absent_u64, write_hex, read_hex, "expected 16 hexadecimal digits"},
        [FIELD_TIME] = {absent_u64, write_u64, read_i64, "expected a whole number of milliseconds"},
        [FIELD_DURATION] = {absent_duration, write_u64, read_i64,
                            "expected a whole number of milliseconds"},
        [FIELD_PARTITION] = {absent_partition, write_u32, read_partition,
                             "expected a whole number"},
        [FIELD_FLAG] = {absent_flag, write_flag, read_flag, "expected true or false"},
        [FIELD_TEXT] = {absent_text, write_text, read_text, "expected a text"},
        [FIELD_TEXTS] = {absent_items, write_texts, read_texts, "expected an array of texts"},
        [FIELD_JSON] = {absent_text, write_json, read_json, "expected an object"},
        [FIELD_NAME] = {never_absent, write_name, read_name, "not one of the known names"},
        [FIELD_NAME_SET] = {absent_u32, write_name_set, read_name_set,
                            "expected an array of known names"},
        [FIELD_OBJECT] = {never_absent, write_object, read_object, "expected an object"},
        [FIELD_OBJECTS] = {absent_items, write_objects, read_objects,
                           "expected an array of objects"},
    };
    return &functions[type];
}

void fields_write(struct jsonw *w, const struct field_table *table, const void *record)
{
    jsonw_object_begin(w);
    for (uint32_t i = 0; i < table->count; i++) {
        const struct field *field = &table->fields[i];
        const struct type_functions *functions = functions_of(field->type);
        if (!field->needed && functions->absent(field, record))
            continue;
        jsonw_key(w, field->name);
        functions->write(w, field, record);
    }
    jsonw_object_end(w);
}

/* The row of a member, looked for from the row behind the last one on; NULL for a member that is
 * unknown. */
static const struct field *find_field(const struct field_table *table, str_t name, uint32_t *next)
{
    for (uint32_t tried = 0, i = *next; tried < table->count; tried++, i++) {
        if (i >= table->count)
            i = 0;
        if (!str_eq(table->fields[i].name, name))
            continue;
        *next = i + 1;
        return &table->fields[i];
    }
    return NULL;
}

static void read_field(const struct reading *r, const struct field *field, const struct member *m,
                       char *record)
{
    const struct type_functions *functions = functions_of(field->type);
    if (m->kind == JSON_NULL && !field->needed)
        return;
    if (!functions->read(r, field, m, record))
        reasons_add(r->reasons, field->name,
                    r->arena->failed ? "out of memory" : functions->expected);
}

/* Members that must be there although no value of theirs means absent. */
static void check_seen(const struct field_table *table, uint64_t seen, struct reasons *reasons)
{
    for (uint32_t i = 0; i < table->count; i++)
        if (table->fields[i].needed && !(seen >> i & 1))
            reasons_add(reasons, table->fields[i].name, "missing");
}

static bool check_version(const struct field *field, const char *record, struct reasons *reasons)
{
    uint32_t version = get_u32(record + field->offset);
    struct buf text;
    if (version <= field->limit)
        return true;
    buf_init(&text, 0);
    BUF_ADD(&text, "version ");
    buf_add_number(&text, version);
    BUF_ADD(&text, " is newer than ");
    buf_add_number(&text, field->limit);
    BUF_ADD(&text, ", the newest that is known here");
    buf_add_char(&text, '\0');
    reasons_add(reasons, field->name, text.failed ? "newer than what is known here" : text.ptr);
    buf_release(&text);
    return false;
}

/* A newer version makes all other reasons void. Whether there are none since `before`. */
static bool check_newest(const struct field_table *table, const void *record, size_t before,
                         struct reasons *reasons)
{
    const struct field *first = &table->fields[0];
    if (first->type != FIELD_VERSION ||
        get_u32((const char *)record + first->offset) <= first->limit)
        return reasons->text.len == before;
    reasons->text.len = before;
    return check_version(first, record, reasons);
}

bool fields_read(str_t json, const struct field_table *table, void *record, struct arena *arena,
                 struct reasons *reasons)
{
    struct reading reading = {.arena = arena, .reasons = reasons};
    struct member_reader members = member_reader_of(json);
    struct member m;
    uint32_t next = 0;
    uint64_t seen = 0;
    memcpy(record, table->empty, table->size);
    size_t reasons_before = reasons->text.len;
    if (members.array)
        members.message = "expected an object";
    while (member_next(&members, &m)) {
        const struct field *field = find_field(table, m.key, &next);
        if (field == NULL)
            continue;
        seen |= (uint64_t)1 << (field - table->fields);
        read_field(&reading, field, &m, record);
    }
    if (members.message != NULL)
        reasons_add(reasons, STR("no JSON"), members.message);
    else
        check_seen(table, seen, reasons);
    return check_newest(table, record, reasons_before, reasons);
}

static void check_inside(const struct field *field, const char *record, struct reasons *reasons)
{
    if (field->type == FIELD_OBJECT)
        fields_check(field->inside, record + field->offset, reasons);
    if (field->type != FIELD_OBJECTS)
        return;
    const char *items = get_pointer(record + field->offset);
    uint32_t count = get_u32(record + field->count_offset);
    for (uint32_t i = 0; i < count; i++)
        fields_check(field->inside, items + (size_t)i * field->inside->size, reasons);
}

/* Times before 1970 and durations below zero come only from mistakes. */
static bool is_negative(const struct field *field, const char *record)
{
    int64_t least = field->type == FIELD_TIME ? 0 : -1;
    if (field->type != FIELD_TIME && field->type != FIELD_DURATION)
        return false;
    return (int64_t)get_u64(record + field->offset) < least;
}

/* Types whose absent value is a good value too. */
static bool may_be_nothing(enum field_type type)
{
    return type == FIELD_FLAG || type == FIELD_NUMBER || type == FIELD_NUMBER32 ||
           type == FIELD_TEXTS;
}

void fields_check(const struct field_table *table, const void *record, struct reasons *reasons)
{
    for (uint32_t i = 0; i < table->count; i++) {
        const struct field *field = &table->fields[i];
        if (field->type == FIELD_VERSION)
            (void)check_version(field, record, reasons);
        if (is_negative(field, record))
            reasons_add(reasons, field->name, "below zero");
        if (field->needed && !may_be_nothing(field->type) &&
            functions_of(field->type)->absent(field, record))
            reasons_add(reasons, field->name, "empty");
        check_inside(field, record, reasons);
    }
}
