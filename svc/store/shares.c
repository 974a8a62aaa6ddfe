/* Sums in memory, then upserts in the order of their keys. */
#include "store/shares.h"

#include <stdlib.h>

void shares_init(struct shares *shares, struct db *db, struct known *known)
{
    *shares = (struct shares){.db = db, .known = known};
    resets_init(&shares->resets, db, known);
    arena_init(&shares->arena, 0, NULL);
}

void shares_release(struct shares *shares)
{
    resets_release(&shares->resets);
    pair_map_release(&shares->lineage_at);
    pair_map_release(&shares->use_at);
    pair_map_release(&shares->change_at);
    pair_map_release(&shares->taken_at);
    arena_release(&shares->arena);
}

void shares_clear(struct shares *shares)
{
    pair_map_clear(&shares->lineage_at);
    pair_map_clear(&shares->use_at);
    pair_map_clear(&shares->change_at);
    pair_map_clear(&shares->taken_at);
    arena_clear(&shares->arena);
    memset(&shares->lineages, 0, sizeof shares->lineages);
    memset(&shares->uses, 0, sizeof shares->uses);
    memset(&shares->changes, 0, sizeof shares->changes);
    memset(&shares->taken, 0, sizeof shares->taken);
}

/* ---- gathering -------------------------------------------------------------------------------------------------- */

static uint64_t pair(int64_t high, int64_t low)
{
    return (uint64_t)high << 32 | (uint64_t)low;
}

static struct lineage_sum *lineage_sum(struct shares *s, const struct share *share)
{
    int64_t at = pair_map_get(&s->lineage_at, (uint64_t)share->lineage, pair(share->day, share->account));
    if (at >= 0)
        return &s->lineages.items[at];
    struct lineage_sum *sum = VEC_PUSH(&s->arena, &s->lineages);
    if (sum == NULL || !pair_map_put(&s->lineage_at, (uint64_t)share->lineage, pair(share->day, share->account), s->lineages.count - 1))
        return NULL;
    *sum = (struct lineage_sum){share->lineage, share->day, share->account, 0, 0, share->ended, share->ended};
    return sum;
}

static struct use_sum *use_sum(struct shares *s, int64_t dataset, const struct share *share)
{
    int64_t at = pair_map_get(&s->use_at, (uint64_t)dataset, pair(share->day, share->account));
    if (at >= 0)
        return &s->uses.items[at];
    struct use_sum *sum = VEC_PUSH(&s->arena, &s->uses);
    if (sum == NULL || !pair_map_put(&s->use_at, (uint64_t)dataset, pair(share->day, share->account), s->uses.count - 1))
        return NULL;
    *sum = (struct use_sum){dataset, share->day, share->account, 0, 0, 0};
    return sum;
}

static struct dataset_change *change_of(struct shares *s, int64_t dataset)
{
    int64_t at = pair_map_get(&s->change_at, (uint64_t)dataset, 0);
    if (at >= 0)
        return &s->changes.items[at];
    struct dataset_change *change = VEC_PUSH(&s->arena, &s->changes);
    if (change == NULL || !pair_map_put(&s->change_at, (uint64_t)dataset, 0, s->changes.count - 1))
        return NULL;
    *change = (struct dataset_change){.dataset = dataset};
    return change;
}

static void widen(struct dataset_change *change, const struct known_use *use, int64_t ended)
{
    if (change->first == 0 || ended < change->first)
        change->first = ended;
    if (ended > change->last)
        change->last = ended;
    if ((use->role == ROLE_READS || use->role == ROLE_READS_THROUGH) && ended > change->last_read)
        change->last_read = ended;
    if (use->role == ROLE_WRITES && ended > change->last_write)
        change->last_write = ended;
    if (use->resets)
        add_reset(change->resets, ended);
    change->status |= use->role == ROLE_DROPS || use->role == ROLE_WRITES || use->role == ROLE_DEFINES;
}

static void count_use(struct use_sum *sum, const struct known_use *use, bool failed, int64_t sign)
{
    if (use->role == ROLE_WRITES && failed)
        sum->failures += sign;
    else if (use->role == ROLE_WRITES)
        sum->writes += sign;
    else if (!failed && (use->role == ROLE_READS || use->role == ROLE_READS_THROUGH))
        sum->reads += sign;
}

/* To every dataset that the lineage touches. */
static bool add_uses(struct shares *s, const struct known_lineage *lineage, const struct share *share, int64_t sign)
{
    for (uint32_t i = 0; i < lineage->count; i++) {
        const struct known_use use = known_uses(s->known, lineage)[i];
        struct use_sum *sum = use_sum(s, use.dataset, share);
        struct dataset_change *change = change_of(s, use.dataset);
        if (sum == NULL || change == NULL)
            return false;
        count_use(sum, &use, lineage->failed, sign);
        if (sign > 0 && !lineage->failed)
            widen(change, &use, share->ended);
        change->again |= sign < 0 && !lineage->failed;
    }
    return true;
}

static void recount_lineage(struct shares *s, int64_t lineage)
{
    struct db_query *q = db_query(
        s->db, "update lineage set runs = (select coalesce(sum(runs), 0) from lineage_day where lineage = $1),"
               " confirmed = (select coalesce(sum(confirmed), 0) from lineage_day where lineage = $1),"
               " first_run = (select min(first_run) from lineage_day where lineage = $1),"
               " last_run = (select max(last_run) from lineage_day where lineage = $1) where id = $1");
    db_bind_int(q, 1, lineage);
    (void)db_run(q);
}

/* It counts since now: datasets are of the kind that it says. */
static bool tell_kinds(struct shares *s, const struct known_lineage *lineage)
{
    for (uint32_t i = 0; i < lineage->count; i++) {
        const struct known_use use = known_uses(s->known, lineage)[i];
        struct dataset_change *change = use.kind == KIND_TABLE ? NULL : change_of(s, use.dataset);
        if (use.kind != KIND_TABLE && change == NULL)
            return false;
        if (change != NULL && use.kind > change->kind)
            change->kind = use.kind;
    }
    return true;
}

static bool begin_runs(struct shares *s, struct known_lineage *lineage)
{
    if (lineage->ran || lineage->failed)
        return true;
    lineage->ran = true;
    s->known->made++;
    return lineage->stands || tell_kinds(s, lineage);
}

bool shares_add(struct shares *s, const struct share *share)
{
    struct known_lineage *lineage = known_find(s->known, share->lineage);
    if (lineage == NULL || !begin_runs(s, lineage))
        return false;
    if (!lineage->failed) {
        struct lineage_sum *sum = lineage_sum(s, share);
        if (sum == NULL)
            return false;
        sum->runs++;
        sum->confirmed += share->confirmed;
        sum->first = share->ended < sum->first ? share->ended : sum->first;
        sum->last = share->ended > sum->last ? share->ended : sum->last;
    }
    return add_uses(s, lineage, share, 1);
}

bool shares_add_history(struct shares *s, const struct share *share)
{
    struct known_lineage *lineage = known_find(s->known, share->lineage);
    if (lineage == NULL || lineage->failed)
        return lineage != NULL;
    if (!begin_runs(s, lineage))
        return false;
    struct db_query *q = db_query(s->db, "insert into lineage_day as d (lineage, day, account, runs, confirmed, first_run, last_run)"
                                         " values ($1, $2, $3, 1, 0, $4, $4) on conflict (lineage, day, account) do update set"
                                         " first_run = case when excluded.first_run < d.first_run then excluded.first_run else d.first_run end,"
                                         " last_run = case when excluded.last_run > d.last_run then excluded.last_run else d.last_run end");
    db_bind_int(q, 1, share->lineage);
    db_bind_int(q, 2, share->day);
    db_bind_int(q, 3, share->account);
    db_bind_int(q, 4, share->ended);
    (void)db_run(q);
    recount_lineage(s, share->lineage);
    for (uint32_t i = 0; i < lineage->count; i++) {
        struct dataset_change *change = change_of(s, known_uses(s->known, lineage)[i].dataset);
        if (change == NULL)
            return false;
        widen(change, &known_uses(s->known, lineage)[i], share->ended);
    }
    return true;
}

bool shares_take_out(struct shares *s, const struct share *share)
{
    const struct known_lineage *lineage = known_find(s->known, share->lineage);
    if (lineage == NULL)
        return false;
    if (pair_map_get(&s->taken_at, (uint64_t)share->lineage, (uint64_t)share->day) < 0) {
        struct taken_out *taken = VEC_PUSH(&s->arena, &s->taken);
        if (taken == NULL || !pair_map_put(&s->taken_at, (uint64_t)share->lineage, (uint64_t)share->day, 1))
            return false;
        *taken = (struct taken_out){share->lineage, share->day, false};
    }
    return add_uses(s, lineage, share, -1);
}

bool shares_touch(struct shares *s, int64_t lineage_id)
{
    struct known_lineage *lineage = known_find(s->known, lineage_id);
    for (uint32_t i = 0; lineage != NULL && i < lineage->count; i++)
        if (change_of(s, known_uses(s->known, lineage)[i].dataset) == NULL)
            return false;
    if (lineage == NULL || lineage->stands)
        return lineage != NULL;
    lineage->stands = true;
    return lineage->ran || tell_kinds(s, lineage);
}

bool shares_leave(struct shares *s, int64_t lineage_id)
{
    struct known_lineage *lineage = known_find(s->known, lineage_id);
    for (uint32_t i = 0; lineage != NULL && i < lineage->count; i++) {
        const struct known_use use = known_uses(s->known, lineage)[i];
        struct dataset_change *change = use.kind == KIND_TABLE ? NULL : change_of(s, use.dataset);
        if (use.kind != KIND_TABLE && change == NULL)
            return false;
        if (change != NULL)
            change->again = true;
    }
    if (lineage != NULL)
        lineage->stands = false;
    return lineage != NULL;
}

bool shares_define(struct shares *s, int64_t dataset, bool unknown)
{
    struct dataset_change *change = change_of(s, dataset);
    if (change != NULL) {
        change->status = true;
        change->again |= unknown;
    }
    return change != NULL;
}

/* ---- rows of days ----------------------------------------------------------------------------------------------- */

static int compare_lineages(const void *a, const void *b)
{
    const struct lineage_sum *x = a, *y = b;
    if (x->lineage != y->lineage)
        return x->lineage < y->lineage ? -1 : 1;
    if (x->day != y->day)
        return x->day < y->day ? -1 : 1;
    return (x->account > y->account) - (x->account < y->account);
}

static void write_lineage_days(struct shares *s)
{
    if (s->lineages.count > 1)
        qsort(s->lineages.items, s->lineages.count, sizeof *s->lineages.items, compare_lineages);
    for (uint32_t i = 0; i < s->lineages.count; i++) {
        const struct lineage_sum *sum = &s->lineages.items[i];
        struct db_query *q = db_query(
            s->db, "insert into lineage_day as d (lineage, day, account, runs, confirmed, first_run, last_run)"
                   " values ($1, $2, $3, $4, $5, $6, $7) on conflict (lineage, day, account) do update set"
                   " runs = d.runs + excluded.runs, confirmed = d.confirmed + excluded.confirmed,"
                   " first_run = case when excluded.first_run < d.first_run then excluded.first_run else d.first_run end,"
                   " last_run = case when excluded.last_run > d.last_run then excluded.last_run else d.last_run end");
        db_bind_int(q, 1, sum->lineage);
        db_bind_int(q, 2, sum->day);
        db_bind_int(q, 3, sum->account);
        db_bind_int(q, 4, sum->runs);
        db_bind_int(q, 5, sum->confirmed);
        db_bind_int(q, 6, sum->first);
        db_bind_int(q, 7, sum->last);
        (void)db_run(q);
    }
}

/* One update a lineage: its rows of days stand one behind the other. */
static void write_lineage_totals(struct shares *s)
{
    for (uint32_t i = 0; i < s->lineages.count;) {
        struct lineage_sum total = s->lineages.items[i];
        for (i++; i < s->lineages.count && s->lineages.items[i].lineage == total.lineage; i++) {
            const struct lineage_sum *more = &s->lineages.items[i];
            total.runs += more->runs;
            total.confirmed += more->confirmed;
            total.first = more->first < total.first ? more->first : total.first;
            total.last = more->last > total.last ? more->last : total.last;
        }
        struct db_query *q = db_query(s->db, "update lineage set runs = runs + $2, confirmed = confirmed + $3,"
                                             " first_run = case when first_run < $4 then first_run else $4 end,"
                                             " last_run = case when last_run > $5 then last_run else $5 end where id = $1");
        db_bind_int(q, 1, total.lineage);
        db_bind_int(q, 2, total.runs);
        db_bind_int(q, 3, total.confirmed);
        db_bind_int(q, 4, total.first);
        db_bind_int(q, 5, total.last);
        (void)db_run(q);
    }
}

static int compare_uses(const void *a, const void *b)
{
    const struct use_sum *x = a, *y = b;
    if (x->dataset != y->dataset)
        return x->dataset < y->dataset ? -1 : 1;
    if (x->day != y->day)
        return x->day < y->day ? -1 : 1;
    return (x->account > y->account) - (x->account < y->account);
}

static void write_dataset_days(struct shares *s)
{
    if (s->uses.count > 1)
        qsort(s->uses.items, s->uses.count, sizeof *s->uses.items, compare_uses);
    for (uint32_t i = 0; i < s->uses.count; i++) {
        const struct use_sum *sum = &s->uses.items[i];
        if (sum->reads == 0 && sum->writes == 0 && sum->failures == 0)
            continue;
        struct db_query *q = db_query(
            s->db, "insert into dataset_day as d (dataset, day, account, reads, writes, failures) values ($1, $2, $3, $4, $5, $6)"
                   " on conflict (dataset, day, account) do update set reads = d.reads + excluded.reads,"
                   " writes = d.writes + excluded.writes, failures = d.failures + excluded.failures");
        db_bind_int(q, 1, sum->dataset);
        db_bind_int(q, 2, sum->day);
        db_bind_int(q, 3, sum->account);
        db_bind_int(q, 4, sum->reads);
        db_bind_int(q, 5, sum->writes);
        db_bind_int(q, 6, sum->failures);
        (void)db_run(q);
    }
}

/* ---- what was taken out ----------------------------------------------------------------------------------------- */

static void recount_day(struct shares *s, const struct taken_out *taken)
{
    struct db_query *q = db_query(s->db, "delete from lineage_day where lineage = $1 and day = $2");
    db_bind_int(q, 1, taken->lineage);
    db_bind_int(q, 2, taken->day);
    (void)db_run(q);
    q = db_query(s->db, "insert into lineage_day (lineage, day, account, runs, confirmed, first_run, last_run)"
                        " select lineage, day, account, count(*), sum(confirmed), min(ended), max(ended) from execution"
                        " where lineage = $1 and day = $2 group by lineage, day, account");
    db_bind_int(q, 1, taken->lineage);
    db_bind_int(q, 2, taken->day);
    (void)db_run(q);
}

/* Whether it has runs still. */
static bool has_runs(struct shares *s, int64_t lineage)
{
    struct db_query *q = db_query(s->db, "select 1 from lineage where id = $1 and runs > 0");
    db_bind_int(q, 1, lineage);
    return db_any(q);
}

static bool recount(struct shares *s)
{
    for (uint32_t i = 0; i < s->taken.count; i++) {
        struct taken_out *taken = &s->taken.items[i];
        struct known_lineage *lineage = known_find(s->known, taken->lineage);
        if (lineage == NULL)
            return false;
        if (lineage->failed)
            continue;
        recount_day(s, taken);
        recount_lineage(s, taken->lineage);
        taken->gone = !has_runs(s, taken->lineage);
        if (taken->gone) {
            lineage->ran = false;
            s->known->made++;
        }
    }
    for (uint32_t i = 0; i < s->uses.count && s->taken.count > 0; i++) {
        struct db_query *q = db_query(s->db, "delete from dataset_day where dataset = $1 and day = $2 and account = $3"
                                             " and reads = 0 and writes = 0 and failures = 0");
        db_bind_int(q, 1, s->uses.items[i].dataset);
        db_bind_int(q, 2, s->uses.items[i].day);
        db_bind_int(q, 3, s->uses.items[i].account);
        (void)db_run(q);
    }
    return true;
}

/* ---- datasets --------------------------------------------------------------------------------------------------- */

/* All that lineages say. */
static void look_again(struct shares *s, const struct dataset_change *change)
{
    struct db_query *q = db_query(
        s->db, "update dataset set first_seen = t.first_seen, last_seen = t.last_seen, last_read = t.last_read, last_write = t.last_write"
               " from (select min(l.first_run) as first_seen, max(l.last_run) as last_seen,"
               " max(case when d.role in (1, 2) then l.last_run end) as last_read,"
               " max(case when d.role = 3 then l.last_run end) as last_write"
               " from lineage_dataset d join lineage l on l.id = d.lineage where d.dataset = $1 and l.failed = 0) as t"
               " where dataset.id = $1");
    db_bind_int(q, 1, change->dataset);
    (void)db_run(q);
}

static void widen_seen(struct shares *s, const struct dataset_change *change)
{
    if (change->last == 0)
        return;
    struct db_query *q = db_query(s->db, "update dataset set first_seen = case when first_seen < $2 then first_seen else $2 end,"
                                         " last_seen = case when last_seen > $3 then last_seen else $3 end,"
                                         " last_read = case when last_read > $4 or $4 = 0 then last_read else $4 end,"
                                         " last_write = case when last_write > $5 or $5 = 0 then last_write else $5 end where id = $1");
    db_bind_int(q, 1, change->dataset);
    db_bind_int(q, 2, change->first);
    db_bind_int(q, 3, change->last);
    db_bind_int(q, 4, change->last_read);
    db_bind_int(q, 5, change->last_write);
    (void)db_run(q);
}

/* Of what the catalog does not know: the highest kind that a statement tells which counts. */
static void find_kind(struct shares *s, int64_t dataset)
{
    struct db_query *q = db_query(
        s->db, "update dataset set kind = case (select coalesce(max(d.kind), 0) from lineage_dataset d join lineage l on l.id = d.lineage where d.dataset = $1"
               " and d.kind > 0 and (l.runs > 0 or l.scripts > 0)) when 3 then 'materialized_view' when 2 then 'view' when 1 then 'temporary' else 'table' end"
               " where id = $1 and known = 0 and kind <> 'path'");
    db_bind_int(q, 1, dataset);
    (void)db_run(q);
}

static void raise_kind(struct shares *s, const struct dataset_change *change)
{
    struct db_query *q = db_query(s->db, "update dataset set kind = $2 where id = $1 and known = 0 and kind <> 'path' and case kind"
                                         " when 'materialized_view' then 3 when 'view' then 2 when 'temporary' then 1 else 0 end < $3");
    db_bind_int(q, 1, change->dataset);
    db_bind_text(q, 2, dataset_kind_name(change->kind));
    db_bind_int(q, 3, change->kind);
    (void)db_run(q);
}

/* Offline when it was dropped after all that made or wrote it, and after all that a catalog knew of it. */
static void find_status(struct shares *s, int64_t dataset)
{
    struct db_query *q = db_query(
        s->db, "update dataset set status = case when coalesce((select max(l.last_run) from lineage_dataset d join lineage l on l.id = d.lineage"
               " where d.dataset = $1 and d.role = 4), 0) > coalesce((select max(t.at) from"
               " (select l.last_run as at from lineage_dataset d join lineage l on l.id = d.lineage where d.dataset = $1 and d.role in (3, 5)"
               " union all select at from definition where dataset = $1 and length(columns) > 2) as t), 0)"
               " then 'offline' when known = 1 then 'online' else 'unknown' end where id = $1");
    db_bind_int(q, 1, dataset);
    (void)db_run(q);
}

static bool has_drops(struct shares *s, int64_t dataset)
{
    struct db_query *q = db_query(s->db, "select 1 from lineage_dataset where dataset = $1 and role = 4 limit 1");
    db_bind_int(q, 1, dataset);
    return db_any(q);
}

static bool write_change(struct shares *s, const struct dataset_change *change)
{
    bool good = true;
    if (change->kind > KIND_TABLE && !change->again)
        raise_kind(s, change);
    if (change->again) {
        look_again(s, change);
        find_kind(s, change->dataset);
        good = resets_find(&s->resets, change->dataset);
    } else {
        widen_seen(s, change);
        if (change->resets[0] > 0)
            good = resets_add(&s->resets, change->dataset, change->resets);
    }
    if ((change->status || change->again) && has_drops(s, change->dataset))
        find_status(s, change->dataset);
    return good && !db_failed(s->db);
}

static bool write_changes(struct shares *s)
{
    bool good = true;
    for (uint32_t i = 0; i < s->changes.count && good; i++)
        good = write_change(s, &s->changes.items[i]);
    for (uint32_t i = 0; i < s->taken.count && good; i++)
        good = !s->taken.items[i].gone || resets_find_before(&s->resets, s->taken.items[i].lineage);
    return good;
}

bool shares_write(struct shares *s)
{
    write_lineage_days(s);
    write_lineage_totals(s);
    write_dataset_days(s);
    if (!recount(s))
        return false;
    return write_changes(s) && !db_failed(s->db);
}
