/* One JSON object a line: datasets, columns, statements with all that hangs on them, queries. Long lists are read in pages, for rows of a server are held in memory. */
#include "store/dump.h"

#include "base/jsonw.h"
#include "store/executions.h"

enum { PAGE = 5000 };

/* What counts: see store.h. */
#define COUNTING "(l.runs > 0 or l.scripts > 0 or (l.failed = 1 and exists (select 1 from execution x where x.lineage = l.id)))"

struct dump {
    struct db *db;
    dump_write write;
    void *context;
    struct buf line;
    struct jsonw w;
    bool stopped;
};

static void begin_line(struct dump *d, str_t kind)
{
    buf_clear(&d->line);
    jsonw_init(&d->w, &d->line, false);
    jsonw_object_begin(&d->w);
    jsonw_member(&d->w, STR("is"), kind);
}

static void end_line(struct dump *d)
{
    jsonw_object_end(&d->w);
    buf_add_char(&d->line, '\n');
    if (!d->stopped && (d->line.failed || !d->write(d->context, buf_str(&d->line))))
        d->stopped = true;
}

/* A column of the row as a member; null is left out. */
static void text_member(struct dump *d, str_t key, const struct db_query *q, int column)
{
    if (!db_is_null(q, column))
        jsonw_member(&d->w, key, db_text(q, column));
}

static void number_member(struct dump *d, str_t key, const struct db_query *q, int column)
{
    if (db_is_null(q, column))
        return;
    int64_t value = db_int(q, column);
    jsonw_key(&d->w, key);
    if (value < 0)
        jsonw_raw(&d->w, STR("-1"));
    else
        jsonw_number(&d->w, (uint64_t)value);
}

struct member {
    str_t key;
    bool number;
};

static void members(struct dump *d, const struct db_query *q, const struct member *list, int count)
{
    for (int i = 0; i < count; i++) {
        if (list[i].number)
            number_member(d, list[i].key, q, i);
        else
            text_member(d, list[i].key, q, i);
    }
}

#define MEMBERS(d, q, list) members((d), (q), (list), (int)(sizeof(list) / sizeof(list)[0]))

/* ---- datasets --------------------------------------------------------------------------------------------------- */

static void dump_datasets(struct dump *d)
{
    static const struct member list[] = {
        {STR("namespace"), false}, {STR("name"), false},     {STR("kind"), false},        {STR("status"), false},     {STR("known"), true},
        {STR("comment"), false},   {STR("location"), false}, {STR("view_text"), false},   {STR("owner"), false},      {STR("first_seen"), true},
        {STR("last_seen"), true},  {STR("last_read"), true}, {STR("last_write"), true},   {STR("last_reset"), true},  {STR("reset_before"), true},
    };
    struct db_query *q = db_query(
        d->db, "select n.name, d.name, d.kind, d.status, d.known, d.comment, d.location, d.view_text, d.owner, d.first_seen, d.last_seen, d.last_read,"
               " d.last_write, d.last_reset, d.reset_before from dataset d join namespace n on n.id = d.namespace"
               " where d.known = 1 or exists (select 1 from lineage_dataset e join lineage l on l.id = e.lineage where e.dataset = d.id and " COUNTING ")"
               " order by n.name, d.name");
    while (!d->stopped && db_step(q)) {
        begin_line(d, STR("dataset"));
        MEMBERS(d, q, list);
        end_line(d);
    }
    db_done(q);
}

/* Of a dataset that only statements name, those that a statement which counts has an edge of. */
static void dump_columns(struct dump *d)
{
    static const struct member list[] = {{STR("namespace"), false}, {STR("dataset"), false}, {STR("name"), false},         {STR("ordinal"), true},
                                         {STR("type"), false},      {STR("comment"), false}, {STR("is_partition"), true},  {STR("status"), false}};
    struct db_query *q = db_query(
        d->db, "select n.name, d.name, c.name, c.ordinal, c.type, c.comment, c.is_partition, c.status from col c"
               " join dataset d on d.id = c.dataset join namespace n on n.id = d.namespace"
               " where c.status <> 'unknown' or exists (select 1 from column_edge e join lineage l on l.id = e.lineage where e.dst = c.id and " COUNTING ")"
               " or exists (select 1 from column_edge e join lineage l on l.id = e.lineage where e.src = c.id and " COUNTING ")"
               " order by n.name, d.name, c.name");
    while (!d->stopped && db_step(q)) {
        begin_line(d, STR("column"));
        MEMBERS(d, q, list);
        end_line(d);
    }
    db_done(q);
}

static void dump_use(struct dump *d)
{
    static const struct member list[] = {{STR("namespace"), false}, {STR("dataset"), false}, {STR("day"), true},     {STR("account"), false},
                                         {STR("reads"), true},      {STR("writes"), true},   {STR("failures"), true}};
    struct db_query *q = db_query(
        d->db, "select n.name, d.name, u.day, a.name, u.reads, u.writes, u.failures from dataset_day u join dataset d on d.id = u.dataset"
               " join namespace n on n.id = d.namespace left join account a on a.id = u.account order by n.name, d.name, u.day, a.name");
    while (!d->stopped && db_step(q)) {
        begin_line(d, STR("use"));
        MEMBERS(d, q, list);
        end_line(d);
    }
    db_done(q);
}

/* ---- statements ------------------------------------------------------------------------------------------------- */

/* Rows of a query over one lineage as an array of arrays. */
static void dump_rows(struct dump *d, str_t key, const char *sql, int64_t lineage, int columns)
{
    struct db_query *q = db_query(d->db, sql);
    db_bind_int(q, 1, lineage);
    jsonw_key(&d->w, key);
    jsonw_array_begin(&d->w);
    while (db_step(q)) {
        jsonw_array_begin(&d->w);
        for (int i = 0; i < columns; i++)
            jsonw_string(&d->w, db_text(q, i));
        jsonw_array_end(&d->w);
    }
    jsonw_array_end(&d->w);
}

static void dump_lineage_parts(struct dump *d, int64_t lineage)
{
    dump_rows(d, STR("touches"), "select d.name, e.role, e.mode, e.resets from lineage_dataset e join dataset d on d.id = e.dataset where e.lineage = $1"
                                 " order by d.name, e.role", lineage, 4);
    dump_rows(d, STR("tables"), "select t.name, s.name, e.kind, e.mode from table_edge e join dataset t on t.id = e.dst join dataset s on s.id = e.src"
                                " where e.lineage = $1 and e.dst in (select dataset from lineage_dataset where lineage = $1) order by t.name, s.name", lineage, 4);
    dump_rows(d, STR("columns"),
              "select coalesce(t.name, ''), coalesce(tc.name, ''), coalesce(s.name, ''), coalesce(sc.name, ''), e.kind from lineage_dataset o"
              " join column_edge e on e.dst between o.dataset * 65536 and o.dataset * 65536 + 65535 and e.lineage = o.lineage"
              " join col tc on tc.id = e.dst join dataset t on t.id = tc.dataset left join col sc on sc.id = e.src left join dataset s on s.id = sc.dataset"
              " where o.lineage = $1 and o.role = 3 order by 1, 2, 3, 4, 5", lineage, 5);
    dump_rows(d, STR("answers"),
              "select s.name, sc.name, e.kind from lineage_dataset i join col sc on sc.dataset = i.dataset"
              " join column_edge e on e.dst = 0 and e.src = sc.id and e.lineage = i.lineage join dataset s on s.id = sc.dataset"
              " where i.lineage = $1 and i.role = 1 order by 1, 2, 3", lineage, 3);
    dump_rows(d, STR("days"), "select y.day, coalesce(a.name, ''), y.runs, y.confirmed, y.first_run, y.last_run from lineage_day y"
                              " left join account a on a.id = y.account where y.lineage = $1 order by y.day, a.name", lineage, 6);
    dump_rows(d, STR("scripts"), "select script, statement, line from script where lineage = $1 order by script, statement", lineage, 3);
}

/* A page of statements behind the key; gives the last one's. */
static bool dump_lineages_behind(struct dump *d, struct buf *last)
{
    static const struct member list[] = {{STR("key"), false},    {STR("namespace"), false}, {STR("engine"), false}, {STR("fingerprint"), false},
                                         {STR("operation"), false}, {STR("failed"), true},  {STR("uncertain"), false}, {STR("runs"), true},
                                         {STR("first_run"), true},  {STR("last_run"), true}, {STR("confirmed"), true}, {STR("scripts"), true}};
    struct db_query *q = db_query(
        d->db, "select l.key, n.name, l.engine, l.fingerprint, l.operation, l.failed, l.uncertain, l.runs, l.first_run, l.last_run, l.confirmed, l.scripts,"
               " l.id from lineage l join namespace n on n.id = l.namespace where l.key > $1 and " COUNTING " order by l.key limit $2");
    bool some = false;
    db_bind_text(q, 1, buf_str(last));
    db_bind_int(q, 2, PAGE);
    while (!d->stopped && db_step(q)) {
        some = true;
        begin_line(d, STR("statement"));
        MEMBERS(d, q, list);
        dump_lineage_parts(d, db_int(q, 12));
        end_line(d);
        buf_clear(last);
        buf_add(last, db_text(q, 0));
    }
    db_done(q);
    return some;
}

/* ---- queries ---------------------------------------------------------------------------------------------------- */

#define EXECUTIONS                                                                                                                                   \
    "select x.day, x.query_id, l.key, n.name, a.name, x.status, x.engine, x.operation, x.database, x.cluster, x.started, x.ended, x.duration,"      \
    " x.confirmed, x.partitions, x.error, t.body from execution x join namespace n on n.id = x.namespace"                                           \
    " left join lineage l on l.id = x.lineage left join account a on a.id = x.account left join sql_text t on t.day = x.day and t.text = x.text"

/* Of the rows of a question. */
static bool dump_executions(struct dump *d, struct db_query *q, int64_t *day, struct buf *last)
{
    static const struct member list[] = {
        {STR("day"), true},       {STR("query_id"), false}, {STR("statement"), false}, {STR("namespace"), false},  {STR("account"), false}, {STR("status"), false},
        {STR("engine"), false},   {STR("operation"), false}, {STR("database"), false}, {STR("cluster"), false},    {STR("started"), true},  {STR("ended"), true},
        {STR("duration"), true},  {STR("confirmed"), true}, {STR("partitions"), false}, {STR("error"), false}};
    bool some = false;
    while (!d->stopped && db_step(q)) {
        some = true;
        begin_line(d, STR("query"));
        MEMBERS(d, q, list);
        jsonw_key(&d->w, STR("text"));
        jsonw_number(&d->w, (uint64_t)text_hash(db_text(q, 16)));
        end_line(d);
        *day = db_int(q, 0);
        buf_clear(last);
        buf_add(last, db_text(q, 1));
    }
    db_done(q);
    return some;
}

/* Of a server: in pages. */
static bool dump_executions_behind(struct dump *d, int64_t *day, struct buf *last)
{
    struct db_query *q = db_query(d->db, EXECUTIONS " where x.day > $1 or (x.day = $1 and x.query_id > $2) order by x.day, x.query_id limit $3");
    db_bind_int(q, 1, *day);
    db_bind_text(q, 2, buf_str(last));
    db_bind_int(q, 3, PAGE);
    return dump_executions(d, q, day, last);
}

/* Of a file, whose index is not in the order of the ids: a day's rows are sorted first. Gives whether there was a day behind *day. */
static bool dump_day_behind(struct dump *d, int64_t *day, struct buf *last)
{
    struct arena arena;
    VEC(int64_t) rows = {0};
    arena_init(&arena, 0, NULL);
    struct db_query *q = db_query(d->db, "select rowid from execution where day = (select min(day) from execution where day > $1) order by query_id --sqlite\n"
                                         "select 0 from execution where day = $1 --postgres\n");
    db_bind_int(q, 1, *day);
    while (db_step(q)) {
        int64_t *row = VEC_PUSH(&arena, &rows);
        if (row == NULL)
            d->stopped = true;
        else
            *row = db_int(q, 0);
    }
    for (uint32_t i = 0; i < rows.count && !d->stopped; i++) {
        q = db_query(d->db, EXECUTIONS "\n where x.rowid = $1 --sqlite\n where x.day = $1 --postgres\n");
        db_bind_int(q, 1, rows.items[i]);
        (void)dump_executions(d, q, day, last);
    }
    arena_release(&arena);
    return rows.count > 0;
}

static void dump_definitions(struct dump *d)
{
    static const struct member list[] = {{STR("namespace"), false}, {STR("dataset"), false}, {STR("at"), true}, {STR("source"), false}, {STR("columns"), false}};
    struct db_query *q = db_query(d->db, "select n.name, d.name, f.at, f.source, f.columns from definition f join dataset d on d.id = f.dataset"
                                         " join namespace n on n.id = d.namespace order by n.name, d.name, f.at, f.source");
    while (!d->stopped && db_step(q)) {
        begin_line(d, STR("definition"));
        MEMBERS(d, q, list);
        end_line(d);
    }
    db_done(q);
}

static void dump_checks(struct dump *d)
{
    static const struct member list[] = {{STR("namespace"), false}, {STR("dataset"), false}, {STR("column"), false},  {STR("check"), false},
                                         {STR("status"), true},     {STR("at"), true},       {STR("message"), false}, {STR("source"), false}};
    struct db_query *q = db_query(d->db, "select n.name, d.name, k.col, k.name, k.status, k.at, k.message, k.source from quality k"
                                         " join dataset d on d.id = k.dataset join namespace n on n.id = d.namespace order by n.name, d.name, k.col, k.name");
    while (!d->stopped && db_step(q)) {
        begin_line(d, STR("check"));
        MEMBERS(d, q, list);
        end_line(d);
    }
    db_done(q);
}

static void dump_all(struct dump *d)
{
    struct buf last;
    int64_t day = -1;
    buf_init(&last, 0);
    dump_datasets(d);
    dump_columns(d);
    dump_use(d);
    dump_definitions(d);
    dump_checks(d);
    while (dump_lineages_behind(d, &last))
        ;
    buf_clear(&last);
    bool (*more)(struct dump *, int64_t *, struct buf *) = db_kind_of(d->db) == DB_SQLITE ? dump_day_behind : dump_executions_behind;
    while (more(d, &day, &last))
        ;
    buf_release(&last);
}

bool store_dump(struct store *store, dump_write write, void *context)
{
    struct dump d = {.db = store_db(store), .write = write, .context = context};
    buf_init(&d.line, 0);
    bool good = db_begin_read(d.db);
    if (good)
        dump_all(&d);
    good = good && !d.stopped && !db_failed(d.db);
    buf_release(&d.line);
    if (good)
        db_end_read(d.db);
    return good;
}
