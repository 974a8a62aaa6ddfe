/* Hive's grammar: what it refuses, and with which words. The ^ of a case stands at the place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/parsing.h"

#define CHECK(cases) \
    check_refused(DIALECT_HIVE, DIAG_SYNTAX, cases, sizeof(cases) / sizeof((cases)[0]))

static void queries(void **state)
{
    (void)state;
    static const struct refused cases[] = {
        {"select a ^date from t", "expected the end of the statement, found date"},
        {"select ^from t", "expected an expression, found from"},
        {"select a^, from t", "expected an expression, found from behind the comma"},
        {"select a^,, b from t", "expected an expression, found , behind the comma"},
        {"select a, b^,", "expected an expression, found the end of the statement behind the comma"},
        {"select a^, distinct b from t", "expected an expression, found distinct behind the comma"},
        {"select a, b + ^from t", "expected an expression, found from"},
        {"select a b ^c from t", "expected the end of the statement, found c"},
        {"select * from t where^", "expected an expression, found the end of the statement"},
        {"select count( ^from t", "expected an expression, found from"},
        {"select * from a join (^b join c)", "expected SELECT, found b"},
        {"select 1 limit ^a", "expected the end of the statement, found a"},
        {"select 1 limit 5 offset^", "expected a number of rows, found the end of the statement"},
        {"select * from t group by^", "expected an expression, found the end of the statement"},
        {"select * ^t from t", "expected the end of the statement, found t"},
        {"select t.* ^x from t", "expected the end of the statement, found x"},
        {"select (1^", "expected , or ), found the end of the statement"},
        {"select 1^)", "expected the end of the statement, found )"},
        {"select a from t u ^v", "expected the end of the statement, found v"},
        {"select a from t ^on b", "expected the end of the statement, found on"},
        {"select a from t join u on^", "expected an expression, found the end of the statement"},
        {"select a from t left ^u", "expected JOIN, found u"},
        {"select 1 ^/* x", "comment without an end"},
        {"select a from t where a = ^= b", "expected an expression, found ="},
        {"select a from t t^.b", "expected the end of the statement, found ."},
        {"select distinct ^from t", "expected an expression, found from"},
        {"select a from (t^", "expected a join or ), found the end of the statement"},
        {"select a from t where exists ^t", "expected ( and a query, found t"},
        {"with a as ^select 1 select 2", "expected ( and a query, found select"},
        {"with a ^select 1", "expected AS, found select"},
        {"from t^", "expected SELECT, found the end of the statement"},
        {"from t ^where a select b", "expected SELECT, found where"},
        {"select a union ^b", "expected SELECT, found b"},
        {"select a union^", "expected SELECT, found the end of the statement"},
        {"select a from t where a > any (^1,2)", "expected SELECT, found 1"},
        {"select a from t limit 1,2^,3", "expected the end of the statement, found ,"},
        {"select x y ^z", "expected the end of the statement, found z"},
        {"select 1 from^", "expected a table, found the end of the statement"},
        {"select * from t lateral view explode(a)^",
         "expected an alias of the lateral view, found the end of the statement"},
        {"select * from t lateral view explode(a) ^as b",
         "expected an alias of the lateral view, found as"},
        {"select * from t lateral ^explode(a) b", "expected VIEW, found explode"},
        {"select a from t order by^", "expected an expression, found the end of the statement"},
        {"select a from t order ^a", "expected BY, found a"},
        {"select a from t where b = 3 sort ^a", "expected BY, found a"},
        {"select a from t where b = 3 distribute ^a", "expected BY, found a"},
        {"select a from t where b = 3 cluster^", "expected BY, found the end of the statement"},
        {"select a from (select a from t order ^a) q", "expected BY, found a"},
        {"select rank() over (partition ^a) from t", "expected BY, found a"},
        {"select rank() over (order by a ^partition by b) from t", "expected ), found partition"},
        {"select a from t left outer ^u on t.a = u.a", "expected JOIN, found u"},
        {"select a from t full ^u on t.a = u.a", "expected JOIN, found u"},
        {"select a from t sort by a ^order by b", "expected the end of the statement, found order"},
    };
    CHECK(cases);
}

static void expressions(void **state)
{
    (void)state;
    static const struct refused cases[] = {
        {"select a < b ^< c", "expected the end of the statement, found <"},
        {"select a = ^not b", "expected an expression, found not"},
        {"select ^.5", "expected an expression, found ."},
        {"select ^_c0 from t", "character that belongs to no token"},
        {"select ^left(a,1)", "expected an expression, found left"},
        {"select case a ^end", "expected WHEN, found end"},
        {"select case when a then b^",
         "expected WHEN, ELSE or END, found the end of the statement"},
        {"select f(a,^)", "expected an expression, found )"},
        {"select a in (^)", "expected an expression, found )"},
        {"select a ^not b", "expected the end of the statement, found not"},
        {"select a[1 ^from t", "expected ], found from"},
        {"select cast(a as ^foo)", "expected a column type, found foo"},
        {"select cast(a^, int)", "expected AS, found ,"},
        {"select a is ^5", "expected NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM, found 5"},
        {"select interval 5^", "expected a unit of time, found the end of the statement"},
        {"select ^'abc", "string without an end"},
        {"select ^`abc", "quoted name without an end"},
        {"select sum(a) over ^from t", "expected a window's name or (, found from"},
        {"select sum(a) over (order by^)", "expected an expression, found )"},
        {"select ^@a", "character that belongs to no token"},
        {"select a^::int", "expected the end of the statement, found :"},
        {"select a-^>b", "expected an expression, found >"},
        {"select row_number() over (partition ^a)", "expected BY, found a"},
    };
    CHECK(cases);
}

static void statements(void **state)
{
    (void)state;
    static const struct refused cases[] = {
        {"insert into t ^with q as (select 1) select * from q", "expected SELECT, found with"},
        {"create table t (a int,^)", "expected a column name, found )"},
        {"update t set a = b ^|| c", "expected the end of the statement, found ||"},
        {"insert overwrite table t (a)^", "expected SELECT, found the end of the statement"},
        {"insert ^t select 1", "expected OVERWRITE or INTO, found t"},
        {"create table ^(a int)", "expected a table's name, found ("},
        {"create table t ^a int", "expected the end of the statement, found a"},
        {"create table t (a^)", "expected a column type, found )"},
        {"create view v^", "expected AS, found the end of the statement"},
        {"create view v as ^insert into t select 1", "expected SELECT, found insert"},
        {"drop ^t", "expected what to drop: TABLE, VIEW, DATABASE, FUNCTION .., found t"},
        {"alter table t^", "expected what to alter: RENAME, ADD, DROP, CHANGE, REPLACE, SET .., "
                           "found the end of the statement"},
        {"alter table t add ^column (a int)", "expected PARTITION, found column"},
        {"show^",
         "expected what to show: TABLES, COLUMNS, PARTITIONS .., found the end of the statement"},
        {"describe^", "expected a table, found the end of the statement"},
        {"use^", "expected a database, found the end of the statement"},
        {"explain^", "expected a statement, found the end of the statement"},
        {"load data inpath ^x into table t", "expected a path in quotes, found x"},
        {"create function f^", "expected AS, found the end of the statement"},
        {"grant select to^", "expected USER, GROUP or ROLE, found the end of the statement"},
        {"lock table t^", "expected EXCLUSIVE, found the end of the statement"},
        {"set role^", "expected a role, found the end of the statement"},
        {"insert into t values ^1, 2", "expected ( and a row of values, found 1"},
        {"insert into t values (^)", "expected an expression, found )"},
        {"merge into t using u^", "expected ON, found the end of the statement"},
        {"merge into t using u on a when matched then ^insert values (1)",
         "expected UPDATE, found insert"},
        {"truncate^", "expected a table, found the end of the statement"},
        {"create table t as^", "expected SELECT, found the end of the statement"},
        {"create table t (a int) as select^",
         "expected an expression, found the end of the statement"},
    };
    CHECK(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries),
        cmocka_unit_test(expressions),
        cmocka_unit_test(statements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
