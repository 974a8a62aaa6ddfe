/* Documents are read as trees. */
#include "ask/expression.h"

#include "store/label.h"

struct ask_document document_of(struct ask *ask, int64_t lineage)
{
    struct ask_document document = {0};
    const char *message;
    size_t where;
    if (lineage != 0 && store_document(ask->store, lineage, ask->arena, &document.sample))
        document.tree = json_read(ask->arena, document.sample.document, &message, &where);
    return document;
}

/* ---- ties ----------------------------------------------------------------------------------- */

/* `db.t.c` is a column of `db.t`; the table itself is its rows. */
static bool column_of(str_t name, str_t table, str_t *column)
{
    if (!str_starts_with(name, table))
        return false;
    if (name.len == table.len) {
        *column = STR("");
        return true;
    }
    *column = str_make(name.ptr + table.len + 1, name.len - table.len - 1);
    return name.ptr[table.len] == '.';
}

/* "db.t.c", or {"column": "db.t.c", "path": ".x"}. */
static str_t source_name(const struct json *source)
{
    return source->kind == JSON_STRING ? source->text : json_member_text(source, STR("column"));
}

static int64_t number_of(const struct json *number)
{
    int64_t value = 0;
    if (number == NULL || number->kind != JSON_NUMBER)
        return 0;
    for (size_t i = 0; i < number->text.len && number->text.ptr[i] >= '0' &&
                       number->text.ptr[i] <= '9' && value < INT64_MAX / 10;
         i++)
        value = value * 10 + (number->text.ptr[i] - '0');
    return value;
}

static bool wanted(str_t wish, str_t name)
{
    return wish.len == 0 || str_eq(wish, name) || str_eq(name, STR("*"));
}

static void add_tie(struct ask *ask, struct ask_ties *ties, const struct json *item, str_t source,
                    str_t target, bool direct)
{
    const struct json *span = json_member(item, STR("span"));
    struct ask_tie *tie = VEC_PUSH(ask->arena, ties);
    if (tie == NULL)
        return;
    *tie =
        (struct ask_tie){.source = source,
                         .target = target,
                         .how = json_member_text(item, direct ? STR("transform") : STR("clause")),
                         .expression = json_member_text(item, STR("expression")),
                         .direct = direct,
                         .has_span = span != NULL};
    if (span != NULL) {
        tie->start = number_of(json_member(span, STR("start")));
        tie->end = number_of(json_member(span, STR("end")));
    }
}

static const struct json *first_of(const struct json *object, str_t key)
{
    const struct json *list = json_member(object, key);
    return list != NULL && list->kind == JSON_ARRAY ? list->first : NULL;
}

/* The ends of a tie that are asked for. */
struct ends {
    str_t src_table, src_column, dst_table, dst_column;
};

static void add_sources(struct ask *ask, struct ask_ties *ties, const struct json *item,
                        const struct ends *ends, str_t target, bool direct)
{
    for (const struct json *source = first_of(item, STR("sources")); source != NULL;
         source = source->next) {
        str_t column;
        if (column_of(source_name(source), ends->src_table, &column) &&
            wanted(ends->src_column, column))
            add_tie(ask, ties, item, column, target, direct);
    }
}

/* Conditions name their targets only where they do not decide about all. */
static void add_predicate(struct ask *ask, struct ask_ties *ties, const struct json *tree,
                          const struct json *item, const struct ends *ends)
{
    const struct json *target = first_of(item, STR("targets"));
    if (target == NULL) {
        add_sources(ask, ties, item, ends, STR(""), false);
        return;
    }
    for (; target != NULL; target = target->next) {
        str_t column;
        if (column_of(label_named(ask->arena, tree, target->text), ends->dst_table, &column) &&
            wanted(ends->dst_column, column))
            add_sources(ask, ties, item, ends, column, false);
    }
}

struct ask_ties document_ties(struct ask *ask, const struct json *tree, str_t src_table,
                              str_t src_column, str_t dst_table, str_t dst_column)
{
    struct ask_ties ties = {0};
    const struct ends ends = {src_table, src_column, dst_table, dst_column};
    for (const struct json *item = first_of(tree, STR("columns")); item != NULL;
         item = item->next) {
        str_t column;
        if (column_of(label_target(ask->arena, item), dst_table, &column) &&
            wanted(dst_column, column))
            add_sources(ask, &ties, item, &ends, column, true);
    }
    for (const struct json *item = first_of(tree, STR("predicates")); item != NULL;
         item = item->next)
        add_predicate(ask, &ties, tree, item, &ends);
    return ties;
}

str_t expression_of(struct ask *ask, int64_t lineage, str_t src_table, str_t src_column,
                    str_t dst_table, str_t dst_column, bool direct)
{
    return expression_in(ask, document_of(ask, lineage).tree, src_table, src_column, dst_table,
                         dst_column, direct);
}

str_t expression_in(struct ask *ask, const struct json *tree, str_t src_table, str_t src_column,
                    str_t dst_table, str_t dst_column, bool direct)
{
    if (tree == NULL)
        return STR("");
    struct ask_ties ties = document_ties(ask, tree, src_table, src_column, dst_table, dst_column);
    for (uint32_t i = 0; i < ties.count; i++)
        if (ties.items[i].direct == direct && ties.items[i].expression.len > 0)
            return ties.items[i].expression;
    return STR("");
}
