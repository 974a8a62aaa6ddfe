/*
 * What is known of statements at a point in time, and so whether an edge of theirs holds then. An
 * edge is current while its statement ran since the last reset of the target; superseded when it
 * ran since the reset before that; else retired. Statements that only stand in scripts are current.
 */
#ifndef COLLINE_ASK_FACTS_H
#define COLLINE_ASK_FACTS_H

#include "ask/ask.h"
#include "ask/id_index.h"

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

struct ask_resets {
    int64_t last, before; /* 0: none */
};

struct ask_facts {
    struct ask *ask;
    struct ask_moment at;
    struct id_index places, reset_places;
    struct {
        struct ask_fact *items;
        uint32_t count, capacity;
    } facts;
    struct {
        struct ask_resets *items;
        uint32_t count, capacity;
    } resets;
};

struct ask_facts ask_facts_at(struct ask *ask, struct ask_moment at);

/* Reads those that are not known yet. The lists are sorted on the way. */
void ask_facts_need(struct ask_facts *facts, struct ask_ids *lineages);
void ask_facts_need_resets(struct ask_facts *facts, struct ask_ids *datasets);

/* After ask_facts_need of it; NULL when the store has none such. Valid until the next
 * ask_facts_need. */
const struct ask_fact *ask_facts_of(const struct ask_facts *facts, int64_t lineage);

/* Of an edge into `dataset`, after both were read. */
enum ask_state ask_facts_state(const struct ask_facts *facts, int64_t lineage, int64_t dataset);
enum ask_evidence ask_facts_evidence(const struct ask_fact *fact);

#endif
