/* lib/catalog/catalog.h: layers, what DDL changes, and the JSON form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "catalog/catalog.h"
#include "sql/parse.h"

static void apply(struct catalog *catalog, enum dialect dialect, const char *ddl)
{
    struct arena arena;
    struct script_reader reader;
    struct parsed parsed;
    str_t text = str_make(ddl, strlen(ddl));
    arena_init(&arena, 0, NULL);
    script_reader_init(&reader, text, &(struct parse_options){.dialect = dialect});
    while (script_reader_next(&reader, &arena, &parsed)) {
        if (parsed.error.message.len > 0)
            fail_msg("%.*s in %s", (int)parsed.error.message.len, parsed.error.message.ptr, ddl);
        assert_true(catalog_apply(catalog, parsed.stmt, text, STR("s"), dialect));
    }
    arena_release(&arena);
}

/* `a int, b string | p string`: the columns, and behind the bar those of the partition; "-" for no table. */
static void assert_columns(const struct catalog *catalog, const char *name, const char *expected)
{
    char found[4096] = "-";
    size_t len = 0;
    const struct catalog_table *table = catalog_find_table(catalog, name_of(str_make(name, strlen(name))));
    for (uint32_t i = 0; table != NULL && i < table->column_count; i++) {
        const struct catalog_column *column = &table->columns[i];
        const char *before = i == 0 ? "" : i == table->column_count - table->partition_count ? " | " : ", ";
        len += (size_t)snprintf(found + len, sizeof found - len, "%s%.*s %.*s", before, (int)column->name.len, column->name.ptr,
                                (int)column->type.len, column->type.ptr);
        assert_int_equal(catalog_find_column(table, column->name), i);
    }
    if (table != NULL && table->column_count == 0)
        snprintf(found, sizeof found, "%s", table->open ? "open" : "");
    assert_string_equal(found, expected);
}

static void assert_storage(const struct catalog *catalog, const char *name, enum table_storage storage)
{
    const struct catalog_table *table = catalog_find_table(catalog, name_of(str_make(name, strlen(name))));
    assert_non_null(table);
    assert_int_equal(table->storage, storage);
}

static void a_session_hides_its_base(void **state)
{
    (void)state;
    struct catalog *base = catalog_new(NULL, 0, NULL), *session = catalog_new(base, 0, NULL);
    apply(base, DIALECT_HIVE, "create table s.t (a int); create table s.u (b int)");
    apply(session, DIALECT_HIVE, "drop table t; create table s.v (c int); alter table u add columns (d string)");
    assert_columns(session, "s.t", "-");
    assert_columns(session, "s.u", "b int, d string");
    assert_columns(session, "s.v", "c int");
    assert_columns(base, "s.t", "a int");
    assert_columns(base, "s.u", "b int");
    catalog_clear(session);
    assert_columns(session, "s.t", "a int");
    assert_columns(session, "s.u", "b int");
    assert_columns(session, "s.v", "-");
    catalog_free(session);
    catalog_free(base);
}

static void names_are_folded_and_types_canonical(void **state)
{
    (void)state;
    struct catalog *catalog = catalog_new(NULL, 0, NULL);
    apply(catalog, DIALECT_HIVE, "CREATE TABLE S.T (A INTEGER, `B c` Decimal(10, 2), C ARRAY<STRUCT<X : INT, y:map<string,double>>>) PARTITIONED BY (P STRING)");
    assert_columns(catalog, "s.t", "a int, b c decimal(10,2), c array<struct<x:int,y:map<string,double>>> | p string");
    const struct catalog_table *table = catalog_find_table(catalog, NAME("s.t"));
    assert_int_equal(table->columns[2].parsed_type->kind, TYPE_ARRAY);
    assert_int_equal(table->columns[0].parsed_type->kind, TYPE_PRIMITIVE);
    assert_memory_equal(table->columns[0].shown.ptr, "A", 1);
    assert_memory_equal(table->db.ptr, "s", 1);
    assert_memory_equal(table->table.ptr, "t", 1);
    catalog_free(catalog);
}

static void columns_change_and_partitions_stay_last(void **state)
{
    (void)state;
    struct catalog *catalog = catalog_new(NULL, 0, NULL);
    apply(catalog, DIALECT_HIVE, "create table t (a int, b int, c int) partitioned by (p int)");
    apply(catalog, DIALECT_HIVE, "alter table t add columns (d string, a bigint)");
    assert_columns(catalog, "s.t", "a int, b int, c int, d string | p int");
    apply(catalog, DIALECT_HIVE, "alter table t change a z double after c");
    assert_columns(catalog, "s.t", "b int, c int, z double, d string | p int");
    apply(catalog, DIALECT_HIVE, "alter table t change d d string first");
    assert_columns(catalog, "s.t", "d string, b int, c int, z double | p int");
    apply(catalog, DIALECT_HIVE, "alter table t change z y int");
    assert_columns(catalog, "s.t", "d string, b int, c int, y int | p int");
    apply(catalog, DIALECT_IMPALA, "alter table t drop column b");
    assert_columns(catalog, "s.t", "d string, c int, y int | p int");
    apply(catalog, DIALECT_HIVE, "alter table t partition (p = 1) add columns (q int)");
    assert_columns(catalog, "s.t", "d string, c int, y int | p int");
    apply(catalog, DIALECT_HIVE, "alter table t replace columns (x int)");
    assert_columns(catalog, "s.t", "x int | p int");
    apply(catalog, DIALECT_HIVE, "alter table t rename to r.u");
    assert_columns(catalog, "s.t", "-");
    assert_columns(catalog, "r.u", "x int | p int");
    catalog_free(catalog);
}

static void like_copies_columns(void **state)
{
    (void)state;
    struct catalog *catalog = catalog_new(NULL, 0, NULL);
    apply(catalog, DIALECT_HIVE, "create table t (a int) partitioned by (p int); create table r.u like t; create table w like nowhere.x");
    assert_columns(catalog, "r.u", "a int | p int");
    assert_columns(catalog, "s.w", "open");
    catalog_free(catalog);
}

static void existing_tables(void **state)
{
    (void)state;
    struct catalog *catalog = catalog_new(NULL, 0, NULL);
    apply(catalog, DIALECT_HIVE, "create table t (a int); create table if not exists t (b int)");
    assert_columns(catalog, "s.t", "a int");
    apply(catalog, DIALECT_HIVE, "create table t (c int)");
    assert_columns(catalog, "s.t", "c int");
    apply(catalog, DIALECT_HIVE, "drop view t");
    assert_columns(catalog, "s.t", "c int");
    catalog_free(catalog);
}

static void databases_go_with_their_tables(void **state)
{
    (void)state;
    struct catalog *base = catalog_new(NULL, 0, NULL), *session = catalog_new(base, 0, NULL);
    apply(base, DIALECT_HIVE, "create database d; create table d.t (a int); create table e.t (a int)");
    apply(session, DIALECT_HIVE, "create table d.u (b int); drop database d cascade");
    assert_columns(session, "d.t", "-");
    assert_columns(session, "d.u", "-");
    assert_columns(session, "e.t", "a int");
    assert_false(catalog_has_database(session, NAME("d")));
    assert_true(catalog_has_database(base, NAME("d")));
    assert_true(catalog_has_database(session, NAME("default")));
    apply(session, DIALECT_HIVE, "create database d; create table d.v (c int)");
    assert_columns(session, "d.t", "-");
    assert_columns(session, "d.v", "c int");
    assert_true(catalog_has_database(session, NAME("d")));
    catalog_free(session);
    catalog_free(base);
}

static void temporary_tables_hide(void **state)
{
    (void)state;
    struct catalog *catalog = catalog_new(NULL, 0, NULL);
    apply(catalog, DIALECT_HIVE, "create table t (a int); create temporary table t (b int)");
    assert_columns(catalog, "s.t", "b int");
    apply(catalog, DIALECT_HIVE, "drop table t");
    assert_columns(catalog, "s.t", "a int");
    apply(catalog, DIALECT_HIVE, "drop table t");
    assert_columns(catalog, "s.t", "-");
    catalog_free(catalog);
}

static void storage_is_known(void **state)
{
    (void)state;
    struct catalog *catalog = catalog_new(NULL, 0, NULL);
    apply(catalog, DIALECT_HIVE, "create table i (a int) partitioned by (p string) stored by iceberg;"
                                 "create table h (a int) stored by 'org.apache.hadoop.hive.hbase.HBaseStorageHandler';"
                                 "create table j (a int) stored by 'org.apache.hive.storage.jdbc.JdbcStorageHandler';"
                                 "create table o (a int) stored as orc tblproperties ('transactional' = 'true');"
                                 "create table m (a int) partitioned by (p int);"
                                 "alter table m set tblproperties ('storage_handler' = 'org.apache.iceberg.mr.hive.HiveIcebergStorageHandler')");
    apply(catalog, DIALECT_IMPALA, "create table k (a int primary key) partition by hash (a) partitions 2 stored as kudu");
    assert_storage(catalog, "s.i", STORAGE_ICEBERG);
    assert_storage(catalog, "s.h", STORAGE_HBASE);
    assert_storage(catalog, "s.j", STORAGE_OTHER);
    assert_storage(catalog, "s.o", STORAGE_HDFS);
    assert_storage(catalog, "s.m", STORAGE_ICEBERG);
    assert_storage(catalog, "s.k", STORAGE_KUDU);
    assert_columns(catalog, "s.i", "a int, p string");
    assert_columns(catalog, "s.m", "a int, p int");
    assert_true(catalog_find_table(catalog, NAME("s.o"))->transactional);
    assert_false(catalog_find_table(catalog, NAME("s.h"))->transactional);
    catalog_free(catalog);
}

static void avro_schemas_give_columns(void **state)
{
    (void)state;
    struct catalog *catalog = catalog_new(NULL, 0, NULL);
    apply(catalog, DIALECT_HIVE,
          "create table t partitioned by (p string) stored as avro tblproperties ('avro.schema.literal' = '{\"type\":\"record\",\"name\":\"r\","
          "\"fields\":[{\"name\":\"A\",\"type\":\"long\"},{\"name\":\"b\",\"type\":[\"null\",\"string\"]},"
          "{\"name\":\"c\",\"type\":{\"type\":\"array\",\"items\":{\"type\":\"record\",\"name\":\"q\",\"fields\":[{\"name\":\"X\",\"type\":\"int\"}]}}},"
          "{\"name\":\"d\",\"type\":{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":9,\"scale\":2}},"
          "{\"name\":\"e\",\"type\":{\"type\":\"map\",\"values\":\"double\"}},{\"name\":\"f\",\"type\":[\"int\",\"string\"]}]}');"
          "create table u stored as avro tblproperties ('avro.schema.url' = '/x.avsc')");
    assert_columns(catalog, "s.t", "a bigint, b string, c array<struct<x:int>>, d decimal(9,2), e map<string,double>, f uniontype<int,string> | p string");
    assert_columns(catalog, "s.u", "open");
    catalog_free(catalog);
}

static void wide_tables_are_indexed(void **state)
{
    (void)state;
    enum { COLUMNS = 5000 };
    struct catalog *catalog = catalog_new(NULL, 0, NULL);
    apply(catalog, DIALECT_HIVE, "create table t (c0 int) partitioned by (p int)");
    for (int i = 1; i < COLUMNS; i++) {
        char ddl[64];
        snprintf(ddl, sizeof ddl, "alter table t add columns (c%d int)", i);
        apply(catalog, DIALECT_HIVE, ddl);
    }
    const struct catalog_table *table = catalog_find_table(catalog, NAME("s.t"));
    assert_int_equal(table->column_count, COLUMNS + 1);
    for (uint32_t i = 0; i < table->column_count; i++)
        assert_int_equal(catalog_find_column(table, table->columns[i].name), i);
    assert_int_equal(catalog_find_column(table, NAME("c5000")), -1);
    assert_true(name_eq(table->columns[COLUMNS].name, NAME("p")));
    catalog_free(catalog);
}

static void macros_outlive_their_statement(void **state)
{
    (void)state;
    struct catalog *catalog = catalog_new(NULL, 0, NULL);
    apply(catalog, DIALECT_HIVE, "create temporary macro Twice(x int) x + x");
    const struct catalog_macro *macro = catalog_find_macro(catalog, NAME("twice"));
    assert_non_null(macro);
    assert_int_equal(macro->definition->param_count, 1);
    assert_int_equal(macro->definition->body->kind, EXPR_CHAIN);
    apply(catalog, DIALECT_HIVE, "drop temporary macro twice");
    assert_null(catalog_find_macro(catalog, NAME("twice")));
    catalog_free(catalog);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void load(struct catalog *catalog, str_t json)
{
    str_t message;
    size_t where;
    if (!catalog_load(catalog, json, &message, &where))
        fail_msg("%.*s at %zu", (int)message.len, message.ptr, where);
}

static void saving_and_loading(void **state)
{
    (void)state;
    struct catalog *catalog = catalog_new(NULL, 0, NULL), *again = catalog_new(NULL, 0, NULL);
    struct buf first, second;
    buf_init(&first, 0);
    buf_init(&second, 0);
    apply(catalog, DIALECT_HIVE,
          "create table T (A int comment 'it''s \"a\"', b array<struct<x:int>>) comment 'x' partitioned by (p string) location '/x';"
          "create database empty; create temporary macro m(x int) x + 1; create temporary table gone (a int);"
          "create table i (a int) stored by iceberg; create table w like nowhere.x");
    const struct catalog_table view = {.name = NAME("s.v"), .kind = TABLE_VIEW, .view_text = STR("select a\nfrom t"), .view_database = STR("s")};
    assert_true(catalog_put_table(catalog, &view));
    catalog_save(catalog, &first);
    load(again, buf_str(&first));
    catalog_save(again, &second);
    assert_int_equal(first.len, second.len);
    assert_memory_equal(first.ptr, second.ptr, first.len);
    assert_columns(again, "s.t", "a int, b array<struct<x:int>> | p string");
    assert_columns(again, "s.gone", "-");
    assert_columns(again, "s.w", "open");
    assert_storage(again, "s.i", STORAGE_ICEBERG);
    assert_non_null(catalog_find_macro(again, NAME("m")));
    assert_true(catalog_has_database(again, NAME("empty")));
    const struct catalog_table *loaded = catalog_find_table(again, NAME("s.v"));
    assert_int_equal(loaded->kind, TABLE_VIEW);
    assert_int_equal(loaded->view_text.len, view.view_text.len);
    buf_release(&first);
    buf_release(&second);
    catalog_free(catalog);
    catalog_free(again);
}

static void tables_of_others(void **state)
{
    (void)state;
    struct catalog *catalog = catalog_new(NULL, 0, NULL);
    load(catalog, STR("{\"tables\": [{\"database\": \"S\", \"name\": \"T\", \"columns\": [\"A\", {\"name\": \"b\", \"type\": \"INT\", \"x\": 1}],"
                      " \"partition_columns\": [\"p\"], \"owner\": {\"x\": []}}]}"));
    assert_columns(catalog, "s.t", "a , b int | p ");
    catalog_free(catalog);
}

static void mistakes_have_a_place(void **state)
{
    (void)state;
    static const struct {
        str_t json;
        size_t where;
    } cases[] = {
        {STR("[]"), 0},
        {STR("{\"tables\": 1}"), 11},
        {STR("{\"version\": 2, \"tables\": []}"), 12},
        {STR("{\"tables\": [{\"name\": \"t\"}]}"), 12},
        {STR("{\"tables\": [{\"name\": \"s.t\", \"columns\": [{}]}]}"), 40},
        {STR("{\"tables\": [{\"name\": \"s.t\", \"kind\": \"x\"}]}"), 36},
        {STR("{\"tables\": [}"), 12},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct catalog *catalog = catalog_new(NULL, 0, NULL);
        str_t message;
        size_t where;
        assert_false(catalog_load(catalog, cases[i].json, &message, &where));
        assert_true(message.len > 0);
        assert_int_equal(where, cases[i].where);
        catalog_free(catalog);
    }
}

struct listing {
    char text[256];
};

static bool list_table(void *context, const struct catalog_table *table)
{
    struct listing *listing = context;
    size_t len = strlen(listing->text);
    snprintf(listing->text + len, sizeof listing->text - len, "%.*s ", (int)table->name.len, table->name.ptr);
    return true;
}

static void listing_is_sorted_and_merged(void **state)
{
    (void)state;
    struct catalog *base = catalog_new(NULL, 0, NULL), *session = catalog_new(base, 0, NULL);
    struct listing listing = {""};
    apply(base, DIALECT_HIVE, "create table s.c (a int); create table s.a (a int); create table d.z (a int)");
    apply(session, DIALECT_HIVE, "create table s.b (a int); drop table s.c; create table s.a (b int)");
    assert_true(catalog_each_table(session, list_table, &listing));
    assert_string_equal(listing.text, "d.z s.a s.b ");
    catalog_free(session);
    catalog_free(base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_hides_its_base),
        cmocka_unit_test(names_are_folded_and_types_canonical),
        cmocka_unit_test(columns_change_and_partitions_stay_last),
        cmocka_unit_test(like_copies_columns),
        cmocka_unit_test(existing_tables),
        cmocka_unit_test(databases_go_with_their_tables),
        cmocka_unit_test(temporary_tables_hide),
        cmocka_unit_test(storage_is_known),
        cmocka_unit_test(avro_schemas_give_columns),
        cmocka_unit_test(wide_tables_are_indexed),
        cmocka_unit_test(macros_outlive_their_statement),
        cmocka_unit_test(saving_and_loading),
        cmocka_unit_test(tables_of_others),
        cmocka_unit_test(mistakes_have_a_place),
        cmocka_unit_test(listing_is_sorted_and_merged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
