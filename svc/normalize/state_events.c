/* A row is closed when its lines are large enough to pack well, and at the commit. */
#include "normalize/state_events.h"

enum {
    ROW_BYTES = 512 * 1024,
    TEXT_MAX = 1 << 30
};

const char state_events_schema[] = "create table event_pack (last integer primary key, events integer not null, packed blob not null);";

bool state_events_init(struct state_events *events, struct db *db)
{
    *events = (struct state_events){.db = db, .packer = packer_new(), .last = -1};
    buf_init(&events->lines, TEXT_MAX);
    buf_init(&events->packed, 0);
    buf_init(&events->text, TEXT_MAX);
    return events->packer != NULL;
}

void state_events_release(struct state_events *events)
{
    packer_free(events->packer);
    buf_release(&events->lines);
    buf_release(&events->packed);
    buf_release(&events->text);
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static bool write_row(struct state_events *e)
{
    if (e->last < 0)
        e->last = db_number(e->db, "select max(last) from event_pack", 0);
    buf_clear(&e->packed);
    if (e->lines.failed || !pack(e->packer, buf_str(&e->lines), &e->packed))
        return false;
    struct db_query *q = db_query(e->db, "insert into event_pack (last, events, packed) values ($1, $2, $3)");
    db_bind_int(q, 1, e->last + e->count);
    db_bind_int(q, 2, e->count);
    db_bind_blob(q, 3, buf_str(&e->packed));
    if (!db_run(q))
        return false;
    e->last += e->count;
    e->count = 0;
    buf_clear(&e->lines);
    return true;
}

bool state_events_add(struct state_events *e, str_t json)
{
    buf_add(&e->lines, json);
    buf_add_char(&e->lines, '\n');
    e->count++;
    return e->lines.len < ROW_BYTES ? !e->lines.failed : write_row(e);
}

bool state_events_flush(struct state_events *e)
{
    return e->count == 0 || write_row(e);
}

void state_events_forget(struct state_events *e)
{
    buf_clear(&e->lines);
    e->count = 0;
    e->last = -1;
}

bool state_events_drop(struct state_events *e, int64_t up_to, int64_t keep)
{
    struct db_query *q = db_query(e->db, "delete from event_pack where last <= $1 and last <= (select max(last) from event_pack) - $2");
    db_bind_int(q, 1, up_to);
    db_bind_int(q, 2, keep);
    return db_run(q);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* A row's text; empty when it is damaged. */
static str_t lines_of(struct state_events *e, str_t packed)
{
    buf_clear(&e->text);
    return unpack(e->packer, packed, &e->text) ? buf_str(&e->text) : STR("");
}

struct range {
    int64_t behind, limit;
};

/* The events of a row that are wanted. A damaged one is told of once, as an event that cannot be read. */
static bool visit_row(str_t lines, int64_t last, int64_t count, struct range *range, event_visit visit, void *context)
{
    if (lines.len == 0)
        return visit(context, last, lines);
    int64_t number = last - count;
    for (size_t at = 0; at < lines.len && range->limit > 0;) {
        size_t end = str_find(lines, '\n', at);
        if (++number > range->behind) {
            range->limit--;
            if (!visit(context, number, str_make(lines.ptr + at, end - at)))
                return false;
        }
        at = end + 1;
    }
    return range->limit > 0;
}

bool state_events_each(struct state_events *e, int64_t behind, int64_t limit, event_visit visit, void *context)
{
    struct range range = {behind, limit};
    struct db_query *q = db_query(e->db, "select last, events, packed from event_pack where last > $1 order by last");
    bool more = true;
    db_bind_int(q, 1, behind);
    while (more && db_step(q))
        more = visit_row(lines_of(e, db_blob(q, 2)), db_int(q, 0), db_int(q, 1), &range, visit, context);
    db_done(q);
    return !db_failed(e->db);
}

/* From the last line to the first. */
static bool visit_backwards(str_t lines, int64_t *left, state_visit visit, void *context)
{
    for (size_t end = lines.len; end > 0 && *left > 0; --*left) {
        size_t begin = end - 1;
        while (begin > 0 && lines.ptr[begin - 1] != '\n')
            begin--;
        if (!visit(context, STR(""), str_make(lines.ptr + begin, end - 1 - begin)))
            return false;
        end = begin;
    }
    return *left > 0;
}

bool state_events_newest(struct state_events *e, int64_t most, state_visit visit, void *context)
{
    struct db_query *q = db_query(e->db, "select packed from event_pack order by last desc");
    bool more = most > 0;
    while (more && db_step(q))
        more = visit_backwards(lines_of(e, db_blob(q, 0)), &most, visit, context);
    db_done(q);
    return !db_failed(e->db);
}

/* ---- the version before ----------------------------------------------------------------------------------------- */

bool state_events_take_over(struct state_events *e)
{
    struct db_query *q = db_query(e->db, "select seq, value from events order by seq");
    bool good = true;
    while (good && db_step(q)) {
        if (e->last + e->count + 1 != db_int(q, 0)) { /* the oldest were dropped */
            good = state_events_flush(e);
            e->last = db_int(q, 0) - 1;
        }
        good = good && state_events_add(e, db_text(q, 1));
    }
    db_done(q);
    return good && state_events_flush(e) && db_script(e->db, STR("drop table events"));
}
