/*
 * What is known of statements at a point in time, and so whether an edge of theirs holds then. An
 * edge is current while its statement ran since the last reset of the target; superseded when it
 * ran since the reset before that; else retired. Statements that only stand in scripts are current.
 */
#ifndef COLLINE_ASK_FACTS_H
#define COLLINE_ASK_FACTS_H

#include "ask/ask.h"
#include "ask/id_index.h"

/* The same of the present in SQL, superseded ones included: of a statement `l` (a row of lineage)
 * and its target `t` (of dataset). */
#define ASK_HOLDS(t)                                                                     \
    " l.failed = 0 and l.runs + l.scripts > 0 and (l.runs = 0 or coalesce(" t            \
    ".last_reset, 0) = 0"                                                                \
    " or l.last_run >= " t ".last_reset or (" t ".reset_before > 0 and l.last_run >= " t \
    ".reset_before)) "

/* In the order in which the better one counts for an edge of several statements. */
enum ask_state { STATE_ABSENT, STATE_RETIRED, STATE_SUPERSEDED, STATE_CURRENT };
enum ask_evidence { EVIDENCE_SCRIPT, EVIDENCE_RAN, EVIDENCE_CONFIRMED };

str_t ask_state_name(enum ask_state state);
str_t ask_evidence_name(enum ask_evidence evidence);

struct ask_fact {
    int64_t lineage;
    str_t engine, operation, fingerprint;
    str_t uncertain; /* codes with commas between */
    bool absent;     /* it did not succeed, or was not known yet */
    int64_t runs, first_run, last_run, confirmed, scripts;
};

/* Of a dataset, with what an order needs that is read along. */
struct ask_target {
    int64_t last, before; /* resets; 0: none */
    int64_t heat;         /* not of the past */
    bool offline;
};

struct ask_facts {
    struct ask *ask;
    struct ask_moment at;
    struct id_index places, target_places;
    struct {
        struct ask_fact *items;
        uint32_t count, capacity;
    } facts;
    struct {
        struct ask_target *items;
        uint32_t count, capacity;
    } targets;
};

struct ask_facts ask_facts_at(struct ask *ask, struct ask_moment at);

/* Reads what is not known yet of these statements and of these datasets as targets. The lists are
 * sorted on the way. */
void ask_facts_need(struct ask_facts *facts, struct ask_ids *lineages, struct ask_ids *datasets);

/* After ask_facts_need of it; NULL when the store has none such. Valid until the next
 * ask_facts_need. */
const struct ask_fact *ask_facts_of(const struct ask_facts *facts, int64_t lineage);

/* NULL when it was not asked for. */
const struct ask_target *ask_facts_target(const struct ask_facts *facts, int64_t dataset);

/* Of an edge into `dataset`, after both were read. */
enum ask_state ask_facts_state(const struct ask_facts *facts, int64_t lineage, int64_t dataset);
enum ask_evidence ask_facts_evidence(const struct ask_fact *fact);

#endif
