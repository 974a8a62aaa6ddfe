/* One row a check; columns stand there by name, for a check may know of one before any statement does. */
#include "store/quality.h"

#include "store/facts.h"

/* ---- names ------------------------------------------------------------------------------------------------------ */

static bool is_path(str_t table)
{
    size_t colon = str_find(table, ':', 0);
    return str_starts_with(table, STR("/")) || (colon + 1 < table.len && table.ptr[colon + 1] == '/');
}

/* A name as SQL may write it, with backquotes, to lower case. */
static str_t folded(struct arena *arena, str_t text)
{
    struct buf bare;
    buf_init(&bare, 0);
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] != '`')
            buf_add_char(&bare, text.ptr[i]);
    str_t name = name_str(arena_name(arena, arena_copy(arena, str_trim(buf_str(&bare)))));
    buf_release(&bare);
    return name;
}

static str_t table_name(struct arena *arena, str_t text)
{
    str_t table = str_trim(text);
    if (is_path(table))
        return arena_copy(arena, table);
    str_t name = folded(arena, table);
    if (str_find(name, '.', 0) == name.len)
        return arena_dotted(arena, (const str_t[]){STR("default"), name}, 2);
    return arena_copy(arena, name);
}

struct quality_check quality_copy(struct arena *arena, const struct quality_check *check)
{
    struct quality_check copy = *check;
    copy.check = arena_copy(arena, check->check);
    copy.name_space = arena_copy(arena, name_space_of(check->name_space));
    copy.table = table_name(arena, check->table);
    copy.column = folded(arena, check->column);
    copy.message = arena_copy(arena, check->message);
    copy.source = arena_copy(arena, check->source);
    return copy;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

bool quality_put(struct idents *idents, const struct quality_check *check)
{
    const struct dataset_key key = {.space = space_id(idents, check->name_space),
                                    .name = check->table,
                                    .path = is_path(check->table)};
    int64_t dataset = dataset_id(idents, &key);
    struct db_query *q = db_query(
        idents->db, "insert into quality as q (dataset, col, name, status, at, message, source) values ($1, $2, $3, $4, $5, $6, $7)"
                    " on conflict (dataset, col, name) do update set status = excluded.status, at = excluded.at, message = excluded.message,"
                    " source = excluded.source where (excluded.at, excluded.status, excluded.message, excluded.source)"
                    " > (q.at, q.status, q.message, q.source)");
    db_bind_int(q, 1, dataset);
    db_bind_text(q, 2, check->column);
    db_bind_text(q, 3, check->check);
    db_bind_int(q, 4, (int64_t)check->status + 1);
    db_bind_int(q, 5, check->time);
    db_bind_text(q, 6, check->message);
    db_bind_text(q, 7, check->source);
    return dataset > 0 && db_run(q);
}

int64_t quality_prune(struct db *db, int64_t before_ms)
{
    struct db_query *q = db_query(db, "delete from quality where at < $1 returning 1");
    db_bind_int(q, 1, before_ms);
    return db_count(q);
}

int64_t quality_newest(struct db *db, int64_t now_ms)
{
    struct db_query *q = db_query(db, "select max(at) from quality where at <= $1");
    db_bind_int(q, 1, now_ms);
    int64_t newest = db_step(q) ? db_int(q, 0) : 0;
    db_done(q);
    return newest;
}
