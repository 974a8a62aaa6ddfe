/*
 * Types between text and tree. Both ways keep their own stack in the arena, so the nesting of a type costs no C stack.
 */
#include "catalog/types.h"

struct chars {
    struct arena *arena;
    VEC(char) text;
};

static void chars_add(struct chars *chars, str_t s)
{
    for (size_t i = 0; i < s.len; i++) {
        char *place = VEC_PUSH(chars->arena, &chars->text);
        if (place != NULL)
            *place = s.ptr[i];
    }
}

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_plain_word(struct name name)
{
    for (uint32_t i = 0; i < name.len; i++)
        if (!is_word_char(name.ptr[i]))
            return false;
    return name.len > 0;
}

static void add_field_name(struct chars *out, struct name name)
{
    bool quote = !is_plain_word(name);
    chars_add(out, quote ? STR("`") : STR(""));
    chars_add(out, name_str(name));
    chars_add(out, quote ? STR("`:") : STR(":"));
}

/* A complex type that is being written, and its next field. */
struct open_type {
    const struct type *type;
    uint32_t next;
};

static str_t opening(const struct type *type)
{
    switch ((enum type_kind)type->kind) {
    case TYPE_ARRAY:
        return STR("array<");
    case TYPE_MAP:
        return STR("map<");
    case TYPE_STRUCT:
        return STR("struct<");
    case TYPE_UNION:
        return STR("uniontype<");
    case TYPE_PRIMITIVE:
        break;
    }
    return name_str(type->name);
}

str_t type_text(struct arena *arena, const struct type *type)
{
    if (type == NULL)
        return STR("");
    if (type->kind == TYPE_PRIMITIVE)
        return name_str(type->name);
    struct chars out = {.arena = arena};
    VEC(struct open_type) stack = {0};
    const struct type *next = type;
    do {
        if (next != NULL) {
            chars_add(&out, opening(next));
            struct open_type *entry = next->kind == TYPE_PRIMITIVE ? NULL : VEC_PUSH(arena, &stack);
            if (entry != NULL)
                entry->type = next;
            next = NULL;
        }
        struct open_type *top = stack.count == 0 ? NULL : &stack.items[stack.count - 1];
        if (top != NULL && top->next < top->type->field_count) {
            const struct type_field *field = &top->type->fields[top->next];
            chars_add(&out, top->next > 0 ? STR(",") : STR(""));
            if (top->type->kind == TYPE_STRUCT)
                add_field_name(&out, field->name);
            next = field->type;
            top->next++;
        } else if (top != NULL) {
            chars_add(&out, STR(">"));
            stack.count--;
        }
    } while (stack.count > 0);
    return arena->failed ? STR("") : str_make(out.text.items, out.text.count);
}

/* A complex type that is being read. */
struct reading_type {
    uint8_t kind;
    struct name field; /* name of the field whose type comes next */
    VEC(struct type_field) fields;
};

struct type_reader {
    str_t text;
    size_t pos;
    struct arena *arena;
    VEC(struct reading_type) stack;
};

static void skip_blanks(struct type_reader *r)
{
    while (r->pos < r->text.len && (r->text.ptr[r->pos] == ' ' || r->text.ptr[r->pos] == '\n' || r->text.ptr[r->pos] == '\t'))
        r->pos++;
}

static bool accept_char(struct type_reader *r, char c)
{
    skip_blanks(r);
    if (r->pos >= r->text.len || r->text.ptr[r->pos] != c)
        return false;
    r->pos++;
    return true;
}

/* Up to one of `<`, `>`, `,` or the end; commas in parentheses belong to the name: decimal(10,2). */
static str_t read_word(struct type_reader *r)
{
    skip_blanks(r);
    size_t start = r->pos;
    bool inside = false;
    for (; r->pos < r->text.len; r->pos++) {
        char c = r->text.ptr[r->pos];
        if (c == '(' || c == ')')
            inside = c == '(';
        if (c == '<' || c == '>' || (c == ',' && !inside))
            break;
    }
    return str_trim(str_make(r->text.ptr + start, r->pos - start));
}

/* name ':' */
static bool read_field_name(struct type_reader *r, struct name *out)
{
    bool quoted = accept_char(r, '`');
    size_t end = str_find(r->text, quoted ? '`' : ':', r->pos);
    if (end == r->text.len)
        return false;
    str_t word = str_make(r->text.ptr + r->pos, end - r->pos);
    *out = arena_name(r->arena, quoted ? word : str_trim(word));
    r->pos = quoted ? end + 1 : end;
    return accept_char(r, ':');
}

static bool complex_kind(str_t word, uint8_t *kind)
{
    static const struct {
        str_t word;
        uint8_t kind;
    } kinds[] = {{STR("array"), TYPE_ARRAY}, {STR("map"), TYPE_MAP}, {STR("struct"), TYPE_STRUCT}, {STR("uniontype"), TYPE_UNION}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (str_eq_fold(word, kinds[i].word)) {
            *kind = kinds[i].kind;
            return true;
        }
    return false;
}

static bool enough_fields(const struct reading_type *entry)
{
    if (entry->kind == TYPE_ARRAY)
        return entry->fields.count == 1;
    return entry->kind == TYPE_MAP ? entry->fields.count == 2 : entry->fields.count > 0;
}

static struct type *close_type(struct type_reader *r)
{
    struct reading_type *top = &r->stack.items[--r->stack.count];
    struct type *type = enough_fields(top) ? ARENA_NEW(r->arena, struct type) : NULL;
    if (type != NULL) {
        type->kind = top->kind;
        type->fields = top->fields.items;
        type->field_count = top->fields.count;
    }
    return type;
}

/* Opens complex types until a primitive one was read; NULL when the text is wrong. */
static struct type *read_innermost(struct type_reader *r)
{
    for (;;) {
        if (r->stack.count > 0 && r->stack.items[r->stack.count - 1].kind == TYPE_STRUCT
            && !read_field_name(r, &r->stack.items[r->stack.count - 1].field))
            return NULL;
        str_t word = read_word(r);
        uint8_t kind = TYPE_PRIMITIVE;
        if (!accept_char(r, '<')) {
            struct type *type = word.len == 0 ? NULL : ARENA_NEW(r->arena, struct type);
            if (type != NULL)
                type->name = arena_name(r->arena, word);
            return type;
        }
        struct reading_type *entry = complex_kind(word, &kind) ? VEC_PUSH(r->arena, &r->stack) : NULL;
        if (entry == NULL)
            return NULL;
        entry->kind = kind;
    }
}

static bool add_field(struct type_reader *r, struct type *type)
{
    struct reading_type *top = &r->stack.items[r->stack.count - 1];
    struct type_field *field = VEC_PUSH(r->arena, &top->fields);
    if (field == NULL)
        return false;
    *field = (struct type_field){top->field, type};
    return true;
}

const struct type *type_read(struct arena *arena, str_t text)
{
    struct type_reader r = {.text = str_trim(text), .arena = arena};
    struct type *type = r.text.len == 0 ? NULL : read_innermost(&r);
    while (type != NULL && r.stack.count > 0) {
        if (!add_field(&r, type))
            return NULL;
        if (accept_char(&r, ','))
            type = read_innermost(&r);
        else
            type = accept_char(&r, '>') ? close_type(&r) : NULL;
    }
    skip_blanks(&r);
    return r.pos == r.text.len ? type : NULL;
}
