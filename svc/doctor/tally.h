/* Counts reasons for which records are invalid, the most frequent first. */
#ifndef COLLINE_DOCTOR_TALLY_H
#define COLLINE_DOCTOR_TALLY_H

#include "doctor/findings.h"

enum {
    TALLY_MAX = 64 /* different reasons; what comes later is counted in `total` only */
};

struct tally_entry {
    str_t reason;
    uint64_t count;
};

struct tally {
    struct arena *arena; /* keeps the reasons */
    struct tally_entry entries[TALLY_MAX];
    size_t count;
    uint64_t total;
};

/* One invalid record, by the first of its reasons: its JSON as record/invalid.h describes it. False when it is none. */
bool tally_add(struct tally *tally, str_t json);

/* `of` records were looked at in all; the finding says how many of them are invalid and why. */
void tally_judge(struct tally *tally, uint64_t of, str_t about, const char *where, struct findings *findings);

#endif
