/* Impala's grammar: what it refuses, and with which words. The ^ of a case stands at the place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/parsing.h"

#define CHECK(cases, code) \
    check_refused(DIALECT_IMPALA, code, cases, sizeof(cases) / sizeof((cases)[0]))

static void queries(void **state)
{
    (void)state;
    static const struct refused cases[] = {
        {"select^", "expected an expression, found the end of the statement"},
        {"select ^from a", "expected an expression, found from"},
        {"select 1 ^where true", "expected the end of the statement, found where"},
        {"select 1 ^limit 1", "expected the end of the statement, found limit"},
        {"select 1 ^order by 1", "expected the end of the statement, found order"},
        {"select a b ^c from t", "expected the end of the statement, found c"},
        {"select (^*) from t", "expected an expression, found *"},
        {"select f(t.^*) from t", "expected a column name, found *"},
        {"select * from ^where a > 1", "expected a table name, found where"},
        {"select * from t group by ^order by a", "expected an expression, found order"},
        {"select * from t having a ^group by b", "expected the end of the statement, found group"},
        {"select * from t group by a, ^rollup(b)", "expected an expression, found rollup"},
        {"select * from t group by rollup(^)", "expected an expression, found )"},
        {"select * from t order by a nulls^",
         "expected FIRST or LAST, found the end of the statement"},
        {"select * from t limit 1^, 2", "expected the end of the statement, found ,"},
        {"select 1 intersect ^all select 2", "expected a query, found all"},
        {"select 1 union ^with t as (select 1) select * from t", "expected a query, found with"},
        {"select 1 union (select 2) ^offset 1", "expected the end of the statement, found offset"},
        {"values ^1, 2", "expected (, found 1"},
        {"with t as ^select 1 select 2", "expected (, found select"},
        {"with t(^) as (select 1) select * from t", "expected a column name, found )"},
        {"with t as (select 1)^", "expected a query, found the end of the statement"},
    };
    CHECK(cases, DIAG_SYNTAX);
}

static void from(void **state)
{
    (void)state;
    static const struct refused cases[] = {
        {"select * from (select 1)^", "expected an alias, found the end of the statement"},
        {"select * from (^a join b)", "expected a query, found a"},
        {"select * from a cross join b ^on a.id = b.id",
         "expected the end of the statement, found on"},
        {"select * from a ^natural join b", "expected the end of the statement, found natural"},
        {"select * from a full ^semi join b", "expected JOIN, found semi"},
        {"select * from a join b using (f^(id))", "expected , or ), found ("},
        {"select * from a join b on a.id = b.id ^on x",
         "expected the end of the statement, found on"},
        {"select * from a for system_version as of ^-1", "expected a number, found -"},
        {"select * from a for ^update", "expected SYSTEM_TIME or SYSTEM_VERSION, found update"},
        {"select * from a tablesample ^(10)", "expected SYSTEM, found ("},
        {"select * from a join ^unnest(a.b)", "expected a table name, found unnest"},
        {"select * from a ^lateral view f(x) t",
         "expected the end of the statement, found lateral"},
        {"select * from a b^(c)", "expected the end of the statement, found ("},
    };
    CHECK(cases, DIAG_SYNTAX);
}

static void expressions(void **state)
{
    (void)state;
    static const struct refused cases[] = {
        {"select interval 1 day^", "expected + after the interval, found the end of the statement"},
        {"select date_add(a, interval 1 day^, b)", "expected ), found ,"},
        {"select f(distinct a, interval 1 day^)", "expected + after the interval, found )"},
        {"select a ^[0] from t", "expected the end of the statement, found ["},
        {"select a in (b^", "expected , or ), found the end of the statement"},
        {"select (a^, b) in (1, 2)", "expected ), found ,"},
        {"select a between 1^", "expected AND of BETWEEN, found the end of the statement"},
        {"select a is not ^empty",
         "expected NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM, found empty"},
        {"select case a ^end", "expected WHEN, found end"},
        {"select cast(a as ^text)", "expected a column type, found text"},
        {"select cast(a as char^)", "expected ( and a length, found )"},
        {"select ^timestamp '2024-01-01'", "expected an expression, found timestamp"},
        {"select ^date(a)", "expected an expression, found date"},
        {"select a mod ^b from t", "expected the end of the statement, found b"},
        {"select a.^date from t", "expected a field name, found date"},
        {"select sum(a) over ^w from t", "expected (, found w"},
        {"select sum(a) over (rows current^) from t", "expected ROW, found )"},
        {"select last_value(a) ^ignore nulls over (order by b) from t",
         "expected the end of the statement, found ignore"},
        {"select decode(a, 1, 2) ^over ()", "expected the end of the statement, found over"},
        {"select a ^:: int", "expected the end of the statement, found :"},
        {"select ^? from t", "character that belongs to no token"},
    };
    CHECK(cases, DIAG_SYNTAX);
}

static void hints(void **state)
{
    (void)state;
    static const struct refused cases[] = {
        {"^/* +straight_join */ select 1", "expected a statement, found /* +straight_join */"},
        {"select /* +straight_join */ ^distinct a from t",
         "expected an expression, found distinct"},
        {"select ^/* +h() */ a from t",
         "expected a list of hints with an end, found something else"},
        {"select ^/* +h(1, 2) */ a from t",
         "expected a list of hints with an end, found something else"},
        {"select ^/* +a b */ a from t",
         "expected a list of hints with an end, found something else"},
        {"select [a ^b] c from t", "expected ], found b"},
        {"select * from t where (a) ^/* +selectivity(1) */",
         "expected a list of hints with an end, found something else"},
        {"select * from t where a ^/* +selectivity(0.1) */",
         "expected the end of the statement, found /* +selectivity(0.1) */"},
        {"select a from t ^-- +shuffle",
         "expected a list of hints with an end, found something else"},
        {"update t set a = 1 ^/* +shuffle */",
         "expected the end of the statement, found /* +shuffle */"},
    };
    CHECK(cases, DIAG_SYNTAX);
}

static void rows(void **state)
{
    (void)state;
    static const struct refused cases[] = {
        {"insert ^table a select 1", "expected INTO, found table"},
        {"insert into a^", "expected a query, found the end of the statement"},
        {"insert into a (b ^c) select 1", "expected , or ), found c"},
        {"insert into ^a.b.c select 1", "expected a name of at most two parts, found more"},
        {"insert into a partition ^ds select 1", "expected (, found ds"},
        {"insert /* +shuffle */ into a ^/* +shuffle */ select 1",
         "expected a query, found /* +shuffle */"},
        {"upsert ^a select 1", "expected INTO, found a"},
        {"upsert into a ^partition (b) select 1", "expected a query, found partition"},
        {"update a^", "expected SET, found the end of the statement"},
        {"update a set b ^< 1", "expected =, found <"},
        {"delete a ^join b on a.id = b.id", "expected the end of the statement, found join"},
        {"merge into a using b on a.id = b.id^", "expected WHEN, found the end of the statement"},
        {"merge into a using b on true when not matched then ^delete",
         "expected INSERT, found delete"},
        {"merge into a using b on true when not matched by source then ^insert *",
         "expected UPDATE or DELETE, found insert"},
        {"load data ^local inpath '/w' into table a", "expected INPATH, found local"},
        {"load data inpath '/w' into ^a", "expected TABLE, found a"},
        {"truncate ^view a", "expected a table name, found view"},
        {"optimize ^a", "expected TABLE, found a"},
        {"optimize table a (file_size_threshold_mb = ^-1)", "expected an integer, found -"},
        {"with a as (select 1) ^update b set c = 1", "expected a query, found update"},
    };
    CHECK(cases, DIAG_SYNTAX);
}

static void definitions(void **state)
{
    (void)state;
    static const struct refused cases[] = {
        {"create table a (^)", "expected a column name, found )"},
        {"create table a (b^)", "expected a column type, found )"},
        {"create table a (b int) ^as select 1", "expected the end of the statement, found as"},
        {"create table a partitioned by (b int) ^as select 1",
         "expected the end of the statement, found as"},
        {"create table a partitioned by (b)^", "expected AS, found the end of the statement"},
        {"create table a (b int) stored as ^excel", "expected a file format, found excel"},
        {"create table a (b int) location '/w' ^comment 'c'",
         "expected the end of the statement, found comment"},
        {"create table a (^primary key (b))", "expected a column name, found primary"},
        {"create table a (b int, primary key (b), ^primary key (b))",
         "expected FOREIGN, found primary"},
        {"create table a (b int primary key block_size 1 ^+ 1)", "expected , or ), found +"},
        {"create table a (b int) partition by ^(b)", "expected HASH or RANGE, found ("},
        {"create table a (b int) partition by range (b) (partition values ^= 1)",
         "expected < or <=, found ="},
        {"create external table a (b int) ^produced by data source s",
         "expected the end of the statement, found produced"},
        {"create table a sort by (b) like ^parquet '/w'", "expected a table name, found parquet"},
        {"create table a like b ^as select 1", "expected the end of the statement, found as"},
        {"create ^or replace view a as select 1",
         "expected TABLE, VIEW, DATABASE, FUNCTION, DATA SOURCE or ROLE, found or"},
        {"create view a (b ^int) as select 1", "expected , or ), found int"},
        {"create view a as ^insert into b select 1", "expected a query, found insert"},
        {"create ^temporary table a (b int)",
         "expected TABLE, VIEW, DATABASE, FUNCTION, DATA SOURCE or ROLE, found temporary"},
        {"create database a^.b", "expected the end of the statement, found ."},
        {"create function f(int) ^location '/f' symbol = 'S'", "expected RETURNS, found location"},
        {"create aggregate function f ^location '/f'", "expected (, found location"},
        {"drop ^if exists table a",
         "expected TABLE, VIEW, DATABASE, FUNCTION, DATA SOURCE, STATS or ROLE, found if"},
        {"drop database a cascade ^restrict", "expected the end of the statement, found restrict"},
        {"drop view a ^purge", "expected the end of the statement, found purge"},
    };
    CHECK(cases, DIAG_SYNTAX);
}

static void changes(void **state)
{
    (void)state;
    static const struct refused cases[] = {
        {"alter table a^", "expected what to alter, found the end of the statement"},
        {"alter table a ^as select 1", "expected what to alter, found as"},
        {"alter table ^a.b.c rename to d", "expected a name of at most two parts, found more"},
        {"alter table a add ^(b int)", "expected COLUMN, COLUMNS, PARTITION or RANGE, found ("},
        {"alter table a add partition (b^)", "expected =, found )"},
        {"alter table a drop if exists ^column b", "expected PARTITION or RANGE, found column"},
        {"alter table a partition (b = 1) ^rename to c", "expected SET or UNSET, found rename"},
        {"alter table a partition (b = 1) set ^owner user u", "expected what to set, found owner"},
        {"alter table a set tblproperties (^)", "expected a property name in quotes, found )"},
        {"alter table a set tblproperties ('k'^)", "expected =, found )"},
        {"alter table a set tblproperties ('k' = ^v)",
         "expected a property value in quotes, found v"},
        {"alter table a set owner ^clerk", "expected USER or ROLE, found clerk"},
        {"alter table a alter b set ^",
         "expected an option of a column, found the end of the statement"},
        {"alter table a execute ^1", "expected a call, found another expression"},
        {"alter view a set ^location '/w'", "expected TBLPROPERTIES or OWNER, found location"},
        {"alter database a set ^location '/w'", "expected DBPROPERTIES or OWNER, found location"},
        {"comment on ^a is 'x'", "expected DATABASE, TABLE, VIEW or COLUMN, found a"},
        {"comment on column a ^is 'x'", "expected a column name with its table, found is"},
        {"comment on table a is ^x", "expected a comment in quotes or NULL, found x"},
    };
    CHECK(cases, DIAG_SYNTAX);
}

static void administration(void **state)
{
    (void)state;
    static const struct refused cases[] = {
        {"^bring me a cup", "expected a statement, found bring"},
        {"use^", "expected a database, found the end of the statement"},
        {"use a ^b", "expected the end of the statement, found b"},
        {"set a^", "expected =, found the end of the statement"},
        {"set a = ^", "expected a value, found the end of the statement"},
        {"set a = b ^c", "expected the end of the statement, found c"},
        {"unset ^a", "expected ALL, found a"},
        {"show ^shops", "expected what to show, found shops"},
        {"show tables ^from a", "expected the end of the statement, found from"},
        {"show create ^analytic function f", "expected FUNCTION, found analytic"},
        {"show grant role r on server ^s", "expected the end of the statement, found s"},
        {"show current ^group", "expected ROLES or GROUPS, found group"},
        {"describe^", "expected a table name, found the end of the statement"},
        {"compute ^a", "expected STATS, found a"},
        {"compute incremental stats a ^tablesample system(1)",
         "expected the end of the statement, found tablesample"},
        {"drop stats a ^partition (b = 1)", "expected the end of the statement, found partition"},
        {"drop incremental stats a^", "expected PARTITION, found the end of the statement"},
        {"invalidate^", "expected METADATA, found the end of the statement"},
        {"refresh a partition (b^)", "expected =, found )"},
        {"explain ^explain select 1", "expected a statement that has a plan, found explain"},
        {"explain ^create table a (b int)", "expected a statement that has a plan, found create"},
        {"grant role r to ^g", "expected GROUP or USER, found g"},
        {"grant ^eat on table a to r", "expected a right, found eat"},
        {"grant select (b) on ^server to r", "expected TABLE, found server"},
        {"revoke select on table a ^to r", "expected FROM, found to"},
        {"kill query ^1", "expected the id of a query in quotes, found 1"},
        {":^1()", "expected a function, found 1"},
        {":shutdown^", "expected (, found the end of the statement"},
        {"copy testcase to '/t' ^insert into a select 1", "expected a query, found insert"},
        {"^analyze table a compute statistics", "expected a statement, found analyze"},
    };
    CHECK(cases, DIAG_SYNTAX);
}

static void values(void **state)
{
    (void)state;
    static const struct refused cases[] = {
        {"select date ^'2023-02-29'", "the date does not exist"},
        {"select * from ^unnest(a, b) as (c)",
         "UNNEST has another number of aliases than of collections"},
        {"select * from t, unnest(t.a), ^unnest(t.b)",
         "UNNEST may stand only once in FROM; it takes several collections"},
        {"create table a (b int encoding x ^encoding y)", "the option stands twice"},
        {"create function f(int) returns int location '/f' symbol = 'a' ^symbol = 'b'",
         "the option stands twice"},
    };
    CHECK(cases, DIAG_VALUE);
}

static void unreadable_text(void **state)
{
    (void)state;
    static const struct refused cases[] = {
        {"select ^'a", "string without an end"},
        {"select ^\"a", "string without an end"},
        {"select * from ^`a", "quoted name without an end"},
        {"select * from ^``", "quoted name without a letter"},
        {"select 1 ^/* a", "comment without an end"},
        {"select a ^# b", "character that belongs to no token"},
    };
    CHECK(cases, DIAG_SYNTAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries),     cmocka_unit_test(from),
        cmocka_unit_test(expressions), cmocka_unit_test(hints),
        cmocka_unit_test(rows),        cmocka_unit_test(definitions),
        cmocka_unit_test(changes),     cmocka_unit_test(administration),
        cmocka_unit_test(values),      cmocka_unit_test(unreadable_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
