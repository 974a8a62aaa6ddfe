/*
 * Events → store. Loading commutes: any event any number of times in any order gives the same store, for of each query only the event with the
 * highest (generation, revision) counts, and what a lower one had brought is taken out again.
 *
 *     applier_add(a, &event);           // gathers; nothing is written yet
 *     applier_checkpoint(a, STR("…"), position);
 *     applier_commit(a);                // one transaction; after a failure it may be called again, nothing is lost
 *
 * One thread. Any number of appliers over one store; they take turns.
 */
#ifndef COLLINE_STORE_APPLY_H
#define COLLINE_STORE_APPLY_H

#include "record/event.h"
#include "record/quality.h"
#include "store/store.h"

struct applier;

/* The store must be opened to write, and outlive the applier. NULL when out of memory. */
struct applier *applier_new(struct store *store);
void applier_free(struct applier *applier);

/* Nothing of the event is borrowed. False when memory is out: commit, then try again. */
bool applier_add(struct applier *applier, const struct event *event);

/* What stood in a script before is forgotten with the commit; its statements follow. */
bool applier_begin_script(struct applier *applier, str_t script);

/*
 * A statement that stands in a script, whether it ran or not: `statement` of a lineage document whose script was read as `engine`; `index` is its
 * number, `line` where it begins. False when the statement cannot be read, or memory is out.
 */
struct script_statement {
    str_t script, name_space, engine, statement, sql;
    uint32_t index, line;
};

bool applier_add_script(struct applier *applier, const struct script_statement *statement);

/* What a catalog says of a dataset: a saved catalog (JSON) of it alone, as it was at a time. `source` names the catalogs that come one behind the other: a file. */
struct catalog_table {
    str_t source, name_space, name, json;
    int64_t at;
};

bool applier_add_table(struct applier *applier, const struct catalog_table *table);

/* The result of a check; of each check the newest stays. Nothing of it is borrowed. */
bool applier_add_check(struct applier *applier, const struct quality_check *check);

/* The next position of a source that is wanted, moved with the commit; the source is copied. */
bool applier_checkpoint(struct applier *applier, str_t source, int64_t position);

/* A position as committed; `none` when there is none. */
int64_t applier_position(struct applier *applier, str_t source, int64_t none);

/* What was gathered, and about how many bytes they take. */
size_t applier_count(const struct applier *applier);
size_t applier_bytes(const struct applier *applier);

/* On disk when true. False: nothing was written, the batch is still there, and these two say why. */
bool applier_commit(struct applier *applier);
enum db_trouble applier_trouble(const struct applier *applier);
str_t applier_message(const struct applier *applier);

struct applier_totals {
    uint64_t events;     /* committed, of these: */
    uint64_t executions; /*   new queries */
    uint64_t revised;    /*   took the place of a lower revision */
    uint64_t stale;      /*   were there already, or a higher one was */
    uint64_t unreadable; /*   whose lineage cannot be read; they count as queries without it */
    uint64_t history;    /*   of days whose queries are not kept any more */
    uint64_t lineages;   /* new ones */
    uint64_t checks;     /* results of checks */
};

struct applier_totals applier_totals(const struct applier *applier);

#endif
