/*
 * A set operation whose first branch gives one column twice. Hive has one record of a column's sources however often the column is
 * selected, and adds the other branches' sources to it in place: each of the outputs ends up with the sources of all of them.
 */
#include "flow/hive_plan.h"

enum {
    WIDTH_OF_BIGINT = 4 /* see width_of */
};

static struct part *first_with_rows(const struct part *part)
{
    for (uint32_t i = 0; i < part->input_count; i++)
        if (part->inputs[i] != NULL && !part->inputs[i]->dead)
            return part->inputs[i];
    return NULL;
}

/* Something that has a record: what is computed gets a new one each time. */
static bool is_recorded(struct plan *p, struct node *node)
{
    if (node == NULL || node->kind < NODE_COLUMN || node->kind > NODE_SCRIPT)
        return false;
    const struct node *folded = node_fold(p, node);
    return folded != NULL && folded->kind != NODE_LITERAL;
}

/* ---- branches that are converted ---- */

static int width_of(const struct type *type)
{
    static const str_t numbers[] = {STR("tinyint"), STR("smallint"), STR("int"), STR("bigint"), STR("decimal"), STR("float"), STR("double")};
    for (int i = 0; i < (int)(sizeof numbers / sizeof *numbers); i++)
        if (str_eq(name_str(type->name), numbers[i]))
            return i + 1;
    return 0;
}

static const struct type *type_in(const struct part *branch, uint32_t i)
{
    bool known = branch->query != NULL && i < branch->query->columns.count;
    return known ? branch->query->columns.items[i]->type : NULL;
}

/* Whether the first branch's column stays as it is beside another branch's. */
static bool stays(const struct part *first, const struct part *other, uint32_t i)
{
    const struct type *a = type_in(first, i), *b = type_in(other, i);
    enum value_type own = (enum value_type)first->outputs[i]->type;
    if (i >= other->output_count || other->outputs[i] == NULL || own == VALUE_STRING)
        return true;
    const struct node *node = other->outputs[i];
    if (a != NULL && b != NULL && a->kind == TYPE_PRIMITIVE && b->kind == TYPE_PRIMITIVE)
        return name_eq(a->name, b->name) || (width_of(b) > 0 && width_of(a) >= width_of(b));
    if (a == NULL && own == VALUE_NUMBER && b != NULL) /* count and sum of whole numbers */
        return b->kind == TYPE_PRIMITIVE && width_of(b) > 0 && width_of(b) <= WIDTH_OF_BIGINT;
    if (own == VALUE_NUMBER && node_is_literal(node, LITERAL_IS_NUMBER))
        return memchr(node->name.ptr, '.', node->name.len) == NULL;
    return own == VALUE_UNKNOWN || node->type == VALUE_UNKNOWN || node_is_literal(node, LITERAL_IS_NULL) || node->type == own;
}

static bool stays_in_all(const struct part *part, const struct part *first, uint32_t i)
{
    for (uint32_t k = 0; k < part->input_count; k++)
        if (part->inputs[k] != NULL && !part->inputs[k]->dead && !stays(first, part->inputs[k], i))
            return false;
    return true;
}

/* ---- outputs that are one ---- */

/* Says once a part whether its first branch repeats anything. */
static bool repeats(struct plan *p, struct part *part, const struct part *first)
{
    if (part->repeats_done)
        return part->repeats;
    uint32_t stamp = ++p->set_stamp;
    for (uint32_t i = 0; i < first->output_count; i++) {
        struct node *node = first->outputs[i];
        if (node == NULL)
            continue;
        part->repeats |= node->set_stamp == stamp;
        node->set_stamp = stamp;
    }
    part->repeats_done = true;
    return part->repeats;
}

uint32_t branches_next(struct plan *p, struct part *part, uint32_t ordinal, uint32_t from)
{
    const struct part *first = part->kind == PART_SETOP ? first_with_rows(part) : NULL;
    if (first == NULL || ordinal >= first->output_count || !repeats(p, part, first) || !is_recorded(p, first->outputs[ordinal]))
        return part->output_count;
    if (!stays_in_all(part, first, ordinal))
        return part->output_count;
    for (uint32_t i = from; i < first->output_count && i < part->output_count; i++)
        if (i != ordinal && first->outputs[i] == first->outputs[ordinal] && stays_in_all(part, first, i))
            return i;
    return part->output_count;
}
