/* What a picture is told of its tables besides the edges: the statements between them, how far
 * their hops lead, who keeps them, and which failed. */
#include "api/handlers.h"

#include "ask/hops.h"
#include "ask/owners.h"
#include "ask/statements.h"

enum { TABLES_MOST = 200 };

struct ask_ids call_tables(struct call *call)
{
    struct ask_ids tables = {0};
    for (size_t i = 0; i < call->request->argument_count && !call->refused; i++)
        if (str_eq(call->request->arguments[i].name, STR("table")))
            ask_ids_add(&tables, call->ask.arena,
                        call_dataset_of(call, STR(""), call->request->arguments[i].value));
    if (tables.count == 0 || tables.count > TABLES_MOST)
        call_refuse(call, 400, "From 1 to %d parameters `table` are wanted.", TABLES_MOST);
    return tables;
}

/* ---- statements ----------------------------------------------------------------------------- */

static void write_keys(struct call *call, str_t name, const struct ask_ids *ids)
{
    str_t *keys = dataset_keys(&call->ask, ids->items, ids->count);
    out_texts(&call->out, name, keys, keys == NULL ? 0 : ids->count);
}

static void write_process(struct call *call, const struct ask_process *process)
{
    struct out *out = &call->out;
    out_begin(out, STR(""));
    out_word(out, STR("fingerprint"), process->fingerprint);
    out_word(out, STR("engine"), process->engine);
    out_word(out, STR("operation"), process->operation);
    out_text(out, STR("mode"), process->mode);
    out_word(out, STR("state"), ask_state_name(process->state));
    out_word(out, STR("evidence"), ask_evidence_name(process->evidence));
    out_number(out, STR("runs"), process->runs);
    out_time(out, STR("last_run"), process->last_run);
    out_text(out, STR("query_id"), process->query_id);
    out_text(out, STR("script"), process->script);
    write_keys(call, STR("sources"), &process->sources);
    write_keys(call, STR("targets"), &process->targets);
    out_end(out);
}

void answer_statements(struct call *call)
{
    enum { DEFAULT = 300, MOST = 2000 };
    const struct ask_processes_wish wish = {.indirect = call_flag(call, STR("indirect")),
                                            .limit =
                                                call_count(call, STR("limit"), 1, MOST, DEFAULT),
                                            .at = call_as_of(call)};
    struct ask_ids tables = call_tables(call);
    if (call->refused)
        return;
    struct ask_processes list = ask_processes(&call->ask, &tables, &wish);
    out_begin(&call->out, STR(""));
    out_list(&call->out, STR("items"));
    for (uint32_t i = 0; i < list.count; i++)
        write_process(call, &list.items[i]);
    out_list_end(&call->out);
    out_number(&call->out, STR("total"), list.total);
    out_end(&call->out);
}

/* ---- hops ----------------------------------------------------------------------------------- */

void answer_hop_counts(struct call *call)
{
    struct ask_ids tables = call_tables(call);
    if (call->refused)
        return;
    struct ask_hop_counts counts = ask_hop_counts(&call->ask, &tables);
    struct ask_ids ids = {0};
    for (uint32_t i = 0; i < counts.count; i++)
        ask_ids_add(&ids, call->ask.arena, counts.items[i].dataset);
    str_t *keys = dataset_keys(&call->ask, ids.items, ids.count);
    out_begin(&call->out, STR(""));
    out_list(&call->out, STR("items"));
    for (uint32_t i = 0; i < counts.count && keys != NULL; i++) {
        out_begin(&call->out, STR(""));
        out_word(&call->out, STR("dataset"), keys[i]);
        out_number(&call->out, STR("up"), counts.items[i].up);
        out_number(&call->out, STR("down"), counts.items[i].down);
        out_end(&call->out);
    }
    out_list_end(&call->out);
    out_end(&call->out);
}

/* ---- owners --------------------------------------------------------------------------------- */

static void write_users(struct out *out, str_t key, str_t times, const struct ask_users *users)
{
    out_list(out, key);
    for (uint32_t i = 0; i < users->count; i++) {
        out_begin(out, STR(""));
        out_word(out, STR("user"), users->items[i].user);
        out_number(out, times, users->items[i].times);
        out_end(out);
    }
    out_list_end(out);
}

static void write_keeping(struct call *call, const struct ask_keeping *keeping, str_t key)
{
    struct out *out = &call->out;
    out_begin(out, STR(""));
    out_word(out, STR("dataset"), key);
    out_text(out, STR("owner"), keeping->owner);
    write_users(out, STR("writers"), STR("writes"), &keeping->writers);
    write_users(out, STR("readers"), STR("reads"), &keeping->readers);
    write_failure(out, STR("failed"), &keeping->failed);
    out_end(out);
}

void answer_owners(struct call *call)
{
    struct ask_ids tables = call_tables(call);
    if (call->refused)
        return;
    struct ask_keeping *items = ask_keepings(&call->ask, &tables);
    str_t *keys = dataset_keys(&call->ask, tables.items, tables.count);
    out_begin(&call->out, STR(""));
    out_list(&call->out, STR("items"));
    for (uint32_t i = 0; i < tables.count && items != NULL && keys != NULL; i++)
        write_keeping(call, &items[i], keys[i]);
    out_list_end(&call->out);
    out_end(&call->out);
}
