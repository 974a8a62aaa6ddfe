/* The events of one transaction, as far as the store needs them. */
#ifndef COLLINE_STORE_BATCH_H
#define COLLINE_STORE_BATCH_H

#include "store/definitions.h"
#include "store/known.h"
#include "store/quality.h"

/* What is stored of a query. */
struct stored {
    int64_t revision, lineage, account, ended;
    bool found, confirmed;
};

/* One event. Texts in the batch's arena. */
struct pending {
    str_t query_id, name_space, account, engine, operation, database, cluster, error, partitions;
    int64_t day, revision, started, ended, duration;
    enum event_status status;
    bool confirmed;
    bool superseded;        /* a later one of the batch takes its place */
    int64_t text_hash;      /* 0: no text */
    int64_t text;           /* key of sql_text where it was stored lately; else 0, and it is the next */
    str_t sql;
    struct hash128 look;
    int64_t lineage;        /* known by its look; 0: `facts` tell */
    struct facts *facts;    /* NULL: known, or it touches nothing */
    str_t document, sample; /* the statement and its text, where they may be the better sample */
    struct stored stored;   /* of a server, read beforehand */
    str_t defined, renamed; /* the dataset whose DDL it is, and what that is called now; empty: no DDL, the same */
};

/* A statement of a script. */
struct pending_script {
    str_t script, name_space, document, sample;
    uint32_t index, line;
    struct facts *facts; /* NULL: the script begins, what stood in it before is no more */
};

struct pending_checkpoint {
    str_t source;
    int64_t position;
};

struct batch {
    struct arena arena;
    VEC(struct pending) events;
    VEC(struct pending_script) scripts;
    VEC(struct pending_checkpoint) checkpoints;
    VEC(struct definition) definitions; /* of catalogs */
    VEC(struct quality_check) checks;
    struct pair_map by_query; /* hash of day and query id → index */
};

#endif
