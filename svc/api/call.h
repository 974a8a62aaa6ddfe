/*
 * One call of the interface as its handler sees it: the question's parameters, checked, and the
 * answer. After a mistake the call is refused and what is written afterwards does not count.
 */
#ifndef COLLINE_API_CALL_H
#define COLLINE_API_CALL_H

#include "api/out.h"
#include "ask/ask.h"
#include "run/http.h"

enum api_scope { SCOPE_READ = 1, SCOPE_SQL = 2, SCOPE_WRITE = 4, SCOPE_ADMIN = 8 };

struct api;

struct call {
    struct api *api;
    const struct http_request *request;
    struct http_answer *answer;
    struct ask ask;
    struct out out;
    unsigned scopes; /* enum api_scope, of the client */
    str_t who;       /* the token's name; empty: nobody said who he is */
    bool csv, refused, sql_logged;
};

/* Refuses the call: the answer becomes a problem. Only the first counts. */
void call_refuse(struct call *call, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void call_refuse_with(struct call *call, unsigned status, const struct ask_name *nearest,
                      uint32_t count, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Whether texts of SQL, and pieces of them, may be shown; the log says once for each call who saw
 * them. */
bool call_shows_sql(struct call *call);

/* Parameters. What makes no sense refuses the call and gives the default. */
str_t call_text(struct call *call, str_t name); /* empty when absent */
str_t call_wanted_text(struct call *call, str_t name);
bool call_flag(struct call *call, str_t name);
uint32_t call_count(struct call *call, str_t name, uint32_t least, uint32_t most,
                    uint32_t by_default);
int call_choice(struct call *call, str_t name, const char *const *choices,
                int by_default);                            /* choices end with NULL */
bool call_day(struct call *call, str_t name, int64_t *day); /* whether it is there */
struct ask_moment call_as_of(struct call *call);

enum { LIMIT_DEFAULT = 50, LIMIT_MOST = 10000 };

/* `limit`, of which CSV takes all at first. */
uint32_t call_limit(struct call *call);

/* `cursor` of lists that are counted through: how many to skip. */
uint32_t call_skip(struct call *call);

/* `cursor` of other lists: up to three numbers with dots between; false when absent. */
bool call_cursor(struct call *call, int64_t *numbers, unsigned count);

/* The dataset that `name` and `namespace` mean, or another pair of parameters; 0 when the call was
 * refused. */
int64_t call_dataset(struct call *call);
int64_t call_dataset_of(struct call *call, str_t name_space, str_t name);
int64_t call_column(struct call *call, int64_t dataset, str_t name);

/* The id of `namespace`, 0 where all are meant. */
int64_t call_namespace(struct call *call);

str_t number_text(struct arena *arena, int64_t number);

/* Ends a list: `next` and `total`; an empty cursor is null, a negative total too. */
void call_list_end(struct call *call, str_t next, int64_t total);
void call_list_skip(struct call *call, bool more, uint32_t next, int64_t total);

#endif
