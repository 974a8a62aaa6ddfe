/* A small table; the reasons are those of the record readers, without the bytes that they are about. */
#include "doctor/tally.h"

#include "record/invalid.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    REASONS_SHOWN = 3,
    WARN_PER_MILLE = 1,
    FAIL_PER_MILLE = 50
};

static str_t first_reason(str_t reasons)
{
    for (size_t i = 0; i + 1 < reasons.len; i++)
        if (reasons.ptr[i] == ';' && reasons.ptr[i + 1] == ' ')
            return str_make(reasons.ptr, i);
    return reasons;
}

bool tally_add(struct tally *tally, str_t json)
{
    struct arena arena;
    struct invalid_record record;
    str_t why;
    arena_init(&arena, 0, NULL);
    bool good = invalid_read(json, &arena, &record, &why);
    str_t reason = good ? first_reason(record.reason) : STR("");
    size_t i = 0;
    while (good && i < tally->count && !str_eq(tally->entries[i].reason, reason))
        i++;
    if (good && i == tally->count && i < TALLY_MAX)
        tally->entries[tally->count++] = (struct tally_entry){arena_copy(tally->arena, reason), 0};
    if (good && i < tally->count)
        tally->entries[i].count++;
    tally->total += good;
    arena_release(&arena);
    return good;
}

static int most_first(const void *a, const void *b)
{
    const struct tally_entry *left = a, *right = b;
    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    return str_compare(left->reason, right->reason);
}

static void add_reasons(struct tally *tally, struct buf *text)
{
    qsort(tally->entries, tally->count, sizeof tally->entries[0], most_first);
    for (size_t i = 0; i < tally->count && i < REASONS_SHOWN; i++) {
        buf_add(text, i == 0 ? STR(": ") : STR("; "));
        buf_add_number(text, tally->entries[i].count);
        BUF_ADD(text, " times `");
        buf_add(text, tally->entries[i].reason);
        buf_add_char(text, '`');
    }
}

void tally_judge(struct tally *tally, uint64_t of, str_t about, const char *where, struct findings *findings)
{
    struct buf reasons;
    uint64_t per_mille = of == 0 ? 0 : tally->total * 1000 / of;
    enum finding_level level = per_mille >= FAIL_PER_MILLE ? FINDING_FAIL : per_mille >= WARN_PER_MILLE ? FINDING_WARN : FINDING_OK;
    buf_init(&reasons, 0);
    add_reasons(tally, &reasons);
    finding_add(findings, level, "invalid", about, "%llu of the last %llu %s%.*s", (unsigned long long)tally->total, (unsigned long long)of, where,
                (int)reasons.len, reasons.len == 0 ? "" : reasons.ptr);
    if (level != FINDING_OK)
        finding_todo(findings, "they are kept whole with their reasons; mend what made them, or update this version, then take them again: colline replay --invalid");
    buf_release(&reasons);
}
