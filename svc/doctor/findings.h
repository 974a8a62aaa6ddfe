/*
 * What the doctor found, in the order in which it looked: each finding says which check it is of, what it is about, how it stands,
 * and what to do about it. Written out for people and for scripts.
 */
#ifndef COLLINE_DOCTOR_FINDINGS_H
#define COLLINE_DOCTOR_FINDINGS_H

#include "base/arena.h"
#include "base/buf.h"

enum finding_level { FINDING_OK, FINDING_WARN, FINDING_FAIL };

enum {
    FINDING_LEVELS = FINDING_FAIL + 1
};

struct finding {
    enum finding_level level;
    const char *check; /* a fixed word: files, broker */
    str_t about;       /* a source, a folder, a topic; may be empty */
    str_t text;
    str_t todo; /* empty where nothing is to be done */
};

struct findings {
    struct arena arena;
    struct finding *items;
    size_t count, capacity;
    size_t of_level[FINDING_LEVELS];
    bool failed; /* memory is out: something is missing */
};

void findings_init(struct findings *findings);
void findings_release(struct findings *findings);

/* One more; `check` is a literal, `about` is copied. Control characters become blanks, texts of more than some 1,000 bytes are cut. */
void finding_add(struct findings *findings, enum finding_level level, const char *check, str_t about, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* What to do about the finding that was added last. */
void finding_todo(struct findings *findings, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The worst level of all. */
enum finding_level findings_worst(const struct findings *findings);

/* `LEVEL CHECK ABOUT: TEXT` and `do: TODO` on a line of its own for each, then how many there are of each level. */
void findings_write_text(const struct findings *findings, struct buf *out);

/* {"status":"fail","ok":n,"warnings":n,"failures":n,"checks":[{"level","check","about","text","todo"}…]} */
void findings_write_json(const struct findings *findings, struct buf *out);

#endif
