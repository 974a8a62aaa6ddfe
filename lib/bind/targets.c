/*
 * Which column of the target takes which output of the query: by position, by column list, by partition clause
 * (hive-sql.md 4.2, impala-sql.md 4). A table that the catalog does not know has its columns named after the query's.
 */
#include "bind/binder.h"
#include "bind/targets.h"

struct bound_leg *leg_new(struct binder *b, struct name table, enum write_mode mode)
{
    struct bound_leg *leg = VEC_PUSH(b->arena, &b->stmt->legs);
    if (leg == NULL)
        return NULL;
    leg->output.dataset.table = name_str(table);
    leg->output.mode = mode;
    leg->table = table.len == 0 ? NULL : catalog_find_table(b->in->catalog, table);
    return leg;
}

struct target_column *leg_target(struct binder *b, struct bound_leg *leg, str_t name, struct column *column)
{
    struct target_column *target = VEC_PUSH(b->arena, &leg->targets);
    if (target == NULL)
        return NULL;
    target->name = name;
    target->column = column;
    target->ordinal = leg->targets.count - 1;
    return target;
}

void leg_targets_of_query(struct binder *b, struct bound_leg *leg)
{
    if (leg->query == NULL)
        return;
    for (uint32_t i = 0; i < leg->query->columns.count; i++)
        leg_target(b, leg, name_str(leg->query->columns.items[i]->name), leg->query->columns.items[i]);
}

/* ---- slots: the target's columns in the order in which the query fills them ---- */

struct slots {
    VEC(struct target_column) list;
};

static void add_slot(struct binder *b, struct slots *slots, str_t name, bool dynamic)
{
    struct target_column *slot = VEC_PUSH(b->arena, &slots->list);
    if (slot == NULL)
        return;
    slot->name = name;
    slot->dynamic_partition = dynamic;
}

static const struct partition_key *partition_key(const struct partition_spec *spec, str_t name)
{
    for (uint32_t i = 0; i < spec->count; i++)
        if (str_eq(name_str(spec->keys[i].name.name), name))
            return &spec->keys[i];
    return NULL;
}

static bool is_listed(const struct insert_target *target, str_t name)
{
    for (uint32_t i = 0; i < target->column_count; i++)
        if (str_eq(name_str(target->columns[i].name), name))
            return true;
    return false;
}

static bool is_partition_column(const struct catalog_table *table, str_t name)
{
    for (uint32_t i = table->column_count - table->partition_count; i < table->column_count; i++)
        if (str_eq(name_str(table->columns[i].name), name))
            return true;
    return false;
}

static void slots_from_list(struct binder *b, struct slots *slots, const struct insert_target *target, const struct catalog_table *table)
{
    for (uint32_t i = 0; i < target->column_count; i++) {
        str_t name = name_str(target->columns[i].name);
        add_slot(b, slots, name, table != NULL && is_partition_column(table, name));
    }
}

static void slots_from_table(struct binder *b, struct slots *slots, const struct catalog_table *table)
{
    for (uint32_t i = 0; i < table->column_count - table->partition_count; i++)
        add_slot(b, slots, name_str(table->columns[i].name), false);
}

/* Dynamic keys come behind all others: Hive in the table's order, Impala in the clause's. */
static void slots_for_partitions(struct binder *b, struct slots *slots, const struct insert_target *target, const struct catalog_table *table)
{
    const struct partition_spec *spec = &target->partition;
    bool by_table = table != NULL && b->dialect == DIALECT_HIVE;
    bool all_dynamic = !spec->present && table != NULL && b->dialect == DIALECT_HIVE;
    if (by_table) {
        for (uint32_t i = table->column_count - table->partition_count; i < table->column_count; i++) {
            str_t name = name_str(table->columns[i].name);
            const struct partition_key *key = partition_key(spec, name);
            if (!is_listed(target, name) && (all_dynamic || (key != NULL && key->value == NULL)))
                add_slot(b, slots, name, true);
        }
        return;
    }
    for (uint32_t i = 0; i < spec->count; i++)
        if (spec->keys[i].value == NULL && !is_listed(target, name_str(spec->keys[i].name.name)))
            add_slot(b, slots, name_str(spec->keys[i].name.name), true);
}

/* Of an unknown table: the query's names, the last ones the dynamic keys'. */
static void slots_from_query(struct binder *b, struct slots *slots, const struct insert_target *target, const struct bound_query *query)
{
    uint32_t dynamic = 0;
    for (uint32_t i = 0; i < target->partition.count; i++)
        dynamic += target->partition.keys[i].value == NULL;
    uint32_t plain = query->columns.count > dynamic ? query->columns.count - dynamic : 0;
    for (uint32_t i = 0; i < plain; i++)
        add_slot(b, slots, name_str(query->columns.items[i]->name), false);
}

static uint32_t open_star_at(const struct bound_query *query)
{
    for (uint32_t i = 0; i < query->columns.count; i++)
        if (query->columns.items[i]->flags & COLUMN_OPEN)
            return i;
    return query->columns.count;
}

static void fill_slot(struct binder *b, struct bound_leg *leg, const struct target_column *slot, struct column *column)
{
    struct target_column *target = leg_target(b, leg, slot->name, column);
    if (target == NULL)
        return;
    target->dynamic_partition = slot->dynamic_partition;
    target->static_partition = slot->static_partition;
    target->literal = slot->literal;
    target->missing = column == NULL;
}

/* Behind an open star positions are not known from the left, but they are from the right. */
static void fill_around_star(struct binder *b, struct bound_leg *leg, const struct slots *slots, uint32_t star)
{
    const struct bound_query *query = leg->query;
    uint32_t behind = query->columns.count - star - 1, count = slots->list.count;
    struct column *open = query->columns.items[star];
    for (uint32_t i = 0; i < count; i++) {
        struct column *column = i < star ? query->columns.items[i] : open;
        if (i >= star && behind > 0 && count - i <= behind && count > star + behind)
            column = query->columns.items[query->columns.count - (count - i)];
        fill_slot(b, leg, &slots->list.items[i], column);
    }
    if (count == 0 || leg->table == NULL)
        leg_target(b, leg, STR("*"), open);
}

static void fill_slots(struct binder *b, struct bound_leg *leg, const struct slots *slots, span_t span)
{
    const struct bound_query *query = leg->query;
    uint32_t given = query == NULL ? 0 : query->columns.count;
    uint32_t star = query == NULL ? 0 : open_star_at(query);
    if (star < given && leg->table != NULL) {
        fill_around_star(b, leg, slots, star);
        return;
    }
    if (given != slots->list.count && query != NULL)
        binder_note(b, DIAG_COLUMN_COUNT, span, STR("the query does not give as many columns as it takes to fill "),
                    leg->output.dataset.table, STR(""));
    for (uint32_t i = 0; i < slots->list.count; i++)
        fill_slot(b, leg, &slots->list.items[i], i < given ? query->columns.items[i] : NULL);
}

/* Columns that get no value of the query: not listed, or static partition keys. */
static void add_unfilled(struct binder *b, struct bound_leg *leg, const struct insert_target *target)
{
    const struct catalog_table *table = leg->table;
    /* Kudu's own rows keep what is not mentioned, or take a default */
    bool partial = target->has_columns && table != NULL && !target->upsert && table->storage != STORAGE_KUDU;
    for (uint32_t i = 0; partial && i < table->column_count - table->partition_count; i++)
        if (!is_listed(target, name_str(table->columns[i].name))) {
            struct target_column *missing = leg_target(b, leg, name_str(table->columns[i].name), NULL);
            if (missing != NULL)
                missing->missing = true;
        }
    for (uint32_t i = 0; i < target->partition.count; i++) {
        const struct partition_key *key = &target->partition.keys[i];
        if (key->value == NULL || key->transform != NULL)
            continue;
        struct target_column *fixed = leg_target(b, leg, name_str(key->name.name), NULL);
        if (fixed == NULL)
            return;
        fixed->static_partition = true;
        fixed->literal = binder_slice(b, key->value->span);
    }
}

static enum write_mode write_mode_of(const struct insert_target *target)
{
    if (target->upsert)
        return WRITE_UPSERT;
    if (!target->overwrite)
        return WRITE_APPEND;
    bool dynamic = false;
    for (uint32_t i = 0; i < target->partition.count; i++)
        dynamic = dynamic || target->partition.keys[i].value == NULL;
    if (!target->partition.present)
        return WRITE_OVERWRITE;
    return dynamic ? WRITE_OVERWRITE_DYNAMIC : WRITE_OVERWRITE_PARTITION;
}

struct doc_partition *binder_partitions(struct binder *b, const struct partition_spec *spec, uint32_t *count)
{
    struct doc_partition *parts = spec->count == 0 ? NULL : ARENA_ARRAY(b->arena, struct doc_partition, spec->count);
    *count = parts == NULL ? 0 : spec->count;
    for (uint32_t i = 0; i < *count; i++) {
        const struct expr *value = spec->keys[i].value;
        parts[i].key = name_str(spec->keys[i].name.name);
        parts[i].has_value = value != NULL;
        if (value != NULL)
            parts[i].value = string_literal_value(binder_slice(b, value->span), b->dialect, b->arena);
    }
    return parts;
}

/* With all partition columns dynamic, an OVERWRITE without clause replaces the partitions it meets. */
static void note_dynamic_overwrite(struct bound_leg *leg)
{
    bool partitioned = leg->table != NULL && leg->table->partition_count > 0;
    if (partitioned && leg->output.mode == WRITE_OVERWRITE)
        leg->output.mode = WRITE_OVERWRITE_DYNAMIC;
}

struct bound_leg *leg_of_target(struct binder *b, const struct insert_target *target, struct bound_query *query)
{
    struct name table = target->directory ? NAME("") : binder_table_name(b, &target->table);
    struct bound_leg *leg = leg_new(b, table, write_mode_of(target));
    if (leg == NULL)
        return NULL;
    leg->query = query;
    if (target->directory) {
        leg->output.dataset.path = target->path;
        leg_targets_of_query(b, leg);
        return leg;
    }
    leg->output.partitions = binder_partitions(b, &target->partition, &leg->output.partition_count);
    note_dynamic_overwrite(leg);
    if (leg->table == NULL)
        binder_note(b, DIAG_UNKNOWN_TARGET_COLUMNS, target->table.span, STR("the catalog has no table "), name_str(table),
                    STR(": its columns are named after the query's"));
    struct slots slots = {{NULL, 0, 0}};
    if (target->has_columns)
        slots_from_list(b, &slots, target, leg->table);
    else if (leg->table != NULL && !leg->table->open)
        slots_from_table(b, &slots, leg->table);
    else if (query != NULL)
        slots_from_query(b, &slots, target, query);
    slots_for_partitions(b, &slots, target, leg->table != NULL && leg->table->open ? NULL : leg->table);
    fill_slots(b, leg, &slots, target->table.span);
    add_unfilled(b, leg, target);
    return leg;
}
