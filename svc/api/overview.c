/* Answers about what there is: the first page, search, tables, columns, use. */
#include "api/handlers.h"

#include "ask/checks.h"
#include "ask/columns.h"
#include "ask/heat.h"
#include "ask/search.h"
#include "ask/table.h"

#include <inttypes.h>
#include <stdio.h>

enum { HOT_SHOWN = 20, CHANGES_SHOWN = 20 };

/* ---- the first page ------------------------------------------------------------------------- */

static void write_hot(struct call *call)
{
    struct ask_heat heat = ask_heat(&call->ask, &(struct ask_heat_wish){.limit = HOT_SHOWN});
    out_list(&call->out, STR("hot"));
    for (uint32_t i = 0; i < heat.count; i++)
        write_dataset(&call->out, call->ask.arena, STR(""), &heat.items[i].dataset);
    out_list_end(&call->out);
}

static void write_newest_changes(struct call *call)
{
    struct ask_changes changes =
        ask_changes(&call->ask, &(struct ask_changes_wish){.limit = CHANGES_SHOWN});
    out_list(&call->out, STR("changes"));
    for (uint32_t i = 0; i < changes.count; i++) {
        out_begin(&call->out, STR(""));
        write_change(&call->out, call->ask.arena, &changes.items[i]);
        out_end(&call->out);
    }
    out_list_end(&call->out);
}

static void write_scopes(struct call *call)
{
    static const struct {
        enum api_scope scope;
        str_t name;
    } all[] = {{SCOPE_READ, STR("read")},
               {SCOPE_SQL, STR("sql")},
               {SCOPE_WRITE, STR("write")},
               {SCOPE_ADMIN, STR("admin")}};
    str_t names[4];
    size_t count = 0;
    for (size_t i = 0; i < 4; i++)
        if ((call->scopes & all[i].scope) != 0)
            names[count++] = all[i].name;
    out_texts(&call->out, STR("scopes"), names, count);
}

void answer_home(struct call *call)
{
    struct ask_counts counts = ask_counts(&call->ask);
    uint32_t count;
    str_t *names = ask_namespaces(&call->ask, &count);
    out_begin(&call->out, STR(""));
    out_begin(&call->out, STR("counts"));
    out_number(&call->out, STR("datasets"), counts.datasets);
    out_known(&call->out, STR("columns"), counts.columns);
    out_number(&call->out, STR("statements"), counts.statements);
    out_known(&call->out, STR("column_edges"), counts.column_edges);
    out_end(&call->out);
    write_hot(call);
    write_newest_changes(call);
    out_time(&call->out, STR("last_event"), counts.last_event);
    write_scopes(call);
    out_text(&call->out, STR("user"), call->who);
    out_texts(&call->out, STR("namespaces"), names, count);
    out_end(&call->out);
}

void answer_databases(struct call *call)
{
    uint32_t limit = call_limit(call), skip = call_skip(call);
    struct ask_databases list = ask_databases(&call->ask, call_text(call, STR("namespace")));
    uint32_t from = skip < list.count ? skip : list.count;
    uint32_t count = list.count - from < limit ? list.count - from : limit;
    out_begin(&call->out, STR(""));
    out_list(&call->out, STR("items"));
    for (uint32_t i = from; i < from + count; i++) {
        out_row(&call->out);
        out_word(&call->out, STR("namespace"), list.items[i].name_space);
        out_word(&call->out, STR("database"), list.items[i].database);
        out_number(&call->out, STR("tables"), list.items[i].tables);
        out_row_end(&call->out);
    }
    call_list_skip(call, from + count < list.count, from + count, list.count);
    out_end(&call->out);
}

/* ---- search --------------------------------------------------------------------------------- */

static void write_hit(struct call *call, const struct ask_hit *hit)
{
    out_row(&call->out);
    out_word(&call->out, STR("type"), hit->is_column ? STR("column") : STR("table"));
    write_dataset(&call->out, call->ask.arena, STR("dataset"), &hit->dataset);
    out_text(&call->out, STR("column"), hit->column);
    out_text(&call->out, STR("column_comment"), hit->column_comment);
    out_word(&call->out, STR("matched"), hit->in_comment ? STR("comment") : STR("name"));
    out_row_end(&call->out);
}

void answer_search(struct call *call)
{
    enum { PARTS_MOST = 800 };
    static const char *const types[] = {"table", "column", NULL};
    str_t parts = str_trim(call_wanted_text(call, STR("q")));
    int type = call_choice(call, STR("type"), types, -1);
    const struct ask_search_wish wish = {.parts = parts,
                                         .name_space = call_text(call, STR("namespace")),
                                         .database = call_text(call, STR("database")),
                                         .tables = type != 1,
                                         .columns = type != 0,
                                         .offline = call_flag(call, STR("offline")),
                                         .limit = call_limit(call),
                                         .skip = call_skip(call)};
    if (parts.len == 0 || parts.len > PARTS_MOST)
        call_refuse(call, 400, "`q` must have from 1 to 200 characters.");
    if (call->refused)
        return;
    struct ask_hits hits = ask_search(&call->ask, &wish);
    out_begin(&call->out, STR(""));
    out_list(&call->out, STR("items"));
    for (uint32_t i = 0; i < hits.count; i++)
        write_hit(call, &hits.items[i]);
    call_list_skip(call, hits.more, wish.skip + hits.count, -1);
    out_end(&call->out);
}

/* ---- a table -------------------------------------------------------------------------------- */

static void write_reach(struct out *out, str_t key, const struct ask_reach *reach, int64_t direct)
{
    int64_t total = reach->total > direct ? reach->total : direct;
    out_begin(out, key);
    out_number(out, STR("direct"), direct);
    out_number(out, STR("total"), total);
    out_flag(out, STR("total_is_exact"), reach->exact);
    out_end(out);
}

static void write_last_write(struct out *out, const struct ask_run *run)
{
    if (run->time == 0) {
        out_null(out, STR("last_write"));
        return;
    }
    out_begin(out, STR("last_write"));
    out_number(out, STR("time"), run->time);
    out_text(out, STR("user"), run->user);
    out_text(out, STR("query_id"), run->query_id);
    out_text(out, STR("engine"), run->engine);
    out_text(out, STR("operation"), run->operation);
    out_end(out);
}

static void write_usual_time(struct out *out, const struct ask_table *table)
{
    if (!table->has_usual_time) {
        out_null(out, STR("usual_time"));
        return;
    }
    out_begin(out, STR("usual_time"));
    out_number(out, STR("from_minute"), table->usual_from);
    out_number(out, STR("to_minute"), table->usual_to);
    out_hundredths(out, STR("share"), table->usual_share);
    out_end(out);
}

static void write_days(struct out *out, const struct ask_table *table)
{
    out_list(out, STR("heat_by_day"));
    for (uint32_t i = 0; i < table->day_count; i++) {
        char day[11];
        ask_day_name(table->days[i].day, day);
        out_begin(out, STR(""));
        out_word(out, STR("day"), str_make(day, 10));
        out_number(out, STR("reads"), table->days[i].reads);
        out_number(out, STR("writes"), table->days[i].writes);
        out_number(out, STR("users"), table->days[i].users);
        out_end(out);
    }
    out_list_end(out);
}

static void write_rename(struct out *out, str_t key, const struct ask_rename *rename)
{
    if (rename->name.len == 0) {
        out_null(out, key);
        return;
    }
    out_begin(out, key);
    out_word(out, STR("name"), rename->name);
    out_time(out, STR("time"), rename->time);
    out_end(out);
}

static void write_check_counts(struct out *out, const struct ask_table *table)
{
    out_begin(out, STR("checks"));
    for (int64_t status = 3; status > 0; status--)
        out_number(out, ask_check_status(status), table->checks[status]);
    out_end(out);
}

void answer_table(struct call *call)
{
    enum { COUNTED = 200, COUNTED_MOST = 10000 };
    struct ask_table table;
    struct ask_words uncertain = {0};
    struct out *out = &call->out;
    uint32_t count_to = call_count(call, STR("count_to"), 1, COUNTED_MOST, COUNTED);
    int64_t id = call_dataset(call);
    if (call->refused || id == 0 || !ask_table(&call->ask, id, count_to, &table))
        return;
    ask_words_split(&uncertain, call->ask.arena, table.uncertain);
    out_begin(out, STR(""));
    write_counted_dataset(out, call->ask.arena, STR("dataset"), &table.dataset);
    out_text(out, STR("view_text"),
             table.view_text.len > 0 && call_shows_sql(call) ? table.view_text : STR(""));
    out_text(out, STR("location"), table.location);
    out_time(out, STR("first_seen"), table.first_seen);
    out_time(out, STR("last_seen"), table.last_seen);
    write_reach(out, STR("up"), &table.up, table.dataset.up_count);
    write_reach(out, STR("down"), &table.down, table.dataset.down_count);
    out_number(out, STR("reads"), table.reads);
    out_number(out, STR("writes"), table.writes);
    write_last_write(out, &table.last_write);
    write_usual_time(out, &table);
    write_failure(out, STR("last_failure"), &table.last_failure);
    write_check_counts(out, &table);
    write_rename(out, STR("renamed_to"), &table.renamed_to);
    write_rename(out, STR("renamed_from"), &table.renamed_from);
    write_uncertain(out, STR("uncertain"), &uncertain);
    write_days(out, &table);
    out_end(out);
}

static void write_column(struct call *call, const struct ask_column *column, str_t dataset)
{
    struct out *out = &call->out;
    out_row(out);
    out_word(out, STR("id"),
             arena_concat(call->ask.arena, (const str_t[]){dataset, STR("#"), column->name}, 3));
    out_word(out, STR("name"), column->name);
    out_known(out, STR("ordinal"), column->ordinal);
    out_text(out, STR("type"), column->type);
    out_text(out, STR("comment"), column->comment);
    out_flag(out, STR("partition"), column->partition);
    out_word(out, STR("status"), column->status);
    out_number(out, STR("up_count"), column->up_count);
    out_number(out, STR("down_count"), column->down_count);
    out_number(out, STR("indirect_down_count"), column->indirect_down_count);
    out_row_end(out);
}

void answer_columns(struct call *call)
{
    static const char *const orders[] = {"used", "ordinal", NULL};
    const struct ask_columns_wish wish = {.dataset = call_dataset(call),
                                          .part = call_text(call, STR("q")),
                                          .by_ordinal =
                                              call_choice(call, STR("order"), orders, 0) == 1,
                                          .offline = call_flag(call, STR("offline")),
                                          .limit = call_limit(call),
                                          .skip = call_skip(call)};
    if (call->refused || wish.dataset == 0)
        return;
    str_t dataset = dataset_key_by_id(&call->ask, wish.dataset);
    struct ask_columns columns = ask_columns(&call->ask, &wish);
    out_begin(&call->out, STR(""));
    out_list(&call->out, STR("items"));
    for (uint32_t i = 0; i < columns.count; i++)
        write_column(call, &columns.items[i], dataset);
    call_list_skip(call, wish.skip + columns.count < columns.total, wish.skip + columns.count,
                   columns.total);
    out_end(&call->out);
}

/* ---- use ------------------------------------------------------------------------------------ */

static void answer_by_heat(struct call *call, bool unread)
{
    int64_t after[2] = {0, 0};
    char next[64] = "";
    struct ask_heat_wish wish = {.name_space = call_namespace(call),
                                 .database = call_text(call, STR("database")),
                                 .unread = unread,
                                 .limit = call_limit(call)};
    (void)call_cursor(call, after, 2);
    wish.after_heat = after[0];
    wish.after_dataset = after[1];
    if (call->refused)
        return;
    struct ask_heat heat = ask_heat(&call->ask, &wish);
    out_begin(&call->out, STR(""));
    out_list(&call->out, STR("items"));
    for (uint32_t i = 0; i < heat.count; i++) {
        const struct ask_heat_item *item = &heat.items[i];
        out_row(&call->out);
        write_dataset(&call->out, call->ask.arena, STR("dataset"), &item->dataset);
        out_number(&call->out, STR("reads"), item->reads);
        out_number(&call->out, STR("writes"), item->writes);
        out_number(&call->out, STR("users"), item->users);
        out_row_end(&call->out);
    }
    if (heat.more && heat.count > 0)
        (void)snprintf(next, sizeof next, "%" PRId64 ".%" PRId64,
                       heat.items[heat.count - 1].dataset.heat,
                       heat.items[heat.count - 1].dataset.id);
    call_list_end(call, str_make(next, strlen(next)), -1);
    out_end(&call->out);
}

void answer_heat(struct call *call)
{
    answer_by_heat(call, false);
}

void answer_unread(struct call *call)
{
    answer_by_heat(call, true);
}

static void write_dead(struct call *call, const struct ask_dead_column *column)
{
    struct out *out = &call->out;
    out_row(out);
    out_word(out, STR("namespace"), column->name_space);
    out_word(out, STR("table"), column->table);
    out_word(out, STR("column"), column->column);
    out_text(out, STR("type"), column->type);
    out_text(out, STR("comment"), column->comment);
    out_word(out, STR("dataset"), dataset_key(call->ask.arena, column->name_space, column->table));
    out_row_end(out);
}

void answer_dead_columns(struct call *call)
{
    int64_t after[3] = {0, 0, 0};
    char next[96] = "";
    struct ask_dead_wish wish = {.database = call_text(call, STR("database")),
                                 .limit = call_limit(call)};
    if (call_text(call, STR("name")).len > 0)
        wish.dataset = call_dataset(call);
    else
        wish.name_space = call_namespace(call);
    (void)call_cursor(call, after, 3);
    wish.after_heat = after[0];
    wish.after_dataset = after[1];
    wish.after_column = after[2];
    if (call->refused)
        return;
    struct ask_dead_columns dead = ask_dead_columns(&call->ask, &wish);
    out_begin(&call->out, STR(""));
    out_list(&call->out, STR("items"));
    for (uint32_t i = 0; i < dead.count; i++)
        write_dead(call, &dead.items[i]);
    if (dead.more && dead.count > 0) {
        const struct ask_dead_column *last = &dead.items[dead.count - 1];
        (void)snprintf(next, sizeof next, "%" PRId64 ".%" PRId64 ".%" PRId64, last->heat,
                       last->dataset, last->id);
    }
    call_list_end(call, str_make(next, strlen(next)), -1);
    out_end(&call->out);
}
