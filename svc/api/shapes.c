/* What several answers hold, written in one place each. */
#include "api/handlers.h"

#include "ask/checks.h"
#include "colline.h"

/* ---- ids ------------------------------------------------------------------------------------ */

str_t dataset_key(struct arena *arena, str_t name_space, str_t name)
{
    return arena_concat(arena, (const str_t[]){name_space, STR("#"), name}, 3);
}

str_t column_key(struct arena *arena, str_t name_space, str_t name, str_t column)
{
    return arena_concat(arena, (const str_t[]){name_space, STR("#"), name, STR("#"), column}, 5);
}

str_t dataset_key_by_id(struct ask *ask, int64_t dataset)
{
    struct db_query *q = db_query(ask->db, "select n.name, d.name from dataset d join namespace n "
                                           "on n.id = d.namespace where d.id = $1");
    db_bind_int(q, 1, dataset);
    str_t key = db_step(q) ? dataset_key(ask->arena, db_text(q, 0), db_text(q, 1)) : STR("");
    db_done(q);
    return key;
}

str_t *dataset_keys(struct ask *ask, const int64_t *datasets, uint32_t count)
{
    str_t *keys = ARENA_ARRAY(ask->arena, str_t, count + 1);
    struct id_index places = {0};
    struct ask_ids ids = {0};
    for (uint32_t i = 0; i < count; i++) {
        bool fresh;
        (void)id_index_place(&places, ask->arena, datasets[i], i, &fresh);
        ask_ids_add(&ids, ask->arena, datasets[i]);
    }
    ask_ids_sort(&ids);
    struct db_query *q =
        db_query(ask->db, "select d.id, n.name, d.name from dataset d join namespace n"
                          " on n.id = d.namespace where d.id in ids($1)");
    db_bind_ids(q, 1, ids.items, ids.count);
    while (ids.count > 0 && db_step(q)) {
        uint32_t at = id_index_get(&places, db_int(q, 0));
        if (keys != NULL && at != ID_NONE)
            keys[at] = dataset_key(ask->arena, db_text(q, 1), db_text(q, 2));
    }
    for (uint32_t i = 0; i < count && keys != NULL; i++)
        keys[i] = keys[id_index_get(&places, datasets[i])];
    return keys;
}

str_t column_key_by_id(struct ask *ask, int64_t column)
{
    struct db_query *q = db_query(
        ask->db, "select n.name, d.name, c.name from col c join dataset d on d.id = c.dataset"
                 " join namespace n on n.id = d.namespace where c.id = $1");
    db_bind_int(q, 1, column);
    str_t key =
        db_step(q) ? column_key(ask->arena, db_text(q, 0), db_text(q, 1), db_text(q, 2)) : STR("");
    db_done(q);
    return key;
}

/* ---- datasets ------------------------------------------------------------------------------- */

static void write_members(struct out *out, struct arena *arena, const struct ask_dataset *dataset)
{
    out_word(out, STR("id"), dataset_key(arena, dataset->name_space, dataset->name));
    out_word(out, STR("namespace"), dataset->name_space);
    out_word(out, STR("name"), dataset->name);
    out_text(out, STR("database"), dataset->database);
    out_word(out, STR("kind"), dataset->kind);
    out_word(out, STR("status"), dataset->status);
    out_text(out, STR("layer"), dataset->layer);
    out_text(out, STR("family"), dataset->family);
    out_text(out, STR("comment"), dataset->comment);
    out_text(out, STR("owner"), dataset->owner);
    out_text(out, STR("engine"), dataset->engine);
    out_flag(out, STR("temporary"), dataset->temporary);
    out_tenths(out, STR("heat"), dataset->heat);
    out_number(out, STR("users"), dataset->users);
    out_time(out, STR("last_written"), dataset->last_written);
    out_time(out, STR("last_read"), dataset->last_read);
    out_text(out, STR("quality"), ask_check_status(dataset->quality));
}

void write_dataset(struct out *out, struct arena *arena, str_t key,
                   const struct ask_dataset *dataset)
{
    out_begin(out, key);
    write_members(out, arena, dataset);
    out_end(out);
}

void write_counted_dataset(struct out *out, struct arena *arena, str_t key,
                           const struct ask_dataset *dataset)
{
    out_begin(out, key);
    write_members(out, arena, dataset);
    out_number(out, STR("column_count"), dataset->column_count);
    out_number(out, STR("up_count"), dataset->up_count);
    out_number(out, STR("down_count"), dataset->down_count);
    out_end(out);
}

/* ---- edges ---------------------------------------------------------------------------------- */

static str_t meaning_of(str_t code)
{
    colline_text meaning = colline_code_meaning(code.ptr, code.len);
    return meaning.len > 0 ? str_make(meaning.ptr, meaning.len) : code;
}

void write_uncertain(struct out *out, str_t key, const struct ask_words *codes)
{
    out_list(out, key);
    for (uint32_t i = 0; i < codes->count && !out->csv; i++) {
        out_begin(out, STR(""));
        out_word(out, STR("code"), codes->items[i]);
        out_word(out, STR("message"), meaning_of(codes->items[i]));
        out_end(out);
    }
    out_list_end(out);
}

static str_t change_name(enum ask_change change)
{
    static const str_t names[] = {STR(""), STR("added"), STR("gone"), STR("kept")};
    return names[change];
}

static str_t kind_name(bool direct)
{
    return direct ? STR("direct") : STR("indirect");
}

void write_edge(struct out *out, str_t key, const struct ask_edge *edge, str_t source, str_t target,
                int64_t users)
{
    out_begin(out, key);
    out_word(out, STR("source"), source);
    out_word(out, STR("target"), target);
    out_word(out, STR("kind"), kind_name(edge->direct));
    out_word(out, STR("state"), ask_state_name(edge->state));
    out_word(out, STR("evidence"), ask_evidence_name(edge->evidence));
    out_texts(out, STR("modes"), edge->modes.items, edge->modes.count);
    out_texts(out, STR("engines"), edge->engines.items, edge->engines.count);
    out_number(out, STR("runs"), edge->runs);
    out_known(out, STR("users"), users);
    out_time(out, STR("first_run"), edge->first_run);
    out_time(out, STR("last_run"), edge->last_run);
    out_number(out, STR("statement_count"), edge->statements);
    write_uncertain(out, STR("uncertain"), &edge->uncertain);
    out_texts(out, STR("through"), edge->through.items, edge->through.count);
    out_text(out, STR("change"), change_name(edge->change));
    out_end(out);
}

void write_column_edge(struct out *out, str_t key, const struct ask_column_edge *edge, str_t source,
                       str_t target, bool sql)
{
    out_begin(out, key);
    out_word(out, STR("source"), source);
    out_word(out, STR("target"), target);
    out_word(out, STR("kind"), kind_name(edge->direct));
    out_word(out, STR("transform"), edge_kind_name((enum column_edge_kind)edge->kind));
    out_text(out, STR("expression"), sql ? edge->expression : STR(""));
    out_word(out, STR("state"), ask_state_name(edge->state));
    out_word(out, STR("evidence"), ask_evidence_name(edge->evidence));
    out_number(out, STR("runs"), edge->runs);
    out_time(out, STR("last_run"), edge->last_run);
    out_number(out, STR("statement_count"), edge->statements);
    write_uncertain(out, STR("uncertain"), &edge->uncertain);
    out_end(out);
}

/* ---- the rest ------------------------------------------------------------------------------- */

void write_query(struct out *out, const struct ask_query *query)
{
    out_word(out, STR("query_id"), query->query_id);
    out_word(out, STR("engine"), query->engine);
    out_text(out, STR("user"), query->user);
    out_text(out, STR("database"), query->database);
    out_time(out, STR("started"), query->started);
    out_known(out, STR("duration_ms"), query->duration_ms);
    out_word(out, STR("status"), query->status);
    out_text(out, STR("operation"), query->operation);
    out_text(out, STR("fingerprint"), query->fingerprint);
    out_texts(out, STR("inputs"), query->inputs.items, query->inputs.count);
    out_texts(out, STR("outputs"), query->outputs.items, query->outputs.count);
}

void write_change(struct out *out, struct arena *arena, const struct ask_change_item *change)
{
    out_number(out, STR("time"), change->time);
    out_word(out, STR("type"), change->type);
    out_word(out, STR("dataset"), dataset_key(arena, change->name_space, change->name));
    out_word(out, STR("namespace"), change->name_space);
    out_word(out, STR("name"), change->name);
    out_text(out, STR("column"), change->column);
    out_text(out, STR("before"), change->before);
    out_text(out, STR("after"), change->after);
    out_text(out, STR("user"), change->user);
    out_text(out, STR("query_id"), change->query_id);
}

void write_dependent(struct out *out, struct arena *arena, const struct ask_dependent *dependent,
                     str_t via)
{
    write_dataset(out, arena, STR("dataset"), &dependent->dataset);
    out_number(out, STR("level"), dependent->level);
    out_word(out, STR("kind"), kind_name(dependent->direct));
    out_texts(out, STR("columns"), dependent->columns.items, dependent->columns.count);
    out_text(out, STR("via"), via);
}

str_t *dependents_via(struct call *call, const struct ask_dependent *items, uint32_t count)
{
    int64_t *ids = ARENA_ARRAY(call->ask.arena, int64_t, count + 1);
    for (uint32_t i = 0; i < count && ids != NULL; i++)
        ids[i] = items[i].via;
    return ids == NULL ? NULL : dataset_keys(&call->ask, ids, count);
}

void write_failure(struct out *out, str_t name, const struct ask_run *run)
{
    if (run->time == 0) {
        out_null(out, name);
        return;
    }
    out_begin(out, name);
    out_number(out, STR("time"), run->time);
    out_text(out, STR("user"), run->user);
    out_word(out, STR("query_id"), run->query_id);
    out_word(out, STR("status"), run->status);
    out_end(out);
}
