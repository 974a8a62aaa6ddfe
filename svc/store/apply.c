/*
 * Events are read into a batch as they come; the commit gives them identifiers, compares them with the executions that are there, writes them, and
 * adds up what they bring. Everything that the commit works out, it works out anew at the next try: the batch itself only changes when a commit
 * has succeeded.
 */
#include "store/apply.h"

#include "base/jsonw.h"
#include "store/defined.h"
#include "store/defining.h"
#include "store/executions.h"
#include "store/look.h"
#include "store/inner.h"

#include <stdlib.h>

struct applier {
    struct store *store;
    struct db *db;
    struct idents idents;
    struct known known;
    struct shares shares;
    struct batch batch;
    struct executions executions;
    struct defining defining;
    struct buf document, sample; /* packed; the first is scratch before */
    struct buf message;          /* of the last commit that failed */
    enum db_trouble trouble;
    int64_t queries_from; /* the first day whose queries are kept */
    struct applier_totals totals, adding; /* adding: of the commit under way */
};

struct applier *applier_new(struct store *store)
{
    struct applier *a = calloc(1, sizeof *a);
    if (a == NULL)
        return NULL;
    a->store = store;
    a->db = store->db;
    bool good = idents_init(&a->idents, a->db);
    known_init(&a->known, a->db, &a->idents);
    shares_init(&a->shares, a->db, &a->known);
    executions_init(&a->executions, a->db, &a->idents);
    defining_init(&a->defining, store, &a->known, &a->shares);
    arena_init(&a->batch.arena, 0, NULL);
    buf_init(&a->document, 0);
    buf_init(&a->sample, 0);
    buf_init(&a->message, 0);
    if (good)
        return a;
    applier_free(a);
    return NULL;
}

void applier_free(struct applier *a)
{
    if (a == NULL)
        return;
    idents_release(&a->idents);
    known_release(&a->known);
    shares_release(&a->shares);
    arena_release(&a->batch.arena);
    pair_map_release(&a->batch.by_query);
    executions_release(&a->executions);
    defining_release(&a->defining);
    buf_release(&a->document);
    buf_release(&a->sample);
    buf_release(&a->message);
    free(a);
}

/* ---- gathering -------------------------------------------------------------------------------------------------- */

static str_t partitions_json(struct applier *a, const struct event *event)
{
    struct buf text;
    struct jsonw w;
    if (event->partition_count == 0)
        return STR("");
    buf_init(&text, 0);
    jsonw_init(&w, &text, false);
    jsonw_array_begin(&w);
    for (uint32_t i = 0; i < event->partition_count; i++) {
        jsonw_array_begin(&w);
        jsonw_string(&w, event->partitions[i].table);
        jsonw_string(&w, event->partitions[i].spec);
        jsonw_array_end(&w);
    }
    jsonw_array_end(&w);
    str_t copy = arena_copy(&a->batch.arena, buf_str(&text));
    buf_release(&text);
    return copy;
}

/* Whether the engine's own log was there and does not disagree. */
static bool is_confirmed(const struct event *event)
{
    if (event->engine_lineage.len == 0 || !event_succeeded(event))
        return false;
    for (uint32_t i = 0; i < event->problem_count; i++)
        if (str_eq(event->problems[i].code, STR("engine-disagrees")))
            return false;
    return true;
}

/* The execution's own members. */
static void copy_execution(struct applier *a, const struct event *event, struct pending *p)
{
    struct arena *arena = &a->batch.arena;
    p->query_id = arena_copy(arena, event->query_id);
    p->name_space = arena_copy(arena, name_space_of(event->name_space));
    p->account = arena_copy(arena, event->user);
    p->engine = arena_copy(arena, event->engine);
    p->operation = arena_copy(arena, event->operation_type);
    p->database = arena_copy(arena, event->database);
    p->cluster = arena_copy(arena, event->cluster);
    p->error = arena_copy(arena, event->error);
    p->partitions = partitions_json(a, event);
    p->day = day_of(event->first_event_time > 0 ? event->first_event_time : event->event_time);
    p->revision = (int64_t)event->generation << 32 | event->revision;
    p->started = event->timestamp;
    p->ended = event->event_time;
    p->duration = event->duration_ms;
    p->status = event->status;
    p->confirmed = is_confirmed(event);
    p->text_hash = text_hash(event->sql);
    p->text = executions_text(&a->executions, p->day, p->text_hash);
    if (p->text == 0)
        p->sql = arena_copy(arena, event->sql);
}

/* A name as it is in the arena of the batch; the text is kept whole, for it is run. */
static void find_definition(struct applier *a, const struct event *event, struct pending *p)
{
    str_t names[2];
    size_t count = event_succeeded(event) ? defined_by(event, &a->batch.arena, names) : 0;
    if (count > 0) {
        p->defined = arena_copy(&a->batch.arena, names[0]);
        p->renamed = count > 1 ? arena_copy(&a->batch.arena, names[1]) : STR("");
        p->sample = arena_copy(&a->batch.arena, event->sql);
    }
}

/* Whether this run's statement is to be shown instead of the one that is: the first run of the newest day. */
static bool is_better_sample(const struct known_lineage *lineage, const struct pending *p)
{
    if (lineage->sample_day == p->day)
        return p->ended <= lineage->sample_at;
    return p->day > lineage->sample_day;
}

static void copy_sample(struct applier *a, const struct event *event, struct pending *p)
{
    p->document = arena_copy(&a->batch.arena, event->lineage);
    p->sample = p->sql.len > 0 ? p->sql : arena_copy(&a->batch.arena, event->sql);
}

/* Facts outlive the event: what they are slices of is copied. */
static bool read_facts(struct applier *a, const struct event *event, struct pending *p)
{
    struct event copy = *event;
    struct arena *arena = &a->batch.arena;
    copy_sample(a, event, p);
    copy.engine = p->engine;
    copy.name_space = p->name_space;
    copy.operation_type = p->operation;
    copy.lineage = p->document;
    copy.sql = p->sample;
    copy.fingerprint = arena_copy(arena, event->fingerprint);
    copy.input_tables = ARENA_ARRAY(arena, str_t, event->input_count);
    copy.output_tables = ARENA_ARRAY(arena, str_t, event->output_count);
    for (uint32_t i = 0; i < event->input_count && copy.input_tables != NULL; i++)
        copy.input_tables[i] = arena_copy(arena, event->input_tables[i]);
    for (uint32_t i = 0; i < event->output_count && copy.output_tables != NULL; i++)
        copy.output_tables[i] = arena_copy(arena, event->output_tables[i]);
    p->facts = ARENA_NEW(arena, struct facts);
    if (arena->failed)
        return false;
    if (!facts_of_event(&copy, arena, p->facts)) {
        p->facts = NULL;
        return false;
    }
    if (p->facts->roles.count == 0)
        p->facts = NULL;
    return true;
}

/* What the lineage of the event is: known at a glance, or by reading it. */
static void find_lineage(struct applier *a, const struct event *event, struct pending *p)
{
    p->look = look_of(event, &a->document);
    int64_t lineage = pair_map_get(&a->known.looks, p->look.high, p->look.low);
    struct known_lineage *known = lineage > 0 ? known_find(&a->known, lineage) : NULL;
    if (lineage == 0)
        return; /* known to touch nothing */
    if (known == NULL || known->pruned) {
        if (!read_facts(a, event, p) && !a->batch.arena.failed)
            a->totals.unreadable++;
        return;
    }
    p->lineage = lineage;
    if (event->lineage.len > 0 && !known->failed && is_better_sample(known, p))
        copy_sample(a, event, p);
}

/* Of two events of one query only the higher counts; false when the one that is there stays. */
static bool take_place(struct applier *a, const struct pending *p)
{
    struct hash128 key = hash128(p->query_id, (uint64_t)p->day);
    int64_t index = pair_map_get(&a->batch.by_query, key.high, key.low);
    if (index >= 0) {
        struct pending *other = &a->batch.events.items[index];
        if (other->revision >= p->revision)
            return false;
        other->superseded = true;
    }
    return pair_map_put(&a->batch.by_query, key.high, key.low, a->batch.events.count - 1);
}

bool applier_add(struct applier *a, const struct event *event)
{
    struct pending *p = VEC_PUSH(&a->batch.arena, &a->batch.events);
    if (p == NULL)
        return false;
    copy_execution(a, event, p);
    if (take_place(a, p)) {
        find_lineage(a, event, p);
        find_definition(a, event, p);
    } else {
        p->superseded = true;
    }
    if (!a->batch.arena.failed)
        return true;
    a->batch.events.count--;
    return false;
}

bool applier_begin_script(struct applier *a, str_t script)
{
    struct pending_script *added = VEC_PUSH(&a->batch.arena, &a->batch.scripts);
    if (added != NULL)
        added->script = arena_copy(&a->batch.arena, script);
    return added != NULL;
}

bool applier_add_script(struct applier *a, const struct script_statement *s)
{
    struct arena *arena = &a->batch.arena;
    struct pending_script p = {
        .script = arena_copy(arena, s->script),
        .name_space = arena_copy(arena, name_space_of(s->name_space)),
        .document = arena_copy(arena, s->statement),
        .sample = arena_copy(arena, s->sql),
        .index = s->index,
        .line = s->line,
        .facts = ARENA_NEW(arena, struct facts),
    };
    const struct document_text text = {p.name_space, arena_copy(arena, s->engine), p.document, p.sample};
    if (p.facts == NULL || !facts_of_document(&text, arena, p.facts))
        return false;
    if (p.facts->roles.count == 0)
        return true;
    struct pending_script *added = VEC_PUSH(arena, &a->batch.scripts);
    if (added != NULL)
        *added = p;
    return added != NULL;
}

bool applier_add_table(struct applier *a, const struct catalog_table *table)
{
    struct arena *arena = &a->batch.arena;
    struct definition *added = VEC_PUSH(arena, &a->batch.definitions);
    if (added == NULL)
        return false;
    *added = (struct definition){
        .name_space = arena_copy(arena, name_space_of(table->name_space)),
        .dataset = arena_copy(arena, table->name),
        .source = arena_copy(arena, table->source),
        .form = STR("json"),
        .statement = arena_copy(arena, table->json),
        .at = table->at,
    };
    return !arena->failed;
}

bool applier_add_check(struct applier *a, const struct quality_check *check)
{
    struct quality_check *added = VEC_PUSH(&a->batch.arena, &a->batch.checks);
    if (added != NULL)
        *added = quality_copy(&a->batch.arena, check);
    return !a->batch.arena.failed;
}

bool applier_checkpoint(struct applier *a, str_t source, int64_t position)
{
    for (uint32_t i = 0; i < a->batch.checkpoints.count; i++)
        if (str_eq(a->batch.checkpoints.items[i].source, source)) {
            a->batch.checkpoints.items[i].position = position;
            return true;
        }
    struct pending_checkpoint *added = VEC_PUSH(&a->batch.arena, &a->batch.checkpoints);
    if (added != NULL)
        *added = (struct pending_checkpoint){arena_copy(&a->batch.arena, source), position};
    return added != NULL;
}

int64_t applier_position(struct applier *a, str_t source, int64_t none)
{
    struct db_query *q = db_query(a->db, "select position from checkpoint where source = $1");
    db_bind_text(q, 1, source);
    int64_t position = db_step(q) ? db_int(q, 0) : none;
    db_done(q);
    return position;
}

size_t applier_count(const struct applier *a)
{
    return a->batch.events.count + a->batch.scripts.count + a->batch.definitions.count + a->batch.checks.count;
}

size_t applier_bytes(const struct applier *a)
{
    return a->batch.arena.used;
}

struct applier_totals applier_totals(const struct applier *a)
{
    return a->totals;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* The first run of the newest day stays, whatever the order in which they come. False when memory is out. */
static bool put_sample(struct applier *a, int64_t lineage, const struct pending *p)
{
    struct known_lineage *known = known_find(&a->known, lineage);
    if (known == NULL)
        return false;
    if (p->document.len == 0 || !is_better_sample(known, p))
        return true;
    buf_clear(&a->document);
    buf_clear(&a->sample);
    if (!pack(a->store->packer, p->document, &a->document) || !pack(a->store->packer, p->sample, &a->sample))
        return false;
    struct db_query *q = db_query(
        a->db, "insert into lineage_text as t (lineage, day, at, query_id, document, sql) values ($1, $2, $3, $4, $5, $6)"
               " on conflict (lineage) do update set day = excluded.day, at = excluded.at, query_id = excluded.query_id,"
               " document = excluded.document, sql = excluded.sql where excluded.day > t.day or (excluded.day = t.day and"
               " (excluded.at < t.at or (excluded.at = t.at and excluded.query_id <= t.query_id)))");
    db_bind_int(q, 1, lineage);
    db_bind_int(q, 2, p->day);
    db_bind_int(q, 3, p->ended);
    db_bind_text(q, 4, p->query_id);
    db_bind_blob(q, 5, buf_str(&a->document));
    db_bind_blob(q, 6, buf_str(&a->sample));
    (void)db_run(q);
    known->sample_day = p->day;
    known->sample_at = p->ended;
    return true;
}

static int64_t resolve(struct applier *a, const struct pending *p)
{
    int64_t before = a->idents.next_lineage;
    int64_t lineage = p->facts == NULL ? p->lineage : known_lineage_of(&a->known, p->name_space, p->facts);
    a->adding.lineages += (uint64_t)(a->idents.next_lineage - before);
    known_remember(&a->known, p->look, lineage);
    return lineage;
}

static bool take_out(struct applier *a, const struct pending *p, const struct stored *stored)
{
    const struct share share = {stored->lineage, p->day, stored->account, stored->ended, stored->confirmed};
    return stored->lineage == 0 || shares_take_out(&a->shares, &share);
}

/*
 * Of a day whose queries are not kept any more: what the event would replace is gone, so it counts as one run of that day at most, however often it comes.
 */
static bool write_history(struct applier *a, const struct pending *p)
{
    int64_t lineage = resolve(a, p), account = account_id(&a->idents, p->account);
    a->adding.history++;
    if (db_failed(a->db) || lineage == 0)
        return !db_failed(a->db);
    const struct share share = {lineage, p->day, account, p->ended, p->confirmed};
    return shares_add_history(&a->shares, &share) && put_sample(a, lineage, p);
}

static bool write_event(struct applier *a, const struct pending *p)
{
    a->adding.events++;
    if (p->day < a->queries_from)
        return write_history(a, p);
    const struct stored stored = executions_stored(&a->executions, p);
    if (stored.found && stored.revision >= p->revision) {
        a->adding.stale++;
        return true;
    }
    a->adding.executions += !stored.found;
    a->adding.revised += stored.found;
    int64_t lineage = resolve(a, p), account = account_id(&a->idents, p->account);
    if (db_failed(a->db) || !take_out(a, p, &stored) || !defining_query(&a->defining, p, stored.found) || !executions_put(&a->executions, p, stored.found, lineage, account))
        return false;
    const struct share share = {lineage, p->day, account, p->ended, p->confirmed};
    return lineage == 0 || (put_sample(a, lineage, p) && shares_add(&a->shares, &share));
}

static int compare_places(const void *a, const void *b)
{
    const struct pending *x = *(const struct pending *const *)a, *y = *(const struct pending *const *)b;
    if (x->lineage != y->lineage)
        return x->lineage < y->lineage ? -1 : 1;
    return (x > y) - (x < y);
}

/*
 * Those of one lineage after another: what is known of it is at hand, and its place in the index of executions by lineage is looked for once. The order
 * of events does not count.
 */
static bool write_in_order(struct applier *a, const struct pending **order)
{
    size_t count = 0;
    for (uint32_t i = 0; i < a->batch.events.count; i++) {
        if (!a->batch.events.items[i].superseded) {
            order[count++] = &a->batch.events.items[i];
            continue;
        }
        a->adding.events++;
        a->adding.stale++;
    }
    qsort(order, count, sizeof *order, compare_places);
    for (size_t i = 0; i < count; i++)
        if (!write_event(a, order[i]))
            return false;
    return true;
}

static bool write_events(struct applier *a)
{
    if (!executions_look(&a->executions, &a->batch))
        return false;
    const struct pending **order = calloc((size_t)a->batch.events.count + 1, sizeof *order);
    bool good = order != NULL && write_in_order(a, order);
    free(order);
    return good;
}

/* ---- scripts ---------------------------------------------------------------------------------------------------- */

static void count_scripts(struct applier *a, int64_t lineage)
{
    struct db_query *q = db_query(a->db, "update lineage set scripts = (select count(*) from script where lineage = $1) where id = $1");
    db_bind_int(q, 1, lineage);
    (void)db_run(q);
}

/* What stood in it so far. */
static bool empty_script(struct applier *a, str_t script)
{
    VEC(int64_t) lineages = {0};
    struct db_query *q = db_query(a->db, "select distinct lineage from script where script = $1");
    db_bind_text(q, 1, script);
    while (db_step(q)) {
        int64_t *added = VEC_PUSH(&a->batch.arena, &lineages);
        if (added != NULL)
            *added = db_int(q, 0);
    }
    q = db_query(a->db, "delete from script where script = $1");
    db_bind_text(q, 1, script);
    (void)db_run(q);
    bool good = !a->batch.arena.failed;
    for (uint32_t i = 0; lineages.items != NULL && i < lineages.count && good; i++) {
        count_scripts(a, lineages.items[i]);
        good = shares_leave(&a->shares, lineages.items[i]);
    }
    return good && !db_failed(a->db);
}

static bool write_script(struct applier *a, const struct pending_script *p)
{
    if (p->facts == NULL)
        return empty_script(a, p->script);
    int64_t before = a->idents.next_lineage;
    int64_t lineage = known_lineage_of(&a->known, p->name_space, p->facts);
    a->adding.lineages += (uint64_t)(a->idents.next_lineage - before);
    struct db_query *q = db_query(a->db, "insert into script (script, statement, lineage, line) values ($1, $2, $3, $4)"
                                         " on conflict (script, statement) do update set lineage = excluded.lineage, line = excluded.line");
    db_bind_text(q, 1, p->script);
    db_bind_int(q, 2, p->index);
    db_bind_int(q, 3, lineage);
    db_bind_int(q, 4, p->line);
    (void)db_run(q);
    count_scripts(a, lineage);
    const struct pending as_run = {.query_id = p->script, .document = p->document, .sample = p->sample};
    return put_sample(a, lineage, &as_run) && shares_touch(&a->shares, lineage);
}

static bool write_scripts(struct applier *a)
{
    for (uint32_t i = 0; i < a->batch.scripts.count; i++)
        if (!write_script(a, &a->batch.scripts.items[i]))
            return false;
    return true;
}

static bool write_definitions(struct applier *a)
{
    for (uint32_t i = 0; i < a->batch.definitions.count; i++)
        if (!defining_catalog(&a->defining, &a->batch.definitions.items[i]))
            return false;
    return defining_run(&a->defining);
}

static bool write_checks(struct applier *a)
{
    for (uint32_t i = 0; i < a->batch.checks.count; i++)
        if (!quality_put(&a->idents, &a->batch.checks.items[i]))
            return false;
    a->adding.checks += a->batch.checks.count;
    return true;
}

/* ---- the transaction -------------------------------------------------------------------------------------------- */

static bool write_checkpoints(struct applier *a)
{
    for (uint32_t i = 0; i < a->batch.checkpoints.count; i++) {
        struct db_query *q = db_query(a->db, "insert into checkpoint (source, position) values ($1, $2)"
                                             " on conflict (source) do update set position = excluded.position");
        db_bind_text(q, 1, a->batch.checkpoints.items[i].source);
        db_bind_int(q, 2, a->batch.checkpoints.items[i].position);
        (void)db_run(q);
    }
    return !db_failed(a->db);
}

static void forget(struct applier *a)
{
    a->trouble = db_failed(a->db) ? db_trouble(a->db) : DB_WRONG;
    buf_clear(&a->message);
    buf_add(&a->message, db_failed(a->db) ? db_message(a->db) : STR("out of memory"));
    (void)db_rollback(a->db); /* nobody else waits for our lock */
    idents_forget(&a->idents);
    known_forget(&a->known);
    executions_forget(&a->executions);
}

static bool begin(struct applier *a)
{
    bool alone = true;
    if (!store_begin_write(a->db))
        return false;
    if (!idents_begin(&a->idents, &alone))
        return false;
    if (!alone || known_is_full(&a->known))
        known_forget(&a->known);
    executions_begin(&a->executions);
    a->queries_from = db_number(a->db, "select value from number where name = 'queries_from'", 0);
    return !db_failed(a->db);
}

static bool write_all(struct applier *a)
{
    shares_clear(&a->shares);
    defining_begin(&a->defining);
    a->adding = (struct applier_totals){0};
    return begin(a) && write_events(a) && write_scripts(a) && write_definitions(a) && write_checks(a) && shares_write(&a->shares) && write_checkpoints(a) && idents_end(&a->idents) &&
           db_commit(a->db);
}

static void empty_batch(struct applier *a)
{
    memset(&a->batch.events, 0, sizeof a->batch.events);
    memset(&a->batch.scripts, 0, sizeof a->batch.scripts);
    memset(&a->batch.checkpoints, 0, sizeof a->batch.checkpoints);
    memset(&a->batch.definitions, 0, sizeof a->batch.definitions);
    memset(&a->batch.checks, 0, sizeof a->batch.checks);
    pair_map_clear(&a->batch.by_query);
    arena_clear(&a->batch.arena);
}

static void add_totals(struct applier *a)
{
    a->totals.events += a->adding.events;
    a->totals.executions += a->adding.executions;
    a->totals.revised += a->adding.revised;
    a->totals.stale += a->adding.stale;
    a->totals.lineages += a->adding.lineages;
    a->totals.history += a->adding.history;
    a->totals.checks += a->adding.checks;
}

enum db_trouble applier_trouble(const struct applier *a)
{
    return a->trouble;
}

str_t applier_message(const struct applier *a)
{
    return buf_str(&a->message);
}

bool applier_commit(struct applier *a)
{
    if (db_failed(a->db)) /* of a question since then, or the server is still away */
        (void)db_rollback(a->db);
    if (applier_count(a) == 0 && a->batch.checkpoints.count == 0)
        return true;
    if (write_all(a)) {
        add_totals(a);
        empty_batch(a);
        return true;
    }
    forget(a);
    return false;
}
