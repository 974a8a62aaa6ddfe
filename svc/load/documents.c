/* A document is read as a tree; each statement's own bytes are cut out of its text. */
#include "load/documents.h"

#include "base/json.h"
#include "colline.h"
#include "record/members.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    COMMIT_BYTES = 64 * 1024 * 1024,
    SCRIPT_MAX = 256 * 1024 /* a longer script's text is not kept with each of its statements */
};

/* ---- documents -------------------------------------------------------------------------------------------------- */

static uint32_t number_of(const struct json *object, str_t key)
{
    const struct json *member = json_member(object, key);
    uint32_t value = 0;
    for (size_t i = 0; member != NULL && member->kind == JSON_NUMBER && i < member->text.len; i++)
        value = value * 10 + (uint32_t)(member->text.ptr[i] - '0');
    return value;
}

/* Statements as slices, in order. */
static bool load_statements(const struct document_options *o, str_t id, str_t dialect, str_t list, str_t sql, struct arena *arena,
                            struct document_counts *counts)
{
    struct member_reader items = member_reader_of(list);
    struct member item;
    while (member_next(&items, &item)) {
        const char *message;
        size_t where;
        const struct json *tree = json_read(arena, item.value, &message, &where);
        if (tree == NULL)
            return false;
        const struct json *error = json_member(tree, STR("error"));
        if ((error != NULL && error->kind == JSON_OBJECT) || json_member(tree, STR("file")) != NULL)
            continue; /* broken, or of another file than the script */
        const struct script_statement statement = {
            .script = id,
            .name_space = o->name_space,
            .engine = dialect,
            .statement = item.value,
            .sql = sql,
            .index = number_of(tree, STR("index")),
            .line = number_of(json_member(tree, STR("span")), STR("line")),
        };
        if (!applier_add_script(o->applier, &statement))
            return false;
        counts->statements++;
    }
    return items.message == NULL;
}

static bool load_document(const struct document_options *o, str_t json, struct arena *arena, struct buf *sql, struct document_counts *counts)
{
    str_t id = STR(""), dialect = STR(""), list = STR("");
    struct member_reader members = member_reader_of(json);
    struct member m;
    while (member_next(&members, &m)) {
        if (str_eq(m.key, STR("id")) && (m.kind != JSON_STRING || !member_text(&m, arena, &id)))
            return false;
        if (str_eq(m.key, STR("dialect")))
            dialect = m.value;
        if (str_eq(m.key, STR("statements")) && m.kind == JSON_ARRAY)
            list = m.value;
    }
    if (members.message != NULL || members.array || id.len == 0 || list.len == 0)
        return false;
    if (o->text == NULL || !o->text(o->context, id, sql) || sql->len > SCRIPT_MAX)
        buf_clear(sql);
    counts->scripts++;
    return applier_begin_script(o->applier, id) && load_statements(o, id, dialect, list, buf_str(sql), arena, counts);
}

bool document_load(const struct document_options *options, str_t json, struct document_counts *counts)
{
    struct arena arena;
    struct buf sql;
    arena_init(&arena, 0, NULL);
    buf_init(&sql, 0);
    bool good = load_document(options, json, &arena, &sql, counts);
    if (good && applier_bytes(options->applier) > COMMIT_BYTES)
        good = applier_commit(options->applier);
    buf_release(&sql);
    arena_release(&arena);
    return good;
}

/* ---- catalogs --------------------------------------------------------------------------------------------------- */

struct visit {
    const struct load_catalog_options *options;
    const colline_catalog *catalog;
    struct buf json;
    uint64_t tables;
    bool failed;
};

static bool append(void *context, const char *bytes, size_t len)
{
    struct buf *out = context;
    buf_add(out, str_make(bytes, len));
    return !out->failed;
}

static bool add_table(void *context, const colline_table *table)
{
    struct visit *v = context;
    colline_text name = colline_table_name(table);
    buf_clear(&v->json);
    if (colline_catalog_save_table(v->catalog, name.ptr, name.len, append, &v->json) != COLLINE_OK)
        return true;
    const struct catalog_table row = {v->options->source, v->options->name_space, str_make(name.ptr, name.len), buf_str(&v->json), v->options->at};
    v->failed = !applier_add_table(v->options->applier, &row) ||
                (applier_bytes(v->options->applier) > COMMIT_BYTES && !applier_commit(v->options->applier));
    v->tables += !v->failed;
    return !v->failed;
}

bool load_saved_catalog(const struct load_catalog_options *options, str_t text, uint64_t *tables)
{
    struct visit v = {.options = options};
    colline_catalog *catalog = colline_catalog_new(0);
    str_t start = str_trim(text);
    colline_status status;
    buf_init(&v.json, 0);
    if (start.len > 0 && start.ptr[0] == '{')
        status = colline_catalog_add_json(catalog, text.ptr, text.len, NULL);
    else
        status = colline_catalog_add_ddl(catalog, text.ptr, text.len, options->impala ? COLLINE_IMPALA : COLLINE_HIVE, NULL);
    v.catalog = catalog;
    if (status == COLLINE_OK)
        status = colline_catalog_each_table(catalog, add_table, &v);
    colline_catalog_free(catalog);
    buf_release(&v.json);
    *tables += v.tables;
    return status == COLLINE_OK && !v.failed;
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

enum { READ_BYTES = 65536 };

/* All of a file and when it was changed, in ms; false with errno. */
static bool read_file(const char *path, struct buf *out, int64_t *changed)
{
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = descriptor >= 0 && fstat(descriptor, &status) == 0 ? 1 : -1;
    if (got > 0)
        *changed = (int64_t)status.st_mtim.tv_sec * 1000 + status.st_mtim.tv_nsec / 1000000;
    while (got > 0) {
        got = buf_reserve(out, READ_BYTES) ? read(descriptor, out->ptr + out->len, READ_BYTES) : -1;
        out->len += got > 0 ? (size_t)got : 0;
    }
    int why = errno;
    if (descriptor >= 0)
        close(descriptor);
    errno = why;
    return got == 0;
}

static bool load_text(struct applier *applier, str_t name_space, str_t path, str_t text, int64_t changed, uint64_t *tables)
{
    const struct load_catalog_options options = {applier, path, name_space, str_ends_with(path, STR(".impala.sql")), changed};
    const str_t parts[] = {STR("catalog "), name_space, STR(" "), path};
    struct arena arena;
    arena_init(&arena, 0, NULL);
    str_t source = arena_concat(&arena, parts, 4);
    bool good = !arena.failed;
    if (good && applier_position(applier, source, 0) != changed)
        good = load_saved_catalog(&options, text, tables) && applier_checkpoint(applier, source, changed) && applier_commit(applier);
    arena_release(&arena);
    return good;
}

bool load_catalog_file(struct applier *applier, str_t name_space, str_t path, uint64_t *tables, struct buf *reason)
{
    struct buf text, name;
    int64_t changed = 0;
    buf_init(&text, 0);
    buf_init(&name, 0);
    buf_add(&name, path);
    buf_add_char(&name, '\0');
    bool read = !name.failed && read_file(name.ptr, &text, &changed);
    const char *why = read ? "no catalog" : strerror(errno);
    bool good = read && load_text(applier, name_space, path, buf_str(&text), changed, tables);
    if (!good) {
        buf_add(reason, path);
        BUF_ADD(reason, ": ");
        buf_add(reason, read && applier_message(applier).len > 0 ? applier_message(applier) : str_make(why, strlen(why)));
    }
    buf_release(&text);
    buf_release(&name);
    return good;
}

bool load_catalog_files(struct applier *applier, const struct load_catalogs *c, struct buf *reason)
{
    uint64_t tables = 0;
    bool good = true;
    for (size_t i = 0; i < c->space_count * c->file_count && good; i++)
        good = load_catalog_file(applier, c->spaces[i / c->file_count], c->files[i % c->file_count], &tables, reason);
    return good;
}
