/* Hive: workload management (resource plans, pools, triggers, mappings) and scheduled queries. */
#include "sql/hive.h"

/* id {'.' id} */
static void parse_path(struct parser *p)
{
    parse_qname(p, "a pool");
}

/* ---- resource plans ---- */

/* QUERY_PARALLELISM '=' num | DEFAULT POOL '=' path, in lists */
static void parse_plan_settings(struct parser *p)
{
    do {
        if (accept_word(p, KW_QUERY_PARALLELISM)) {
            expect(p, TOKEN_EQ, "=");
            expect_number(p, "a number");
        } else {
            expect_word(p, KW_DEFAULT);
            expect_word(p, KW_POOL);
            expect(p, TOKEN_EQ, "=");
            parse_path(p);
        }
    } while (accept(p, TOKEN_COMMA));
}

/* QUERY_PARALLELISM | DEFAULT POOL, in lists */
static void parse_plan_setting_names(struct parser *p)
{
    do {
        if (!accept_word(p, KW_QUERY_PARALLELISM)) {
            expect_word(p, KW_DEFAULT);
            expect_word(p, KW_POOL);
        }
    } while (accept(p, TOKEN_COMMA));
}

/* RESOURCE PLAN [IF NOT EXISTS] id [LIKE id | WITH settings] */
static void parse_create_plan(struct parser *p, struct object_stmt *object)
{
    expect_word(p, KW_PLAN);
    object->if_not_exists = accept_if_not_exists(p);
    parse_ident(p, "a resource plan");
    if (accept_word(p, KW_LIKE))
        parse_ident(p, "a resource plan");
    else if (accept_word(p, KW_WITH))
        parse_plan_settings(p);
}

/* ACTIVATE [WITH REPLACE] */
static void parse_activate(struct parser *p)
{
    accept_words(p, KW_WITH, KW_REPLACE);
}

/*
 * RESOURCE PLAN id (VALIDATE | DISABLE | SET .. | UNSET .. | RENAME TO id | ACTIVATE .. | ENABLE
 * ..)
 */
static void parse_alter_plan(struct parser *p)
{
    expect_word(p, KW_PLAN);
    parse_ident(p, "a resource plan");
    switch (take(p)->word) {
    case KW_VALIDATE:
    case KW_DISABLE:
        break;
    case KW_SET:
        parse_plan_settings(p);
        break;
    case KW_UNSET:
        parse_plan_setting_names(p);
        break;
    case KW_RENAME:
        expect_word(p, KW_TO);
        parse_ident(p, "a resource plan");
        break;
    case KW_ACTIVATE:
        parse_activate(p);
        accept_word(p, KW_ENABLE);
        break;
    case KW_ENABLE:
        if (accept_word(p, KW_ACTIVATE))
            parse_activate(p);
        break;
    default:
        if (!p->failed && p->token != p->end)
            p->token--;
        parse_fail(p, STR("VALIDATE, ENABLE, DISABLE, ACTIVATE, SET, UNSET or RENAME"));
    }
}

/* ---- triggers ---- */

/* id '.' id */
static void parse_dotted(struct parser *p)
{
    struct qname name = parse_qname(p, "a resource plan and a name");
    if (name.count < 2)
        parse_fail(p, STR(". and a name"));
}

/* KILL | MOVE TO path */
static void parse_trigger_action(struct parser *p)
{
    if (accept_word(p, KW_KILL))
        return;
    expect_word(p, KW_MOVE);
    expect_word(p, KW_TO);
    parse_path(p);
}

/* WHEN id '>' (num | str) DO action */
static void parse_trigger_rule(struct parser *p)
{
    expect_word(p, KW_WHEN);
    parse_ident(p, "a counter");
    expect(p, TOKEN_GT, ">");
    if (!accept(p, TOKEN_STRING))
        expect_number(p, "a number or string");
    expect_word(p, KW_DO);
    parse_trigger_action(p);
}

/* (ADD TO | DROP FROM) (POOL path | UNMANAGED) */
static void parse_trigger_pool(struct parser *p)
{
    if (accept_word(p, KW_ADD)) {
        expect_word(p, KW_TO);
    } else {
        expect_word(p, KW_DROP);
        expect_word(p, KW_FROM);
    }
    if (accept_word(p, KW_UNMANAGED))
        return;
    expect_word(p, KW_POOL);
    parse_path(p);
}

/* ---- pools ---- */

/*
 * ALLOC_FRACTION '=' num | QUERY_PARALLELISM '=' num | SCHEDULING_POLICY '=' str | PATH '=' path,
 * in lists
 */
static void parse_pool_settings(struct parser *p)
{
    do {
        const struct token *setting = take(p);
        expect(p, TOKEN_EQ, "=");
        if (setting->word == KW_ALLOC_FRACTION || setting->word == KW_QUERY_PARALLELISM) {
            expect_number(p, "a number");
        } else if (setting->word == KW_SCHEDULING_POLICY) {
            parse_string(p, "a policy in quotes");
        } else if (setting->word == KW_PATH) {
            parse_path(p);
        } else if (!p->failed) {
            p->token = setting;
            parse_fail(p, STR("ALLOC_FRACTION, QUERY_PARALLELISM, SCHEDULING_POLICY or PATH"));
        }
    } while (accept(p, TOKEN_COMMA));
}

/* SET settings | UNSET SCHEDULING_POLICY | (ADD | DROP) TRIGGER id */
static void parse_alter_pool(struct parser *p)
{
    parse_dotted(p);
    if (accept_word(p, KW_SET)) {
        parse_pool_settings(p);
    } else if (accept_word(p, KW_UNSET)) {
        expect_word(p, KW_SCHEDULING_POLICY);
    } else {
        if (!accept_word(p, KW_ADD))
            expect_word(p, KW_DROP);
        expect_word(p, KW_TRIGGER);
        parse_ident(p, "a trigger");
    }
}

/* ---- mappings ---- */

/* MAPPING str IN id, with the cursor behind USER, GROUP or APPLICATION */
static void parse_mapping(struct parser *p)
{
    expect_word(p, KW_MAPPING);
    parse_string(p, "a name in quotes");
    expect_word(p, KW_IN);
    parse_ident(p, "a resource plan");
}

/* (TO path | UNMANAGED) [WITH ORDER num] */
static void parse_mapping_target(struct parser *p)
{
    if (!accept_word(p, KW_UNMANAGED)) {
        expect_word(p, KW_TO);
        parse_path(p);
    }
    if (!accept_word(p, KW_WITH))
        return;
    expect_word(p, KW_ORDER);
    expect_number(p, "a number");
}

/* ---- statements ---- */

struct stmt *hive_parse_create_workload(struct parser *p, const struct token *first)
{
    struct object_stmt object = {0};
    switch (take(p)->word) {
    case KW_RESOURCE:
        parse_create_plan(p, &object);
        break;
    case KW_TRIGGER:
        parse_dotted(p);
        parse_trigger_rule(p);
        break;
    case KW_POOL:
        parse_dotted(p);
        expect_word(p, KW_WITH);
        parse_pool_settings(p);
        break;
    default:
        parse_mapping(p);
        parse_mapping_target(p);
    }
    return new_object_stmt(p, STMT_CREATE_OTHER, object, first);
}

struct stmt *hive_parse_alter_workload(struct parser *p, const struct token *first)
{
    switch (take(p)->word) {
    case KW_RESOURCE:
        parse_alter_plan(p);
        break;
    case KW_TRIGGER:
        parse_dotted(p);
        if (at_word(p, KW_WHEN))
            parse_trigger_rule(p);
        else
            parse_trigger_pool(p);
        break;
    case KW_POOL:
        parse_alter_pool(p);
        break;
    default:
        parse_mapping(p);
        parse_mapping_target(p);
    }
    return new_object_stmt(p, STMT_ALTER_OTHER, (struct object_stmt){0}, first);
}

struct stmt *hive_parse_drop_workload(struct parser *p, const struct token *first)
{
    struct object_stmt object = {0};
    switch (take(p)->word) {
    case KW_RESOURCE:
        expect_word(p, KW_PLAN);
        object.if_exists = accept_if_exists(p);
        parse_ident(p, "a resource plan");
        break;
    case KW_TRIGGER:
    case KW_POOL:
        parse_dotted(p);
        break;
    case KW_SCHEDULED:
        expect_word(p, KW_QUERY);
        object.if_exists = accept_if_exists(p);
        parse_ident(p, "a scheduled query");
        break;
    default:
        parse_mapping(p);
    }
    return new_object_stmt(p, STMT_DROP_OTHER, object, first);
}

/* ---- scheduled queries ---- */

static bool at_every_unit(const struct parser *p)
{
    switch (p->token->word) {
    case KW_YEAR:
    case KW_YEARS:
    case KW_MONTH:
    case KW_MONTHS:
    case KW_WEEK:
    case KW_WEEKS:
    case KW_DAY:
    case KW_DAYS:
    case KW_HOUR:
    case KW_HOURS:
    case KW_MINUTE:
    case KW_MINUTES:
    case KW_SECOND:
    case KW_SECONDS:
        return true;
    default:
        return false;
    }
}

/* CRON str | EVERY [num] unit [(AT | OFFSET BY) str] */
static bool parse_schedule(struct parser *p)
{
    if (accept_word(p, KW_CRON)) {
        parse_string(p, "a schedule in quotes");
        return true;
    }
    if (!accept_word(p, KW_EVERY))
        return false;
    accept(p, TOKEN_NUMBER);
    if (at_every_unit(p))
        take(p);
    else
        parse_fail(p, STR("a unit of time"));
    if (accept_words(p, KW_OFFSET, KW_BY) || accept_word(p, KW_AT))
        parse_string(p, "a time in quotes");
    return true;
}

/* EXECUTED AS str */
static bool parse_executed_as(struct parser *p)
{
    if (!accept_word(p, KW_EXECUTED))
        return false;
    expect_word(p, KW_AS);
    parse_string(p, "a user in quotes");
    return true;
}

static struct stmt *new_schedule(struct parser *p, struct wrapper_stmt wrapper,
                                 const struct token *first)
{
    struct wrapper_stmt *copy = arena_alloc(p->arena, sizeof(*copy));
    if (copy != NULL)
        *copy = wrapper;
    return new_stmt(p, STMT_SCHEDULED_QUERY, copy, first);
}

/* The statement that a schedule runs. */
static struct stmt *parse_scheduled_statement(struct parser *p)
{
    if (!enter_query(p))
        return NULL;
    struct stmt *inner = hive_parse_statement(p);
    leave_query(p);
    return inner;
}

/* SCHEDULED QUERY id schedule [EXECUTED AS str] [ENABLE | DISABLE] [DEFINED] AS statement */
struct stmt *hive_parse_create_schedule(struct parser *p, const struct token *first)
{
    struct wrapper_stmt wrapper = {0};
    take(p);
    expect_word(p, KW_QUERY);
    wrapper.name = parse_ident(p, "a name");
    const struct token *from = p->token;
    if (!parse_schedule(p))
        parse_fail(p, STR("CRON or EVERY"));
    parse_executed_as(p);
    if (!accept_word(p, KW_ENABLE))
        accept_word(p, KW_DISABLE);
    wrapper.options = clause_of_tokens(p, STR("options"), from);
    accept_word(p, KW_DEFINED);
    expect_word(p, KW_AS);
    wrapper.inner = parse_scheduled_statement(p);
    return new_schedule(p, wrapper, first);
}

/*
 * SCHEDULED QUERY id (schedule | EXECUTED AS str | ENABLE | DISABLE | [DEFINED] AS statement |
 * EXECUTE)
 */
struct stmt *hive_parse_alter_schedule(struct parser *p, const struct token *first)
{
    struct wrapper_stmt wrapper = {0};
    take(p);
    expect_word(p, KW_QUERY);
    wrapper.name = parse_ident(p, "a name");
    const struct token *from = p->token;
    bool simple =
        accept_word(p, KW_ENABLE) || accept_word(p, KW_DISABLE) || accept_word(p, KW_EXECUTE);
    if (!simple && !parse_schedule(p) && !parse_executed_as(p)) {
        accept_word(p, KW_DEFINED);
        expect_word(p, KW_AS);
        wrapper.inner = parse_scheduled_statement(p);
        return new_schedule(p, wrapper, first);
    }
    wrapper.options = clause_of_tokens(p, STR("options"), from);
    return new_schedule(p, wrapper, first);
}
