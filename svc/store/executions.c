/* The same columns in both databases, but for the hash of a file. */
#include "store/executions.h"

#include "run/hash.h"

#include <stdlib.h>

enum {
    TEXTS_MAX = 100000, /* that are remembered; then they are forgotten, and may be stored a second time that day */
    QUERY_HASH = 19     /* its parameter */
};

void executions_init(struct executions *e, struct db *db, struct idents *idents)
{
    *e = (struct executions){.db = db, .idents = idents};
}

void executions_release(struct executions *e)
{
    pair_map_release(&e->texts);
    pair_map_release(&e->numbers);
}

void executions_begin(struct executions *e)
{
    pair_map_clear(&e->numbers);
    if (e->texts.count > TEXTS_MAX)
        pair_map_clear(&e->texts);
}

void executions_forget(struct executions *e)
{
    pair_map_clear(&e->texts);
}

static bool in_file(const struct executions *e)
{
    return db_kind_of(e->db) == DB_SQLITE;
}

/* ---- texts ------------------------------------------------------------------------------------------------------ */

int64_t text_hash(str_t sql)
{
    int64_t key = (int64_t)(hash64(sql, 0) >> 1);
    return sql.len == 0 ? 0 : key == 0 ? 1 : key;
}

int64_t executions_text(const struct executions *e, int64_t day, int64_t hash)
{
    int64_t key = hash == 0 ? 0 : pair_map_get(&e->texts, (uint64_t)day, (uint64_t)hash);
    return key > 0 ? key : 0;
}

/* In a file: behind the last one of its day. */
static int64_t next_text(struct executions *e, int64_t day)
{
    int64_t number = pair_map_get(&e->numbers, (uint64_t)day, 0), first = day << 32;
    if (number < 0) {
        struct db_query *q = db_query(e->db, "select max(text) from sql_text where text between $1 and $2");
        db_bind_int(q, 1, first);
        db_bind_int(q, 2, first | UINT32_MAX);
        number = db_step(q) && !db_is_null(q, 0) ? db_int(q, 0) - first : 0;
        db_done(q);
    }
    return pair_map_put(&e->numbers, (uint64_t)day, 0, number + 1) ? first + number + 1 : 0;
}

/* The key of its text; 0 when there is none, or memory is out. */
static int64_t put_text(struct executions *e, const struct pending *p)
{
    int64_t key = p->text != 0 ? p->text : executions_text(e, p->day, p->text_hash);
    if (key != 0 || p->text_hash == 0)
        return key;
    key = in_file(e) ? next_text(e, p->day) : p->text_hash;
    struct db_query *q = db_query(e->db, "insert into sql_text (day, text, body) values ($1, $2, $3) on conflict do nothing");
    db_bind_int(q, 1, p->day);
    db_bind_int(q, 2, key);
    db_bind_text(q, 3, p->sql);
    (void)db_run(q);
    (void)pair_map_put(&e->texts, (uint64_t)p->day, (uint64_t)p->text_hash, key);
    return key;
}

/* ---- what is there ---------------------------------------------------------------------------------------------- */

/* Of every event of the batch what the server has of its query. */
static bool look_at_server(struct executions *e, struct batch *b)
{
    size_t count = 0;
    str_t *ids = calloc(b->events.count + 1, sizeof *ids);
    int64_t *days = calloc(b->events.count + 1, sizeof *days);
    for (uint32_t i = 0; i < b->events.count && ids != NULL && days != NULL; i++) {
        struct pending *p = &b->events.items[i];
        p->stored = (struct stored){0};
        if (p->superseded)
            continue;
        ids[count] = p->query_id;
        days[count++] = p->day;
    }
    struct db_query *q = db_query(e->db, "select x.day, x.query_id, x.revision, x.lineage, x.account, x.ended, x.confirmed"
                                         " from (select unnest($1::bigint[]) as day, unnest($2::text[]) as query_id) w"
                                         " join execution x on x.day = w.day::integer and x.query_id = w.query_id");
    db_bind_ids(q, 1, days, count);
    db_bind_texts(q, 2, ids, count);
    while (count > 0 && db_step(q)) {
        struct hash128 key = hash128(db_text(q, 1), (uint64_t)db_int(q, 0));
        int64_t index = pair_map_get(&b->by_query, key.high, key.low);
        if (index >= 0)
            b->events.items[index].stored = (struct stored){db_int(q, 2), db_int(q, 3), db_int(q, 4), db_int(q, 5), true, db_int(q, 6) != 0};
    }
    free(ids);
    free(days);
    return !db_failed(e->db);
}

bool executions_look(struct executions *e, struct batch *batch)
{
    return in_file(e) || look_at_server(e, batch);
}

struct stored executions_stored(struct executions *e, const struct pending *p)
{
    struct stored stored = {0};
    if (!in_file(e))
        return p->stored;
    struct db_query *q = db_query(e->db, "select revision, lineage, account, ended, confirmed from execution"
                                         " where day = $1 and query = $3 and query_id = $2");
    db_bind_int(q, 1, p->day);
    db_bind_text(q, 2, p->query_id);
    db_bind_int(q, 3, hash47(p->query_id));
    if (db_step(q))
        stored = (struct stored){db_int(q, 0), db_int(q, 1), db_int(q, 2), db_int(q, 3), true, db_int(q, 4) != 0};
    db_done(q);
    return stored;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static const char insert_row[] =
    "insert into execution (\n"
    "query, --sqlite\n"
    "day, query_id, revision, lineage, namespace, account, status, engine, operation, database, cluster, started,"
    " ended, duration, confirmed, text, partitions, error) values (\n"
    "$19, --sqlite\n"
    "$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)";

static const char update_row[] =
    "update execution set revision = $3, lineage = $4, namespace = $5, account = $6, status = $7, engine = $8, operation = $9, database = $10,"
    " cluster = $11, started = $12, ended = $13, duration = $14, confirmed = $15, text = $16, partitions = $17, error = $18"
    " where day = $1 and query_id = $2\n"
    " and query = $19 --sqlite\n";

bool executions_put(struct executions *e, const struct pending *p, bool found, int64_t lineage, int64_t account)
{
    int64_t text = put_text(e, p), space = space_id(e->idents, p->name_space);
    struct db_query *q = db_query(e->db, found ? update_row : insert_row);
    db_bind_int(q, 1, p->day);
    db_bind_text(q, 2, p->query_id);
    db_bind_int(q, 3, p->revision);
    db_bind_int(q, 4, lineage);
    db_bind_int(q, 5, space);
    db_bind_int(q, 6, account);
    db_bind_text(q, 7, event_status_name(p->status));
    db_bind_text(q, 8, p->engine);
    db_bind_text(q, 9, p->operation);
    db_bind_text(q, 10, p->database);
    db_bind_text(q, 11, p->cluster);
    db_bind_int(q, 12, p->started);
    db_bind_int(q, 13, p->ended);
    db_bind_int(q, 14, p->duration);
    db_bind_int(q, 15, p->confirmed);
    db_bind_int(q, 16, text);
    db_bind_word(q, 17, p->partitions);
    db_bind_word(q, 18, p->error);
    if (in_file(e))
        db_bind_int(q, QUERY_HASH, hash47(p->query_id));
    return (text != 0 || p->text_hash == 0) && db_run(q);
}
