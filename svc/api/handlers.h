/* The handlers of /api/v1, one a path, and the shapes that they share. Nobody but svc/api includes
 * this. */
#ifndef COLLINE_API_HANDLERS_H
#define COLLINE_API_HANDLERS_H

#include "api/api.h"
#include "api/call.h"
#include "ask/column_graph.h"
#include "ask/graph.h"
#include "ask/history.h"
#include "ask/impact.h"
#include "ask/queries.h"
#include "ask/table.h"

/* GET and HEAD; POST that asks; POST that wants the scope `write`. */
enum call_kind { CALL_GETS, CALL_POSTS, CALL_WRITES };

struct handler {
    const char *path;
    void (*answer)(struct call *call);
    const char *parameters; /* their names, with blanks between */
    bool list;              /* may be asked for as CSV */
    enum call_kind kind;
};

void answer_home(struct call *call);
void answer_databases(struct call *call);
void answer_search(struct call *call);
void answer_table(struct call *call);
void answer_columns(struct call *call);
void answer_heat(struct call *call);
void answer_unread(struct call *call);
void answer_dead_columns(struct call *call);
void answer_graph(struct call *call);
void answer_column_graph(struct call *call);
void answer_column_edges(struct call *call);
void answer_edge(struct call *call);
void answer_statements(struct call *call);
void answer_owners(struct call *call);
void answer_hop_counts(struct call *call);
void answer_path(struct call *call);
void answer_impact(struct call *call);
void answer_queries(struct call *call);
void answer_query(struct call *call);
void answer_history(struct call *call);
void answer_changes(struct call *call);
void answer_diff(struct call *call);
void answer_checks(struct call *call);
void answer_who_is_hit(struct call *call);
void take_checks(struct call *call);
void answer_analyze(struct call *call);
void answer_health(struct call *call);
void answer_openapi(struct call *call);

/* The datasets of the parameters `table`, from 1 to 200; refuses the call where one is none. */
struct ask_ids call_tables(struct call *call);

const struct api_options *api_options_of(const struct api *api);

/* ---- shapes --------------------------------------------------------------------------------- */

/* Ids as the interface gives them. */
str_t dataset_key(struct arena *arena, str_t name_space, str_t name);
str_t column_key(struct arena *arena, str_t name_space, str_t name, str_t column);
str_t dataset_key_by_id(struct ask *ask, int64_t dataset);
str_t column_key_by_id(struct ask *ask, int64_t column);

/* Of many at once, in their order. */
str_t *dataset_keys(struct ask *ask, const int64_t *datasets, uint32_t count);

void write_dataset(struct out *out, struct arena *arena, str_t key,
                   const struct ask_dataset *dataset);

/* With columns and neighbours counted: of a batch that was asked for `counted`. */
void write_counted_dataset(struct out *out, struct arena *arena, str_t key,
                           const struct ask_dataset *dataset);

/* A run that failed, as a member; null when there is none (time 0). */
void write_failure(struct out *out, str_t name, const struct ask_run *run);

/* A list of codes with their messages. */
void write_uncertain(struct out *out, str_t key, const struct ask_words *codes);

void write_edge(struct out *out, str_t key, const struct ask_edge *edge, str_t source, str_t target,
                int64_t users);
void write_column_edge(struct out *out, str_t key, const struct ask_column_edge *edge, str_t source,
                       str_t target, bool sql);
void write_query(struct out *out, const struct ask_query *query);
void write_change(struct out *out, struct arena *arena, const struct ask_change_item *change);
/* The keys of the datasets before them. */
str_t *dependents_via(struct call *call, const struct ask_dependent *items, uint32_t count);
void write_dependent(struct out *out, struct arena *arena, const struct ask_dependent *dependent,
                     str_t via);

#endif
