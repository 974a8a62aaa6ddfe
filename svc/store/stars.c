/* An INSERT takes columns by their place: where the target's are known they are counted off; else they are named as the source's. */
#include "store/stars.h"

#include "store/store.h"

struct known_column {
    int64_t id;
    str_t name;
};

struct closing {
    struct idents *idents;
    struct arena arena;
    const struct star *star;
    VEC(struct known_column) sources, targets;
};

/* Both lists: columns of the newest definition, in their order. */
static void read_columns(struct closing *c)
{
    for (int side = 0; side < 2; side++) {
        int64_t dataset = side == 0 ? c->star->src : c->star->dst;
        struct db_query *q = db_query(c->idents->db, "select id, name from col where id between $1 and $2 and status = 'online' and ordinal is not null"
                                                     " order by ordinal, id");
        db_bind_int(q, 1, col_first(dataset));
        db_bind_int(q, 2, col_last(dataset));
        while (db_step(q)) {
            struct known_column *column = side == 0 ? VEC_PUSH(&c->arena, &c->sources) : VEC_PUSH(&c->arena, &c->targets);
            if (column != NULL)
                *column = (struct known_column){db_int(q, 0), arena_copy(&c->arena, db_text(q, 1))};
        }
        db_done(q);
    }
}

/* What an earlier definition had made of it. */
static void delete_closed(struct closing *c)
{
    struct db_query *q = db_query(c->idents->db, "delete from column_edge where dst between $1 and $2 and lineage = $3 and src between $4 and $5 and kind = $6");
    db_bind_int(q, 1, col_first(c->star->dst));
    db_bind_int(q, 2, col_last(c->star->dst));
    db_bind_int(q, 3, c->star->lineage);
    db_bind_int(q, 4, col_first(c->star->src));
    db_bind_int(q, 5, col_last(c->star->src));
    db_bind_int(q, 6, EDGE_STAR);
    (void)db_run(q);
}

static void delete_open(struct closing *c)
{
    struct db_query *q = db_query(c->idents->db, "delete from column_edge where dst between $1 and $2 and lineage = $3"
                                                 " and src in (select id from col where id between $4 and $5 and name = '*')");
    db_bind_int(q, 1, col_first(c->star->dst));
    db_bind_int(q, 2, col_last(c->star->dst));
    db_bind_int(q, 3, c->star->lineage);
    db_bind_int(q, 4, col_first(c->star->src));
    db_bind_int(q, 5, col_last(c->star->src));
    (void)db_run(q);
}

static void add_edges(struct closing *c)
{
    for (uint32_t i = 0; i < c->sources.count; i++) {
        uint64_t place = (uint64_t)c->star->ordinal + i;
        int64_t target = place < c->targets.count ? c->targets.items[place].id : column_id(c->idents, c->star->dst, c->sources.items[i].name);
        if (target == 0)
            continue; /* more columns than a dataset can have */
        struct db_query *q = db_query(c->idents->db, "insert into column_edge (dst, src, lineage, kind) values ($1, $2, $3, $4) on conflict do nothing");
        db_bind_int(q, 1, target);
        db_bind_int(q, 2, c->sources.items[i].id);
        db_bind_int(q, 3, c->star->lineage);
        db_bind_int(q, 4, EDGE_STAR);
        (void)db_run(q);
    }
}

static bool close_star(struct idents *idents, const struct star *star)
{
    struct closing c = {.idents = idents, .star = star};
    arena_init(&c.arena, 0, NULL);
    read_columns(&c);
    delete_closed(&c);
    if (c.sources.count > 0) {
        delete_open(&c);
        add_edges(&c);
    }
    bool good = !c.arena.failed && !db_failed(idents->db);
    arena_release(&c.arena);
    return good;
}

bool star_put(struct idents *idents, const struct star *star)
{
    struct db_query *q = db_query(idents->db, "insert into star_edge (dst, src, lineage, ordinal) values ($1, $2, $3, $4) on conflict do nothing");
    db_bind_int(q, 1, star->dst);
    db_bind_int(q, 2, star->src);
    db_bind_int(q, 3, star->lineage);
    db_bind_int(q, 4, star->ordinal);
    return db_run(q) && close_star(idents, star);
}

bool stars_close(struct idents *idents, int64_t dataset)
{
    struct arena arena;
    VEC(struct star) stars = {0};
    arena_init(&arena, 0, NULL);
    struct db_query *q = db_query(idents->db, "select s.dst, s.src, s.lineage, s.ordinal from star_edge s join lineage l on l.id = s.lineage"
                                              " where (s.src = $1 or s.dst = $1) and l.pruned = 0");
    db_bind_int(q, 1, dataset);
    while (db_step(q)) {
        struct star *star = VEC_PUSH(&arena, &stars);
        if (star != NULL)
            *star = (struct star){db_int(q, 0), db_int(q, 1), db_int(q, 2), db_int(q, 3)};
    }
    bool good = !arena.failed && !db_failed(idents->db);
    for (uint32_t i = 0; i < stars.count && good; i++)
        good = close_star(idents, &stars.items[i]);
    arena_release(&arena);
    return good;
}
