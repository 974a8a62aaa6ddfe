/*
 * A gram is a number made of two characters, of three that are all ASCII, or of one that is not. A
 * term's grams stand in an index of SQLite's FTS5 as words, in one of PostgreSQL's GIN as numbers.
 * So parts of two Chinese characters are found as well as long ASCII ones.
 */
#include "store/term.h"

#include "base/utf8.h"
#include "run/hash.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    REMEMBERED = 1 << 18, /* hashes of texts that were added */
    GRAMS_MOST = 3 * TERM_CHARACTERS
};

struct terms {
    struct db *db;
    uint64_t *known; /* by the lower bits of the hash */
    struct buf grams;
};

str_t term_of(str_t text)
{
    size_t at = 0;
    for (unsigned i = 0; i < TERM_CHARACTERS && at < text.len; i++) {
        uint32_t code;
        at += utf8_next(str_make(text.ptr + at, text.len - at), &code);
    }
    return str_make(text.ptr, at);
}

/* ---- grams ---------------------------------------------------------------------------------- */

struct grams {
    uint32_t items[GRAMS_MOST];
    size_t count;
};

static uint32_t folded(uint32_t code)
{
    return code < 128 ? (uint32_t)(unsigned char)ascii_lower((char)code) : code;
}

static void add_gram(struct grams *grams, const uint32_t *codes, size_t count)
{
    uint32_t hash =
        (uint32_t)hash64(str_make((const char *)codes, count * sizeof *codes), count) & 0x7fffffff;
    for (size_t i = 0; i < grams->count; i++)
        if (grams->items[i] == hash)
            return;
    if (grams->count < GRAMS_MOST)
        grams->items[grams->count++] = hash;
}

static size_t codes_of(str_t text, uint32_t *codes)
{
    size_t count = 0;
    for (size_t at = 0; at < text.len && count < TERM_CHARACTERS; count++) {
        at += utf8_next(str_make(text.ptr + at, text.len - at), &codes[count]);
        codes[count] = folded(codes[count]);
    }
    return count;
}

static bool triple_at(const uint32_t *codes, size_t count, size_t at)
{
    return at + 2 < count && codes[at] < 128 && codes[at + 1] < 128 && codes[at + 2] < 128;
}

/* What a term is found by. */
static void grams_of_text(str_t text, struct grams *grams)
{
    uint32_t codes[TERM_CHARACTERS];
    size_t count = codes_of(text, codes);
    for (size_t i = 0; i < count; i++) {
        if (codes[i] >= 128)
            add_gram(grams, codes + i, 1);
        if (i + 1 < count)
            add_gram(grams, codes + i, 2);
        if (triple_at(codes, count, i))
            add_gram(grams, codes + i, 3);
    }
}

/* The most telling ones of a part; none of a single ASCII character. */
static void grams_of_part(str_t part, struct grams *grams)
{
    uint32_t codes[TERM_CHARACTERS];
    size_t count = codes_of(part, codes);
    if (count == 1 && codes[0] >= 128)
        add_gram(grams, codes, 1);
    for (size_t i = 0; i + 1 < count; i++) {
        if (triple_at(codes, count, i))
            add_gram(grams, codes + i, 3);
        else if (!(i > 0 && triple_at(codes, count, i - 1)))
            add_gram(grams, codes + i, 2);
    }
}

/* As the database takes them: words, or an array. */
static void write_grams(const struct grams *grams, enum db_kind kind, struct buf *out)
{
    char word[16];
    buf_clear(out);
    if (kind == DB_POSTGRES)
        BUF_ADD(out, "{");
    for (size_t i = 0; i < grams->count; i++) {
        int len = kind == DB_POSTGRES
                      ? snprintf(word, sizeof word, "%s%u", i > 0 ? "," : "", grams->items[i])
                      : snprintf(word, sizeof word, "%sx%x", i > 0 ? " " : "", grams->items[i]);
        buf_add(out, str_make(word, (size_t)len));
    }
    if (kind == DB_POSTGRES)
        BUF_ADD(out, "}");
}

/* ---- adding --------------------------------------------------------------------------------- */

struct terms *terms_new(struct db *db)
{
    struct terms *terms = calloc(1, sizeof *terms);
    if (terms == NULL)
        return NULL;
    *terms = (struct terms){.db = db, .known = calloc(REMEMBERED, sizeof *terms->known)};
    buf_init(&terms->grams, 0);
    if (terms->known != NULL)
        return terms;
    terms_free(terms);
    return NULL;
}

void terms_free(struct terms *terms)
{
    if (terms == NULL)
        return;
    free(terms->known);
    buf_release(&terms->grams);
    free(terms);
}

void terms_forget(struct terms *terms)
{
    memset(terms->known, 0, REMEMBERED * sizeof *terms->known);
}

static void add_to_sqlite(struct terms *terms, str_t text)
{
    struct db_query *q =
        db_query(terms->db,
                 "insert into term (text) values ($1) on conflict (text) do nothing returning id");
    db_bind_text(q, 1, text);
    int64_t id = db_step(q) ? db_int(q, 0) : 0;
    db_done(q);
    if (id == 0)
        return;
    q = db_query(terms->db, "insert into term_gram (rowid, grams) values ($1, $2)");
    db_bind_int(q, 1, id);
    db_bind_text(q, 2, buf_str(&terms->grams));
    db_run(q);
}

static void add_to_postgres(struct terms *terms, str_t text)
{
    struct db_query *q =
        db_query(terms->db, "insert into term (text, grams) values ($1, $2::text::integer[])"
                            " on conflict (text) do nothing");
    db_bind_text(q, 1, text);
    db_bind_text(q, 2, buf_str(&terms->grams));
    db_run(q);
}

void terms_add(struct terms *terms, str_t text)
{
    text = term_of(text);
    uint64_t hash = hash64(text, 0) | 1; /* never the empty place */
    uint64_t *place = &terms->known[(hash >> 8) & (REMEMBERED - 1)];
    if (text.len == 0 || *place == hash)
        return;
    *place = hash;
    struct grams grams = {.count = 0};
    grams_of_text(text, &grams);
    write_grams(&grams, db_kind_of(terms->db), &terms->grams);
    if (db_kind_of(terms->db) == DB_SQLITE)
        add_to_sqlite(terms, text);
    else
        add_to_postgres(terms, text);
}

/* ---- finding -------------------------------------------------------------------------------- */

str_t term_next_part(str_t parts, size_t *at)
{
    while (*at < parts.len && (parts.ptr[*at] == ' ' || parts.ptr[*at] == '\t'))
        ++*at;
    size_t start = *at;
    while (*at < parts.len && parts.ptr[*at] != ' ' && parts.ptr[*at] != '\t')
        ++*at;
    return str_make(parts.ptr + start, *at - start);
}

static bool has_part(str_t text, str_t part)
{
    for (size_t i = 0; i + part.len <= text.len; i++)
        if (same_folded(text.ptr + i, part.ptr, part.len))
            return true;
    return false;
}

bool term_has(str_t text, str_t parts)
{
    size_t at = 0;
    for (str_t part; (part = term_next_part(parts, &at)).len > 0;)
        if (!has_part(text, part))
            return false;
    return true;
}

/* As the index is asked for all parts; false when they are too short. */
static bool write_parts(str_t parts, enum db_kind kind, struct buf *out)
{
    struct grams grams = {.count = 0};
    size_t at = 0;
    for (str_t part; (part = term_next_part(parts, &at)).len > 0;)
        grams_of_part(part, &grams);
    if (grams.count > 0)
        write_grams(&grams, kind, out);
    return grams.count > 0;
}

struct terms_query {
    struct db *db;
    struct arena *arena;
    str_t parts;
    uint32_t most;
};

/* Rows of id and text, those that only share grams left out; *seen: how many there were. */
static struct term_list read_terms(const struct terms_query *tq, struct db_query *q, uint32_t *seen)
{
    VEC(struct term) found = {0};
    *seen = 0;
    while (db_step(q)) {
        ++*seen;
        if (!term_has(db_text(q, 1), tq->parts) || found.count >= tq->most)
            continue;
        struct term *term = VEC_PUSH(tq->arena, &found);
        if (term != NULL)
            *term = (struct term){db_int(q, 0), arena_copy(tq->arena, db_text(q, 1))};
    }
    return (struct term_list){found.items, found.count, false};
}

static struct term_list read_some(const struct terms_query *tq, str_t grams, uint32_t limit,
                                  uint32_t *seen)
{
    static const char sql[] =
        "select t.id, t.text from term_gram g join term t on t.id = g.rowid where term_gram match "
        "$1 limit $2 --sqlite\n"
        "select id, text from term where grams @> $1::text::integer[] limit $2 --postgres";
    struct db_query *q = db_query(tq->db, sql);
    db_bind_text(q, 1, grams);
    db_bind_int(q, 2, limit);
    return read_terms(tq, q, seen);
}

/* Of a file the index alone tells whether they are too many; the texts are read afterwards. */
static struct term_list read_of_index(const struct terms_query *tq, str_t grams, uint32_t *seen)
{
    VEC(int64_t) ids = {0};
    struct db_query *q =
        db_query(tq->db, "select g.rowid from term_gram g where term_gram match $1 limit $2");
    db_bind_text(q, 1, grams);
    db_bind_int(q, 2, (int64_t)tq->most + 1);
    while (db_step(q)) {
        int64_t *place = VEC_PUSH(tq->arena, &ids);
        if (place != NULL)
            *place = db_int(q, 0);
    }
    *seen = ids.count;
    if (ids.count > tq->most || ids.count == 0)
        return (struct term_list){NULL, 0, false};
    q = db_query(tq->db, "select id, text from term where id in ids($1)");
    db_bind_ids(q, 1, ids.items, ids.count);
    return read_terms(tq, q, seen);
}

/* The terms of an index's answer when they are not too many. */
static struct term_list read_all(const struct terms_query *tq, str_t grams)
{
    uint32_t seen;
    struct term_list list = db_kind_of(tq->db) == DB_SQLITE
                                ? read_of_index(tq, grams, &seen)
                                : read_some(tq, grams, tq->most + 1, &seen);
    return seen > tq->most ? (struct term_list){NULL, 0, true} : list;
}

static struct term_list read_first(const struct terms_query *tq, str_t grams)
{
    uint32_t seen;
    return read_some(tq, grams, tq->most, &seen);
}

/* Parts that are too short to be looked up are common. */
static struct term_list look_up(const struct terms_query *tq,
                                struct term_list (*read)(const struct terms_query *tq, str_t grams))
{
    struct term_list list = {NULL, 0, true};
    struct buf grams;
    buf_init(&grams, 0);
    if (write_parts(tq->parts, db_kind_of(tq->db), &grams))
        list = read(tq, buf_str(&grams));
    buf_release(&grams);
    return list;
}

struct term_list terms_find(struct db *db, struct arena *arena, str_t parts, uint32_t most)
{
    return look_up(&(struct terms_query){db, arena, parts, most}, read_all);
}

struct term_list terms_some(struct db *db, struct arena *arena, str_t parts, uint32_t most)
{
    return look_up(&(struct terms_query){db, arena, parts, most}, read_first);
}
