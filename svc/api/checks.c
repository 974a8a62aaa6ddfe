/*
 * Results of checks: lists of them, who is hit where one failed, and new ones. These are written
 * through a handle of their own, all of a call in one transaction or none.
 */
#include "api/handlers.h"

#include "ask/checks.h"
#include "record/members.h"
#include "record/quality.h"
#include "store/apply.h"

#include <inttypes.h>

/* ---- lists ---------------------------------------------------------------------------------- */

static void write_check(struct call *call, const struct ask_check *check)
{
    struct out *out = &call->out;
    out_row(out);
    out_word(out, STR("dataset"), dataset_key(call->ask.arena, check->name_space, check->table));
    out_word(out, STR("namespace"), check->name_space);
    out_word(out, STR("table"), check->table);
    out_text(out, STR("column"), check->column);
    out_word(out, STR("check"), check->check);
    out_word(out, STR("status"), ask_check_status(check->status));
    out_number(out, STR("time"), check->time);
    out_text(out, STR("message"), check->message);
    out_text(out, STR("source"), check->source);
    out_row_end(out);
}

void answer_checks(struct call *call)
{
    static const char *const statuses[] = {"pass", "warn", "fail", NULL};
    struct ask_checks_wish wish = {.name_space = call_namespace(call),
                                   .database = call_text(call, STR("database")),
                                   .status = call_choice(call, STR("status"), statuses, -1) + 1,
                                   .limit = call_limit(call),
                                   .skip = call_skip(call)};
    if (call_text(call, STR("name")).len > 0)
        wish.dataset = call_dataset(call);
    if (call->refused)
        return;
    struct ask_checks checks = ask_checks(&call->ask, &wish);
    out_begin(&call->out, STR(""));
    out_list(&call->out, STR("items"));
    for (uint32_t i = 0; i < checks.count; i++)
        write_check(call, &checks.items[i]);
    call_list_skip(call, checks.more, wish.skip + checks.count, -1);
    out_end(&call->out);
}

/* ---- who is hit ----------------------------------------------------------------------------- */

static void write_names(struct out *out, str_t key, const struct ask_users *users)
{
    str_t names[ASK_USERS_MOST];
    for (uint32_t i = 0; i < users->count; i++)
        names[i] = users->items[i].user;
    out_texts(out, key, names, users->count);
}

static void write_hit_table(struct call *call, const struct ask_hit_table *hit, str_t via)
{
    static const struct ask_users nobody;
    struct out *out = &call->out;
    out_row(out);
    write_dependent(out, call->ask.arena, &hit->dependent, via);
    write_names(out, STR("writers"), hit->people == NULL ? &nobody : &hit->people->writers);
    write_names(out, STR("readers"), hit->people == NULL ? &nobody : &hit->people->readers);
    out_row_end(out);
}

/* A column that a check names and no statement does hits what the table hits: 0. */
static int64_t checked_column(struct call *call, int64_t dataset)
{
    str_t column = call_text(call, STR("column"));
    if (column.len == 0 || dataset == 0)
        return 0;
    int64_t id = ask_find_column(&call->ask, dataset, column);
    return id != 0 || ask_column_checked(&call->ask, dataset, column)
               ? id
               : call_column(call, dataset, column);
}

void answer_who_is_hit(struct call *call)
{
    struct ask_hit_wish wish = {.dataset = call_dataset(call),
                                .offline = call_flag(call, STR("offline")),
                                .limit = call_limit(call),
                                .skip = call_skip(call)};
    wish.column = checked_column(call, wish.dataset);
    if (call->refused || ask_failed(&call->ask))
        return;
    struct ask_hit_tables hit = ask_hit_tables(&call->ask, &wish);
    int64_t *before = ARENA_ARRAY(call->ask.arena, int64_t, (size_t)hit.count + 1);
    for (uint32_t i = 0; i < hit.count && before != NULL; i++)
        before[i] = hit.items[i].dependent.via;
    str_t *via = before == NULL ? NULL : dataset_keys(&call->ask, before, hit.count);
    struct out *out = &call->out;
    out_begin(out, STR(""));
    out_word(out, STR("subject"),
             wish.column != 0 ? column_key_by_id(&call->ask, wish.column)
                              : dataset_key_by_id(&call->ask, wish.dataset));
    out_list(out, STR("items"));
    for (uint32_t i = 0; i < hit.count && via != NULL; i++)
        write_hit_table(call, &hit.items[i], via[i]);
    call_list_skip(call, wish.skip + hit.count < hit.total, wish.skip + hit.count, hit.total);
    out_flag(out, STR("complete"), hit.complete);
    out_end(out);
}

/* ---- new results ---------------------------------------------------------------------------- */

enum { CHECKS_MOST = 1000 };

struct taking {
    struct quality_check items[CHECKS_MOST];
    uint32_t count;
};

/* The metastore of a check that names none: the only one there is. */
static void settle_namespace(struct call *call, struct quality_check *check, uint32_t at)
{
    uint32_t count;
    if (check->name_space.len > 0)
        return;
    str_t *names = ask_namespaces(&call->ask, &count);
    if (count == 1)
        check->name_space = names[0];
    else if (count > 1)
        call_refuse(call, 400,
                    "checks[%u]: there are %u namespaces: say which `namespace` is meant.", at,
                    count);
}

static void take_item(struct call *call, struct taking *taking, const struct member *item)
{
    str_t reason = STR("expected an object");
    if (taking->count == CHECKS_MOST) {
        call_refuse(call, 413, "There are more than %d checks.", CHECKS_MOST);
        return;
    }
    struct quality_check *check = &taking->items[taking->count];
    if (item->kind != JSON_OBJECT || !quality_read(item->value, call->ask.arena, check, &reason)) {
        call_refuse(call, 400, "checks[%u]: %.*s.", taking->count, (int)reason.len, reason.ptr);
        return;
    }
    if (check->time > call->ask.now + DAY_MS)
        call_refuse(call, 400, "checks[%u]: time: more than a day ahead of this server's clock.",
                    taking->count);
    settle_namespace(call, check, taking->count);
    taking->count++;
}

static void take_list(struct call *call, struct taking *taking, str_t list)
{
    struct member_reader reader = member_reader_of(list);
    struct member item;
    while (!call->refused && member_next(&reader, &item))
        take_item(call, taking, &item);
}

static bool read_checks(struct call *call, struct taking *taking)
{
    struct member_reader reader = member_reader_of(call->request->body);
    struct member member;
    bool found = false;
    if (!str_starts_with(http_header(call->request, STR("Content-Type")),
                         STR("application/json"))) {
        call_refuse(call, 415, "The body must be application/json.");
        return false;
    }
    while (!call->refused && !reader.array && member_next(&reader, &member)) {
        if (!str_eq(member.key, STR("checks")) || member.kind != JSON_ARRAY) {
            call_refuse(call, 400, "One member is wanted: `checks`, an array.");
            return false;
        }
        found = true;
        take_list(call, taking, member.value);
    }
    if (reader.message != NULL)
        call_refuse(call, 400, "The body is no JSON object: %s at byte %zu.", reader.message,
                    (size_t)(reader.at - reader.start));
    else if (!found)
        call_refuse(call, 400, "The member `checks` is missing.");
    return !call->refused;
}

static void refuse_unwritten(struct call *call, str_t why)
{
    call->answer->retry_after = 5;
    call_refuse(call, 503, "The store cannot be written: %.*s", (int)why.len, why.ptr);
}

static void write_checks(struct call *call, const struct taking *taking)
{
    struct buf reason;
    buf_init(&reason, 0);
    struct store *store = store_open(
        &(struct store_options){.address = api_options_of(call->api)->store, .access = DB_WRITE},
        &reason);
    struct applier *applier = store == NULL ? NULL : applier_new(store);
    bool good = applier != NULL;
    for (uint32_t i = 0; i < taking->count && good; i++)
        good = applier_add_check(applier, &taking->items[i]);
    if (!good)
        refuse_unwritten(call, store == NULL ? buf_str(&reason) : STR("out of memory"));
    else if (!applier_commit(applier))
        refuse_unwritten(call, applier_message(applier));
    applier_free(applier);
    store_close(store);
    buf_release(&reason);
}

void take_checks(struct call *call)
{
    struct taking *taking = ARENA_NEW(call->ask.arena, struct taking);
    if (taking == NULL || !read_checks(call, taking))
        return;
    write_checks(call, taking);
    if (call->refused)
        return;
    log_say(api_options_of(call->api)->log, LOG_LEVEL_INFO, "api.checks", call->who,
            "%u results of checks were taken from %.*s", taking->count, (int)call->who.len,
            call->who.ptr);
    out_begin(&call->out, STR(""));
    out_number(&call->out, STR("taken"), taking->count);
    out_end(&call->out);
}
