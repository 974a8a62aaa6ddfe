/* The document's fingerprint, and the names of its enumerations. */
#include "lineage/document.h"

#include "fingerprint/fingerprint.h"

struct tokens doc_tokens(const struct doc_statement *st)
{
    const struct doc_text *from = &st->text;
    struct tokens tokens = from->tokens;
    if (tokens.list.count == 0)
        lex_statement(str_make(from->text.ptr, from->span.end), from->span.start, from->options, from->arena, &tokens);
    return tokens;
}

void doc_fingerprint(const struct doc_statement *st, uint64_t out[2])
{
    const struct doc_text *from = &st->text;
    struct fingerprint print = {0, 0};
    if (from->arena != NULL) {
        struct tokens tokens = doc_tokens(st);
        print = fingerprint_of(str_make(from->text.ptr, from->span.end), &tokens, from->options->dialect, from->arena);
    }
    out[0] = print.high;
    out[1] = print.low;
}

str_t transform_text(enum transform transform)
{
    static const str_t texts[] = {STR("identity"), STR("transformation"), STR("aggregation"), STR("constant"), STR("script")};
    return texts[transform];
}

str_t operation_text(enum operation operation)
{
    static const str_t texts[OPERATION_COUNT] = {
        [OPERATION_NONE] = STR("none"),
        [OPERATION_SELECT] = STR("select"),
        [OPERATION_INSERT] = STR("insert"),
        [OPERATION_INSERT_OVERWRITE] = STR("insert_overwrite"),
        [OPERATION_MULTI_INSERT] = STR("multi_insert"),
        [OPERATION_UPSERT] = STR("upsert"),
        [OPERATION_CREATE_TABLE_AS_SELECT] = STR("create_table_as_select"),
        [OPERATION_CREATE_VIEW] = STR("create_view"),
        [OPERATION_CREATE_MATERIALIZED_VIEW] = STR("create_materialized_view"),
        [OPERATION_ALTER_VIEW] = STR("alter_view"),
        [OPERATION_REBUILD_MATERIALIZED_VIEW] = STR("rebuild_materialized_view"),
        [OPERATION_UPDATE] = STR("update"),
        [OPERATION_DELETE] = STR("delete"),
        [OPERATION_MERGE] = STR("merge"),
        [OPERATION_LOAD] = STR("load"),
        [OPERATION_EXPORT] = STR("export"),
        [OPERATION_IMPORT] = STR("import"),
        [OPERATION_RENAME] = STR("rename"),
        [OPERATION_EXCHANGE_PARTITION] = STR("exchange_partition"),
        [OPERATION_CREATE_TABLE] = STR("create_table"),
        [OPERATION_TRUNCATE] = STR("truncate"),
        [OPERATION_DROP] = STR("drop"),
    };
    return texts[operation];
}

str_t write_mode_text(enum write_mode mode)
{
    static const str_t texts[WRITE_MODE_COUNT] = {
        [WRITE_APPEND] = STR("append"),
        [WRITE_OVERWRITE] = STR("overwrite"),
        [WRITE_OVERWRITE_PARTITION] = STR("overwrite_partition"),
        [WRITE_OVERWRITE_DYNAMIC] = STR("overwrite_dynamic"),
        [WRITE_CREATE] = STR("create"),
        [WRITE_UPDATE] = STR("update"),
        [WRITE_DELETE] = STR("delete"),
        [WRITE_MERGE] = STR("merge"),
        [WRITE_UPSERT] = STR("upsert"),
        [WRITE_REPLACE] = STR("replace"),
        [WRITE_TRUNCATE] = STR("truncate"),
        [WRITE_RENAME] = STR("rename"),
    };
    return texts[mode];
}

str_t clause_kind_text(enum clause_kind clause)
{
    static const str_t texts[CLAUSE_KIND_COUNT] = {
        [CLAUSE_JOIN] = STR("join"),           [CLAUSE_FILTER] = STR("filter"), [CLAUSE_GROUP_BY] = STR("group_by"),
        [CLAUSE_SORT] = STR("sort"),           [CLAUSE_WINDOW] = STR("window"), [CLAUSE_CONDITIONAL] = STR("conditional"),
        [CLAUSE_DISTINCT] = STR("distinct"),
    };
    return texts[clause];
}
