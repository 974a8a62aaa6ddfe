/*
 * Legs of a multi-insert that have the same keys and the same DISTINCT arguments are grouped by one reducer, when one of them has a
 * WHERE. Hive then loses these arguments, in whatever aggregate of those legs they stand.
 */
#include "flow/hive_plan.h"

struct grouping {
    struct part *part;
    uint32_t hash;   /* of keys and arguments */
    bool filtered;   /* it, or one like it, has a WHERE */
    bool partnered;
    uint32_t first;  /* the first one like it; of that the flags hold for all */
    VEC(struct node *) arguments; /* of DISTINCT aggregates, each once */
};

static void add_argument(struct plan *p, struct grouping *grouping, struct node *node, uint32_t stamp)
{
    if (node->set_stamp == stamp)
        return;
    node->set_stamp = stamp;
    struct node **slot = VEC_PUSH(p->arena, &grouping->arguments);
    if (slot != NULL)
        *slot = node;
    grouping->hash += node->hash;
}

static void describe(struct plan *p, struct part *part, struct grouping *grouping)
{
    uint32_t stamp = ++p->set_stamp;
    *grouping = (struct grouping){.part = part};
    for (uint32_t i = 0; i < part->keys.count; i++)
        grouping->hash = grouping->hash * 31 + part->keys.items[i]->hash;
    for (uint32_t i = 0; i < part->aggregates.count; i++) {
        const struct node *aggregate = part->aggregates.items[i];
        for (uint32_t k = 0; aggregate->distinct && k < aggregate->arg_count; k++)
            add_argument(p, grouping, aggregate->args[k], stamp);
    }
    grouping->filtered = part->query->block != NULL && part->query->block->where != NULL;
}

static void stamp_arguments(const struct grouping *grouping, uint32_t stamp)
{
    for (uint32_t i = 0; i < grouping->arguments.count; i++)
        grouping->arguments.items[i]->set_stamp = stamp;
}

static bool alike(struct plan *p, const struct grouping *a, const struct grouping *b)
{
    if (a->hash != b->hash || a->arguments.count != b->arguments.count || a->part->keys.count != b->part->keys.count)
        return false;
    for (uint32_t i = 0; i < a->part->keys.count; i++)
        if (a->part->keys.items[i] != b->part->keys.items[i])
            return false;
    uint32_t stamp = ++p->set_stamp;
    stamp_arguments(b, stamp);
    for (uint32_t i = 0; i < a->arguments.count; i++)
        if (a->arguments.items[i]->set_stamp != stamp)
            return false;
    return true;
}

static void lose(struct plan *p, const struct grouping *grouping)
{
    uint32_t stamp = ++p->set_stamp;
    stamp_arguments(grouping, stamp);
    for (uint32_t i = 0; i < grouping->part->aggregates.count; i++) {
        struct node *aggregate = grouping->part->aggregates.items[i];
        for (uint32_t k = 0; k < aggregate->arg_count && k < 64; k++)
            if (aggregate->args[k]->set_stamp == stamp)
                aggregate->lost |= (uint64_t)1 << k;
    }
}

/* Finds the first grouping like this one, and notes there what it adds. */
static void join_first(struct plan *p, struct grouping *groupings, uint32_t index)
{
    struct grouping *grouping = &groupings[index];
    grouping->first = index;
    for (uint32_t i = 0; i < index; i++) {
        if (groupings[i].first != i || !alike(p, grouping, &groupings[i]))
            continue;
        grouping->first = i;
        groupings[i].partnered = true;
        groupings[i].filtered |= grouping->filtered;
        return;
    }
}

void share_distinct(struct plan *p, struct part *const *legs, uint32_t count)
{
    struct grouping *groupings = ARENA_ARRAY(p->arena, struct grouping, count);
    uint32_t used = 0;
    for (uint32_t i = 0; groupings != NULL && i < count; i++) {
        bool ordered = legs[i] == NULL || legs[i]->limited;
        if (!ordered)
            describe(p, legs[i], &groupings[used]);
        used += !ordered && groupings[used].arguments.count > 0;
    }
    for (uint32_t i = 0; i < used; i++)
        join_first(p, groupings, i);
    for (uint32_t i = 0; i < used; i++)
        if (groupings[groupings[i].first].partnered && groupings[groupings[i].first].filtered)
            lose(p, &groupings[i]);
}
