/* Answers about where data comes from and where it goes. */
#include "api/handlers.h"

#include "ask/edge.h"
#include "ask/path.h"

enum { NODES_DEFAULT = 150, NODES_MOST = 2000, EDGES_MOST = 20000, DEPTH_MOST = 100 };

static void take_direction(struct call *call, bool *up, bool *down)
{
    static const char *const directions[] = {"up", "down", "both", NULL};
    int direction = call_choice(call, STR("direction"), directions, 2);
    *up = direction != 1;
    *down = direction != 0;
}

static uint32_t take_depth(struct call *call)
{
    return call_count(call, STR("depth"), 1, DEPTH_MOST, 1);
}

/* ---- tables around a table ------------------------------------------------------------------ */

static void write_day(struct out *out, str_t key, const struct ask_moment *moment)
{
    char day[11];
    ask_day_name(moment->day, day);
    out_text(out, key, moment->past ? str_make(day, 10) : STR(""));
}

static str_t node_change(enum ask_change change)
{
    static const str_t names[] = {STR(""), STR("added"), STR("gone"), STR("kept")};
    return names[change];
}

/* The key of a node of the graph. */
static str_t key_in(struct call *call, const struct id_index *places, const struct ask_graph *graph,
                    int64_t id)
{
    uint32_t at = id_index_get(places, id);
    if (at == ID_NONE)
        return STR("");
    return dataset_key(call->ask.arena, graph->nodes[at].dataset.name_space,
                       graph->nodes[at].dataset.name);
}

static void write_graph(struct call *call, const struct ask_graph_wish *wish,
                        const struct ask_graph *graph)
{
    struct out *out = &call->out;
    struct id_index places = {0};
    out_begin(out, STR(""));
    const struct ask_dataset *focus = &graph->nodes[0].dataset; /* it is never left out */
    out_word(out, STR("focus"), dataset_key(call->ask.arena, focus->name_space, focus->name));
    out_list(out, STR("nodes"));
    for (uint32_t i = 0; i < graph->node_count; i++) {
        bool fresh;
        (void)id_index_place(&places, call->ask.arena, graph->nodes[i].dataset.id, i, &fresh);
        out_begin(out, STR(""));
        write_counted_dataset(out, call->ask.arena, STR("dataset"), &graph->nodes[i].dataset);
        out_number(out, STR("level"), graph->nodes[i].level);
        out_text(out, STR("change"), node_change(graph->nodes[i].change));
        out_end(out);
    }
    out_list_end(out);
    out_list(out, STR("edges"));
    for (uint32_t i = 0; i < graph->edge_count; i++)
        write_edge(out, STR(""), &graph->edges[i],
                   key_in(call, &places, graph, graph->edges[i].src),
                   key_in(call, &places, graph, graph->edges[i].dst), -1);
    out_list_end(out);
    out_begin(out, STR("more"));
    out_number(out, STR("up"), graph->more_up);
    out_number(out, STR("down"), graph->more_down);
    out_end(out);
    if (graph->next_skip > 0 && wish->up != wish->down)
        out_word(out, STR("next"), number_text(call->ask.arena, graph->next_skip));
    else
        out_null(out, STR("next"));
    write_day(out, STR("as_of"), &wish->at);
    write_day(out, STR("from"), &wish->from);
    out_number(out, STR("hub_edges"), graph->hub_edges);
    out_flag(out, STR("complete"), graph->complete);
    out_end(out);
}

static struct ask_graph_wish take_graph_wish(struct call *call)
{
    struct ask_graph_wish wish = {.focus = call_dataset(call),
                                  .depth = take_depth(call),
                                  .limit =
                                      call_count(call, STR("limit"), 1, NODES_MOST, NODES_DEFAULT),
                                  .indirect = call_flag(call, STR("indirect")),
                                  .without_hubs = call_flag(call, STR("without_hubs")),
                                  .temporary = call_flag(call, STR("temporary"))};
    take_direction(call, &wish.up, &wish.down);
    return wish;
}

void answer_graph(struct call *call)
{
    struct ask_graph_wish wish = take_graph_wish(call);
    wish.skip = call_skip(call);
    wish.offline = call_flag(call, STR("offline"));
    wish.at = call_as_of(call);
    if (wish.skip > 0 && (wish.depth != 1 || wish.up == wish.down))
        call_refuse(call, 400, "`cursor` goes with one direction and `depth=1`.");
    if (call->refused || wish.focus == 0)
        return;
    struct ask_graph graph = ask_graph(&call->ask, &wish);
    if (!ask_failed(&call->ask))
        write_graph(call, &wish, &graph);
}

void answer_diff(struct call *call)
{
    struct ask_graph_wish wish = take_graph_wish(call);
    wish.differs = true;
    wish.from.past = call_day(call, STR("from"), &wish.from.day);
    wish.at.past = call_day(call, STR("to"), &wish.at.day);
    if (!wish.from.past)
        call_refuse(call, 400, "The parameter `from` is missing.");
    if (wish.at.past && wish.at.day < wish.from.day)
        call_refuse(call, 400, "`to` is before `from`.");
    if (call->refused || wish.focus == 0)
        return;
    struct ask_graph graph = ask_graph(&call->ask, &wish);
    if (!ask_failed(&call->ask))
        write_graph(call, &wish, &graph);
}

/* ---- columns -------------------------------------------------------------------------------- */

static str_t node_key(struct call *call, const struct ask_column_node *node)
{
    return node->whole ? dataset_key(call->ask.arena, node->name_space, node->table)
                       : column_key(call->ask.arena, node->name_space, node->table, node->column);
}

static void write_column_node(struct call *call, const struct ask_column_node *node)
{
    struct out *out = &call->out;
    out_begin(out, STR(""));
    out_word(out, STR("id"), node_key(call, node));
    out_word(out, STR("dataset"), dataset_key(call->ask.arena, node->name_space, node->table));
    out_word(out, STR("namespace"), node->name_space);
    out_word(out, STR("table"), node->table);
    out_text(out, STR("column"), node->whole ? STR("") : node->column);
    out_text(out, STR("type"), node->type);
    out_word(out, STR("status"), node->status);
    out_number(out, STR("level"), node->level);
    out_end(out);
}

static void write_column_graph(struct call *call, const struct ask_column_graph *graph, bool focus,
                               const struct ask_moment *at)
{
    struct out *out = &call->out;
    out_begin(out, STR(""));
    out_text(out, STR("focus"),
             focus && graph->node_count > 0 ? node_key(call, &graph->nodes[0]) : STR(""));
    out_list(out, STR("nodes"));
    for (uint32_t i = 0; i < graph->node_count; i++)
        write_column_node(call, &graph->nodes[i]);
    out_list_end(out);
    out_list(out, STR("edges"));
    for (uint32_t i = 0; i < graph->edge_count; i++)
        write_column_edge(out, STR(""), &graph->edges[i],
                          node_key(call, &graph->nodes[graph->edges[i].src]),
                          node_key(call, &graph->nodes[graph->edges[i].dst]), call_shows_sql(call));
    out_list_end(out);
    out_number(out, STR("hub_edges"), graph->hub_edges);
    out_flag(out, STR("complete"), graph->complete);
    write_day(out, STR("as_of"), at);
    out_end(out);
}

void answer_column_graph(struct call *call)
{
    enum { DEFAULT = 2000 };
    struct ask_column_wish wish = {.depth = take_depth(call),
                                   .limit = call_count(call, STR("limit"), 1, EDGES_MOST, DEFAULT),
                                   .indirect = call_flag(call, STR("indirect")),
                                   .without_hubs = call_flag(call, STR("without_hubs")),
                                   .offline = call_flag(call, STR("offline")),
                                   .expressions = call_flag(call, STR("expressions")),
                                   .at = call_as_of(call)};
    int64_t dataset = call_dataset(call);
    take_direction(call, &wish.up, &wish.down);
    wish.focus = call_column(call, dataset, call_wanted_text(call, STR("column")));
    if (call->refused || wish.focus == 0)
        return;
    struct ask_column_graph graph = ask_column_graph(&call->ask, &wish);
    if (!ask_failed(&call->ask))
        write_column_graph(call, &graph, true, &wish.at);
}

void answer_column_edges(struct call *call)
{
    enum { DEFAULT = 5000 };
    const struct ask_column_wish wish = {.limit =
                                             call_count(call, STR("limit"), 1, EDGES_MOST, DEFAULT),
                                         .indirect = call_flag(call, STR("indirect")),
                                         .without_hubs = call_flag(call, STR("without_hubs")),
                                         .at = call_as_of(call)};
    struct ask_ids tables = call_tables(call);
    if (call->refused)
        return;
    struct ask_column_graph graph = ask_column_edges(&call->ask, &tables, &wish);
    if (!ask_failed(&call->ask))
        write_column_graph(call, &graph, false, &wish.at);
}

/* ---- the two ends of an edge or a path ------------------------------------------------------ */

struct ends {
    int64_t src, dst, src_column, dst_column;
};

static struct ends take_ends(struct call *call)
{
    struct ends ends = {0};
    str_t source_column = call_text(call, STR("source_column")),
          target_column = call_text(call, STR("target_column"));
    ends.src = call_dataset_of(call, STR(""), call_wanted_text(call, STR("source")));
    ends.dst = call_dataset_of(call, STR(""), call_wanted_text(call, STR("target")));
    if ((source_column.len > 0) != (target_column.len > 0))
        call_refuse(call, 400, "`source_column` and `target_column` go together.");
    if (source_column.len == 0 || call->refused)
        return ends;
    ends.src_column = call_column(call, ends.src, source_column);
    ends.dst_column = call_column(call, ends.dst, target_column);
    return ends;
}

static void write_span(struct out *out, const struct ask_tie *tie)
{
    if (!tie->has_span) {
        out_null(out, STR("span"));
        return;
    }
    out_begin(out, STR("span"));
    out_number(out, STR("start"), tie->start);
    out_number(out, STR("end"), tie->end);
    out_end(out);
}

static void write_tie(struct out *out, const struct ask_tie *tie, str_t source, str_t target,
                      bool sql)
{
    out_begin(out, STR(""));
    out_word(out, STR("source"), tie->source.len > 0 ? tie->source : source);
    out_word(out, STR("target"), tie->target.len > 0 ? tie->target : target);
    out_word(out, STR("kind"), tie->direct ? STR("direct") : STR("indirect"));
    out_word(out, STR("transform"), tie->how);
    out_text(out, STR("expression"), sql ? tie->expression : STR(""));
    write_span(out, tie);
    out_end(out);
}

static void write_users(struct out *out, const struct ask_statement *statement)
{
    out_list(out, STR("users"));
    for (uint32_t i = 0; i < statement->user_count; i++) {
        out_begin(out, STR(""));
        out_word(out, STR("user"), statement->users[i].user);
        out_number(out, STR("runs"), statement->users[i].runs);
        out_end(out);
    }
    out_list_end(out);
}

static void write_statement(struct call *call, const struct ask_statement *statement, str_t source,
                            str_t target)
{
    struct out *out = &call->out;
    struct ask_words uncertain = {0};
    bool sql = call_shows_sql(call);
    ask_words_split(&uncertain, call->ask.arena, statement->uncertain);
    out_begin(out, STR(""));
    out_word(out, STR("fingerprint"), statement->fingerprint);
    out_word(out, STR("engine"), statement->engine);
    out_word(out, STR("operation"), statement->operation);
    out_text(out, STR("mode"), statement->mode);
    out_text(out, STR("database"), statement->database);
    out_word(out, STR("state"), ask_state_name(statement->state));
    out_word(out, STR("evidence"), ask_evidence_name(statement->evidence));
    out_number(out, STR("runs"), statement->runs);
    write_users(out, statement);
    out_time(out, STR("first_run"), statement->first_run);
    out_time(out, STR("last_run"), statement->last_run);
    out_text(out, STR("query_id"), statement->query_id);
    out_text(out, STR("script"), statement->script);
    out_text(out, STR("sql"), sql ? statement->sql : STR(""));
    out_list(out, STR("columns"));
    for (uint32_t i = 0; i < statement->ties.count; i++)
        write_tie(out, &statement->ties.items[i], source, target, sql);
    out_list_end(out);
    write_uncertain(out, STR("uncertain"), &uncertain);
    out_end(out);
}

void answer_edge(struct call *call)
{
    struct ends ends = take_ends(call);
    const struct ask_edge_wish wish = {.src = ends.src,
                                       .dst = ends.dst,
                                       .src_column = ends.src_column,
                                       .dst_column = ends.dst_column,
                                       .limit = call_limit(call),
                                       .skip = call_skip(call)};
    if (call->refused)
        return;
    struct ask_edge_detail detail = ask_edge_detail(&call->ask, &wish);
    if (!detail.found && !ask_failed(&call->ask))
        call_refuse(call, 404, "No statement leads from the one to the other.");
    if (call->refused || ask_failed(&call->ask))
        return;
    str_t source = dataset_key_by_id(&call->ask, wish.src),
          target = dataset_key_by_id(&call->ask, wish.dst);
    out_begin(&call->out, STR(""));
    if (wish.src_column == 0)
        write_edge(&call->out, STR("edge"), &detail.edge, source, target, detail.users);
    else
        write_column_edge(&call->out, STR("edge"), &detail.column.edges[0],
                          node_key(call, &detail.column.nodes[0]),
                          node_key(call, &detail.column.nodes[1]), call_shows_sql(call));
    out_list(&call->out, STR("items"));
    for (uint32_t i = 0; i < detail.count; i++)
        write_statement(call, &detail.items[i], source, target);
    call_list_skip(call, wish.skip + detail.count < detail.total, wish.skip + detail.count,
                   detail.total);
    out_end(&call->out);
}

/* ---- paths ---------------------------------------------------------------------------------- */

static str_t end_key(struct call *call, int64_t id, bool column)
{
    return column ? column_key_by_id(&call->ask, id) : dataset_key_by_id(&call->ask, id);
}

static void write_hop(struct call *call, const struct ask_hop *hop, bool columns)
{
    struct out *out = &call->out;
    out_begin(out, STR(""));
    out_word(out, STR("source"), end_key(call, hop->src, columns));
    out_word(out, STR("target"), end_key(call, hop->dst, columns));
    out_word(out, STR("kind"), hop->direct ? STR("direct") : STR("indirect"));
    out_text(out, STR("transform"), edge_kind_name((enum column_edge_kind)hop->kind));
    out_text(out, STR("expression"), call_shows_sql(call) ? hop->expression : STR(""));
    out_word(out, STR("state"), ask_state_name(hop->state));
    out_text(out, STR("fingerprint"), hop->fingerprint);
    out_end(out);
}

void answer_path(struct call *call)
{
    struct ends ends = take_ends(call);
    bool columns = ends.src_column != 0;
    const struct ask_path_wish wish = {.src = columns ? ends.src_column : ends.src,
                                       .dst = columns ? ends.dst_column : ends.dst,
                                       .columns = columns,
                                       .indirect = call_flag(call, STR("indirect")),
                                       .at = call_as_of(call)};
    struct out *out = &call->out;
    if (call->refused || ask_failed(&call->ask))
        return;
    struct ask_path path = ask_path(&call->ask, &wish);
    out_begin(out, STR(""));
    out_flag(out, STR("found"), path.found);
    out_word(out, STR("source"), end_key(call, wish.src, columns));
    out_word(out, STR("target"), end_key(call, wish.dst, columns));
    out_list(out, STR("hops"));
    for (uint32_t i = 0; i < path.hop_count; i++)
        write_hop(call, &path.hops[i], columns);
    out_list_end(out);
    out_text(out, STR("composed"), call_shows_sql(call) ? path.composed : STR(""));
    out_flag(out, STR("complete"), path.complete);
    out_end(out);
}
