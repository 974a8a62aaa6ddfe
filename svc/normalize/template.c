/* Marks are `zQ0017Qz` in strings and 900000017 for digits: words and numbers that texts hardly hold; those that do are refused. */
#include "normalize/template.h"

#include "base/jsonw.h"

#include <stdio.h>

enum {
    LITERALS_MAX = 128,
    VALUE_MAX = 512,
    DIGITS_MAX = 9,
    MARK_LENGTH = 8,
    FIRST_NUMBER = 900000000,
    NUMBER_LENGTH = 9
};

static str_t slot_text(const struct slotted *s, const struct slot *slot)
{
    return str_make(s->text.ptr + slot->start, slot->end - slot->start);
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A number of a few digits that is not nought. */
static bool is_plain_number(str_t text)
{
    bool other = false;
    for (size_t i = 0; i < text.len; i++) {
        if (!is_digit(text.ptr[i]))
            return false;
        other |= text.ptr[i] != '0';
    }
    return other && text.len <= DIGITS_MAX;
}

/* A string whose inside stands for itself. */
static bool is_plain_string(str_t text)
{
    if (text.len < 3 || text.len > VALUE_MAX || (text.ptr[0] != '\'' && text.ptr[0] != '"') || text.ptr[text.len - 1] != text.ptr[0])
        return false;
    for (size_t i = 1; i + 1 < text.len; i++)
        if (text.ptr[i] == text.ptr[0] || text.ptr[i] == '\\' || (unsigned char)text.ptr[i] < 0x20)
            return false;
    return true;
}

static bool read_slot(str_t text, const colline_literal *literal, struct slot *slot)
{
    str_t whole = str_make(text.ptr + literal->start, literal->end - literal->start);
    bool digits = is_plain_number(whole);
    if (literal->structure || (!digits && !is_plain_string(whole)))
        return false;
    uint32_t quote = digits ? 0 : 1;
    *slot = (struct slot){.start = literal->start + quote, .end = literal->end - quote, .digits = digits};
    return true;
}

/* Whether a literal that stays as it is says the same. */
static bool is_said_otherwise(const struct slotted *s, const struct slot *slot, const colline_literal *literals, const bool *taken, size_t count)
{
    str_t value = slot_text(s, slot);
    for (size_t i = 0; i < count; i++) {
        str_t other = str_make(s->text.ptr + literals[i].start, literals[i].end - literals[i].start);
        if (!taken[i] && (str_eq(other, value) || (other.len == value.len + 2 && memcmp(other.ptr + 1, value.ptr, value.len) == 0)))
            return true;
    }
    return false;
}

static void add_slot(struct slotted *s, struct slot slot)
{
    slot.value = (uint16_t)s->values;
    for (uint32_t i = 0; i < s->count && slot.value == s->values; i++)
        if (s->slots[i].digits == slot.digits && str_eq(slot_text(s, &s->slots[i]), slot_text(s, &slot)))
            slot.value = s->slots[i].value;
    s->values += slot.value == s->values;
    s->slots[s->count++] = slot;
}

bool slotted_read(struct slotted *s, colline_analyzer *an, str_t text)
{
    colline_literal literals[LITERALS_MAX];
    bool taken[LITERALS_MAX];
    size_t behind;
    s->text = text;
    s->count = s->values = 0;
    if (text.len == 0 || memchr(text.ptr, '$', text.len) != NULL)
        return false;
    size_t count = colline_literals(an, text.ptr, text.len, literals, LITERALS_MAX, &behind);
    if (count > LITERALS_MAX || str_trim(str_make(text.ptr + behind, text.len - behind)).len > 0)
        return false;
    struct slot slot;
    for (size_t i = 0; i < count; i++)
        taken[i] = read_slot(text, &literals[i], &slot);
    for (size_t i = 0; i < count; i++)
        if (taken[i] && s->count < SLOTS_MAX && read_slot(text, &literals[i], &slot) &&
            !is_said_otherwise(s, &slot, literals, taken, count))
            add_slot(s, slot);
    return s->count > 0;
}

struct hash128 slotted_key(const struct slotted *s, uint64_t seed, struct buf *scratch)
{
    uint32_t at = 0;
    buf_clear(scratch);
    for (uint32_t i = 0; i < s->count; i++) {
        const struct slot *slot = &s->slots[i];
        const char mark[] = {'\0', (char)slot->digits, (char)slot->value};
        buf_add(scratch, str_make(s->text.ptr + at, slot->start - at));
        buf_add(scratch, str_make(mark, sizeof mark));
        at = slot->end;
    }
    buf_add(scratch, str_make(s->text.ptr + at, s->text.len - at));
    return hash128(buf_str(scratch), seed);
}

/* ---- marks ------------------------------------------------------------------------------------------------------ */

static uint32_t number_at(const char *digits, size_t count)
{
    uint32_t number = 0;
    for (size_t i = 0; i < count; i++)
        number = number * 10 + (uint32_t)(digits[i] - '0');
    return number;
}

static bool all_digits(const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!is_digit(bytes[i]))
            return false;
    return true;
}

struct mark {
    size_t start, end;
    uint32_t value;
    bool lower;   /* it became part of a name */
    bool changed; /* in another way */
};

static bool word_mark(const char *p, size_t left, struct mark *mark)
{
    if (left < MARK_LENGTH || ascii_lower(p[0]) != 'z' || ascii_lower(p[1]) != 'q' || !all_digits(p + 2, 4) || ascii_lower(p[6]) != 'q' ||
        ascii_lower(p[7]) != 'z')
        return false;
    mark->value = number_at(p + 2, 4);
    mark->lower = p[0] == 'z' && p[1] == 'q' && p[6] == 'q' && p[7] == 'z';
    mark->changed = !mark->lower && (p[0] != 'z' || p[1] != 'Q' || p[6] != 'Q' || p[7] != 'z');
    return true;
}

static bool number_mark(const char *p, size_t left, struct mark *mark)
{
    if (left < NUMBER_LENGTH || p[0] != '9' || memcmp(p, "900000", 6) != 0 || !all_digits(p + 6, 3))
        return false;
    mark->value = number_at(p + 6, 3);
    mark->lower = mark->changed = false;
    return true;
}

/* The next mark at or after `from`. */
static bool mark_find(str_t text, size_t from, struct mark *mark)
{
    for (size_t at = from; at < text.len; at++) {
        bool word = word_mark(text.ptr + at, text.len - at, mark);
        if (!word && !number_mark(text.ptr + at, text.len - at, mark))
            continue;
        mark->start = at;
        mark->end = at + (word ? (size_t)MARK_LENGTH : (size_t)NUMBER_LENGTH);
        return true;
    }
    return false;
}

bool marks_in(str_t text)
{
    struct mark mark;
    return mark_find(text, 0, &mark);
}

static void add_mark(struct buf *out, const struct slot *slot)
{
    char text[16];
    int len = slot->digits ? snprintf(text, sizeof text, "%u", (unsigned)FIRST_NUMBER + slot->value)
                           : snprintf(text, sizeof text, "zQ%04uQz", (unsigned)slot->value);
    buf_add(out, str_make(text, (size_t)len));
}

bool slotted_mark(const struct slotted *s, struct buf *out, struct slotted *marked)
{
    uint32_t at = 0;
    buf_clear(out);
    *marked = *s;
    for (uint32_t i = 0; i < s->count; i++) {
        const struct slot *slot = &s->slots[i];
        buf_add(out, str_make(s->text.ptr + at, slot->start - at));
        marked->slots[i].start = (uint32_t)out->len;
        add_mark(out, slot);
        marked->slots[i].end = (uint32_t)out->len;
        at = slot->end;
    }
    buf_add(out, str_make(s->text.ptr + at, s->text.len - at));
    marked->text = buf_str(out);
    return !out->failed && !marks_in(s->text);
}

static str_t value_of(const struct slotted *s, uint32_t value)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->slots[i].value == value)
            return slot_text(s, &s->slots[i]);
    return STR("");
}

void marks_fill(struct buf *out, str_t text, const struct slotted *values, void (*add)(struct buf *out, str_t value))
{
    struct mark mark;
    size_t at = 0;
    for (; mark_find(text, at, &mark); at = mark.end) {
        buf_add(out, str_make(text.ptr + at, mark.start - at));
        add(out, value_of(values, mark.value));
    }
    buf_add(out, str_make(text.ptr + at, text.len - at));
}

/* ---- templates -------------------------------------------------------------------------------------------------- */

enum piece_kind {
    PIECE_VALUE,
    PIECE_LOWER,  /* a value in a name */
    PIECE_OFFSET, /* a byte of the text */
    PIECE_COLUMN  /* in a line of the text */
};

/* What changes: in `number` the value, or the offset or column as it was; `before` slots stand before it, `line` before its line. */
struct piece {
    uint32_t start; /* in the document */
    uint32_t number;
    uint8_t len, kind, before, line;
};

struct template {
    str_t document; /* of the marked text */
    struct piece *pieces;
    uint32_t count, capacity;
    int32_t mark_lengths[SLOTS_MAX]; /* of the marked text's slots */
};

struct maker {
    const struct slotted *marked;
    struct template *template;
    struct arena *arena;
    bool refused;
};

static struct piece *add_piece(struct maker *m, enum piece_kind kind, size_t start, size_t end, uint32_t number)
{
    struct template *t = m->template;
    if (!vec_reserve(m->arena, (void **)&t->pieces, t->count, &t->capacity, sizeof *t->pieces))
        return NULL;
    struct piece *piece = &t->pieces[t->count++];
    *piece = (struct piece){.start = (uint32_t)start, .len = (uint8_t)(end - start), .number = number, .kind = (uint8_t)kind};
    return piece;
}

/* How many slots end at or before the byte; a byte within one is refused. */
static uint8_t slots_before(struct maker *m, uint32_t byte)
{
    uint8_t count = 0;
    while (count < m->marked->count && m->marked->slots[count].end <= byte)
        count++;
    m->refused |= count < m->marked->count && m->marked->slots[count].start < byte;
    return count;
}

/* key digits: *at moves behind them; false when the key is not there. */
static bool take_number(str_t document, size_t *at, str_t key, size_t *start, uint32_t *number)
{
    if (!str_starts_with(str_make(document.ptr + *at, document.len - *at), key))
        return false;
    *start = *at += key.len;
    while (*at < document.len && is_digit(document.ptr[*at]))
        ++*at;
    *number = number_at(document.ptr + *start, *at - *start);
    return *at > *start;
}

static bool take_offset(struct maker *m, size_t *at, str_t key, uint32_t *offset)
{
    size_t start;
    if (!take_number(m->template->document, at, key, &start, offset))
        return false;
    struct piece *piece = add_piece(m, PIECE_OFFSET, start, *at, *offset);
    if (piece != NULL)
        piece->before = slots_before(m, *offset);
    return true;
}

/* "span":{"start":N,"end":N[,"line":N,"column":N]} */
static bool take_span(struct maker *m, size_t *at)
{
    uint32_t begin, end, line, column;
    size_t start;
    if (!take_offset(m, at, STR("\"span\":{\"start\":"), &begin))
        return false;
    m->refused |= !take_offset(m, at, STR(",\"end\":"), &end);
    if (!take_number(m->template->document, at, STR(",\"line\":"), &start, &line))
        return true;
    if (!take_number(m->template->document, at, STR(",\"column\":"), &start, &column)) {
        m->refused = true;
        return true;
    }
    struct piece *piece = add_piece(m, PIECE_COLUMN, start, *at, column);
    if (piece != NULL) {
        piece->before = slots_before(m, begin);
        piece->line = slots_before(m, begin + 1 - column);
    }
    return true;
}

static void take_marks(struct maker *m, size_t from, size_t to)
{
    struct mark mark;
    str_t part = str_make(m->template->document.ptr, to);
    for (size_t at = from; mark_find(part, at, &mark); at = mark.end) {
        m->refused |= mark.changed || mark.value >= m->marked->values;
        add_piece(m, mark.lower ? PIECE_LOWER : PIECE_VALUE, mark.start, mark.end, mark.value);
    }
}

static size_t next_span(str_t document, size_t from)
{
    static const char key[] = "\"span\":{\"start\":";
    const char *hit = from < document.len ? memmem(document.ptr + from, document.len - from, key, sizeof key - 1) : NULL;
    return hit == NULL ? document.len : (size_t)(hit - document.ptr);
}

const struct template *template_make(const struct slotted *marked, str_t document, struct arena *arena)
{
    struct template *t = ARENA_NEW(arena, struct template);
    if (t == NULL || document.len >= UINT32_MAX)
        return NULL;
    t->document = document;
    struct maker m = {.marked = marked, .template = t, .arena = arena};
    for (uint32_t i = 0; i < marked->count; i++)
        t->mark_lengths[i] = (int32_t)(marked->slots[i].end - marked->slots[i].start);
    for (size_t at = 0; at < document.len && !m.refused;) {
        size_t span = next_span(document, at);
        take_marks(&m, at, span);
        at = span;
        if (span < document.len && !take_span(&m, &at))
            m.refused = true;
    }
    return m.refused || arena->failed ? NULL : t;
}

static void add_moved(struct buf *out, uint32_t number, int32_t by)
{
    buf_add_number(out, (uint64_t)((int64_t)number + by));
}

/* A value of letters, digits and a few signs, as it is in a name. */
static bool add_lower(struct buf *out, str_t value)
{
    for (size_t i = 0; i < value.len; i++) {
        char c = ascii_lower(value.ptr[i]);
        if (!(c >= 'a' && c <= 'z') && !is_digit(c) && memchr("-_.", c, 3) == NULL)
            return false;
        buf_add_char(out, c);
    }
    return true;
}

bool template_fill(const struct template *t, const struct slotted *s, struct buf *out)
{
    bool good = true;
    int32_t moved[SLOTS_MAX + 1] = {0};
    for (uint32_t i = 0; i < s->count; i++)
        moved[i + 1] = moved[i] + (int32_t)(s->slots[i].end - s->slots[i].start) - t->mark_lengths[i];
    size_t at = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        const struct piece *piece = &t->pieces[i];
        buf_add(out, str_make(t->document.ptr + at, piece->start - at));
        at = piece->start + piece->len;
        if (piece->kind == PIECE_VALUE)
            json_escape(out, value_of(s, piece->number));
        else if (piece->kind == PIECE_LOWER)
            good &= add_lower(out, value_of(s, piece->number));
        else if (piece->kind == PIECE_OFFSET)
            add_moved(out, piece->number, moved[piece->before]);
        else
            add_moved(out, piece->number, moved[piece->before] - moved[piece->line]);
    }
    buf_add(out, str_make(t->document.ptr + at, t->document.len - at));
    return good;
}
