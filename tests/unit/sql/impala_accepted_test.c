/*
 * Impala's grammar: what it takes, each with the kind of statement it becomes. Sentences by topic,
 * about a bicycle shop.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/parsing.h"

#define CHECK(kind, ...)                                                     \
    check_accepted(DIALECT_IMPALA, kind, (const char *const[]){__VA_ARGS__}, \
                   sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void queries(void **state)
{
    (void)state;
    CHECK("SELECT", "select 1", "select all price from parts",
          "select distinct price, name n from parts",
          "select p.*, price * 2 as 'double' from parts p", "select 'wheel' \"label\" from parts",
          "select name from parts where price > 2 group by name having count(*) > 1 order by name "
          "desc nulls last limit 5 offset 2",
          "select name from parts order by 1 limit 2 + 3", "select name from parts offset 2",
          "select brand, sum(price) from parts group by brand with rollup",
          "select brand from parts group by cube(brand, kind)",
          "select brand from parts group by rollup(brand)",
          "select brand from parts group by grouping sets((brand, kind), (brand), kind, ())",
          "select brand from parts group by grouping sets((price + 1) * 2, (brand))",
          "values (1, 'bell')", "values (1 id, 'bell' name), (2, 'lamp') order by id limit 1",
          "values((1, 'bell'), (2, 'lamp'))", "values((1 id), (2))", "values((1), 2)", "(select 1)",
          "((select id from parts)) limit 1", "(select id from parts) order by id limit 2");
}

static void set_operations(void **state)
{
    (void)state;
    CHECK(
        "SELECT", "select 1 union select 2", "select 1 union all values(2) union distinct select 3",
        "select id from parts except select id from sold minus distinct select id from lost",
        "select id from parts intersect (select id from sold order by id limit 1) order by 1 limit "
        "2 offset 1",
        "(select 1) union all ((select 2) union (select 3))", "select 1 union select 2 order by 1",
        "select id from parts order by id limit 3 union all select id from sold");
}

static void common_tables(void **state)
{
    (void)state;
    CHECK("SELECT", "with p as (select 1) select * from p",
          "with p(id, name) as (select 1, 'bell'), 'q' as (select * from p) select * from q",
          "with p as (with q as (select 1 id) select * from q) (with r as (select * from p) select "
          "* from r)",
          "with p as (values(1)) select 1 union all select * from p order by 1");
    CHECK(
        "INSERT", "with p as (select 1) insert into parts select * from p",
        "with p as (select 1) insert overwrite parts with q as (select * from p) select * from q");
    CHECK("UPSERT", "with p as (select 1) upsert into stock select * from p");
}

static void tables_in_from(void **state)
{
    (void)state;
    CHECK("SELECT", "select * from shop.parts p", "select * from parts as 'p'",
          "select * from p.tags, p.sizes.item s", "select * from (select * from parts) p",
          "select * from (values(1, 'a'), (2, 'b')) as p",
          "select * from parts for system_time as of now() - interval 1 day p",
          "select * from parts for system_version as of 12345 as p",
          "select * from parts p tablesample system(10) repeatable(42)",
          "select * from parts tablesample system(5)", "select * from unnest(parts.tags)",
          "select * from parts p, unnest(p.tags, p.sizes) as (tag, size)",
          "select * from sales pivot (sum(amount) total for quarter in ('q1' as opening, 'q2')) s",
          "select * from sales unpivot (amount for quarter in (q1, q2 as 'second')) s",
          "select * from shop.parts.history", "select * from 2020_sales, shop.1st_half");
}

static void joins(void **state)
{
    (void)state;
    CHECK("SELECT", "select * from a, b, c", "select * from a join b on a.id = b.id",
          "select * from a inner join b using (id, name)", "select * from a cross join b",
          "select * from a left join b on a.id = b.id right outer join c on b.id = c.id",
          "select * from a full outer join b using (id)",
          "select * from a left semi join b on a.id = b.id",
          "select * from a right semi join b using (id)",
          "select * from a left anti join b on a.id = b.id",
          "select * from a right anti join b on a.id = b.id", "select * from a join b",
          "select * from a, b join c on a.id = c.id, d",
          "select * from a join (select * from b) b on a.id = b.id");
}

static void hints(void **state)
{
    (void)state;
    CHECK("SELECT", "select straight_join * from a", "select /* +straight_join */ * from a",
          "select distinct -- +straight_join\n * from a", "select [straight_join] * from a",
          "select * from a join [shuffle] b on a.id = b.id",
          "select * from a join /* +broadcast */ b using (id)",
          "select * from a /*+schedule_remote,schedule_random_replica*/, b",
          "select * from a /* +table_num_rows(1000) */ join b [convert_limit_to_sample(5)] on a.id "
          "= b.id",
          "select * from a where /* +always_true */ id > 1",
          "select * from a where (id > 1) /* +selectivity(0.5) */ and name = 'x'",
          "select /* + */ * from a", "select /* +quite_unknown(a, b) */ * from a");
    CHECK("INSERT", "insert /* +shuffle */ into a select * from b",
          "insert into a partition (ds) [noshuffle] select * from b",
          "insert into a /* +clustered,shuffle */ select * from b");
    CHECK("CREATE TABLE", "create /* +noclustered */ table a as select * from b");
}

static void predicates(void **state)
{
    (void)state;
    CHECK("SELECT", "select a between 1 and 2 and b from t",
          "select a not in (1, 2), b in (select id from u) from t",
          "select a is null or b is not true or c is not unknown from t",
          "select a is not distinct from b, c <=> d from t",
          "select a like 'x%' and not b rlike 'y' && c not ilike 'z' || d iregexp 'w' from t",
          "select exists (select 1 from u) from t",
          "select not exists (select * from u where u.id = t.id) from t",
          "select !a, a != b, a ! = b, a < > b from t", "select a = b = c from t",
          "select 5! + 2 from t");
}

static void expressions(void **state)
{
    (void)state;
    CHECK("SELECT", "select 1 + 2 * 3 div 4 % 5 - -6", "select a & b | c ^ ~d from t",
          "select case when a then b else c end from t",
          "select case a when 1 then 'x' when 2 then 'y' end from t",
          "select cast(a as decimal(10, 2)), cast('1' as char(3)) from t",
          "select cast(ts as string format 'YYYY-MM-DD') from t",
          "select count(*), count(distinct a, b), sum(all c), count(all *) from t",
          "select if(a, b, c), left(a, 2), right(a, 2), replace(a, 'x', 'y'), truncate(1.5) from t",
          "select extract(year from ts), trim(both 'x' from a), trim(leading from a) from t",
          "select udfs.twice(a) from t",
          "select a + interval 1 day, interval 2 hours + a, a - interval b minutes from t",
          "select date_add(a, interval 3 weeks), date '2024-2-29' from t",
          "select last_value(a ignore nulls) over (order by b) from t",
          "select sum(a) over (partition by b, c order by d desc rows between 1 preceding and "
          "current row) from t",
          "select count(*) over (), rank() over (order by a range between unbounded preceding and "
          "2 following) from t",
          "select grouping(a), grouping_id(a, b) from t group by cube(a, b)",
          "select (select max(a) from t)", "select a.b.c.d from t",
          "select default, query, kill from t", "select `select`, `a b`, ` trimmed ` from `from`",
          "select unnest(tags) from t");
}

static void rows(void **state)
{
    (void)state;
    CHECK("INSERT", "insert into a select * from b",
          "insert into table shop.a (id, name) select 1, 'x'",
          "insert overwrite a partition (ds = '2024-01-01', hr) select * from b",
          "insert into a values (1, 'x'), (2, 'y')", "insert into a()",
          "insert into a (id) partition (ds = concat('2024', '-01')) select 1",
          "insert into a (select 1)", "insert into a ((select 1) union (select 2))");
    CHECK("UPSERT", "upsert into stock select * from delivered",
          "upsert into table shop.stock (id, n) values (1, 2)");
    CHECK("UPDATE", "update stock set n = 0",
          "update stock set n = n - 1, shop.stock.counted = now() where id in (1, 2)",
          "update s set s.n = d.n from shop.stock s join delivered d on s.id = d.id where d.n > 0");
    CHECK("DELETE", "delete from stock", "delete stock where n = 0",
          "delete s from stock s, sold d where s.id = d.id");
    CHECK("MERGE",
          "merge into stock s using delivered d on s.id = d.id when matched then update set n = "
          "s.n + d.n",
          "merge into stock using (select * from delivered) d on stock.id = d.id when matched and "
          "d.n = 0, d.id > 1 then delete "
          "when not matched by target then insert (id, n) values (d.id, d.n) when not matched by "
          "source then update set n = 0",
          "merge into stock s using delivered d on s.id = d.id when matched then update set * when "
          "not matched then insert *");
    CHECK("LOAD", "load data inpath '/in/parts' into table parts",
          "load data inpath '/in' overwrite into table parts partition (ds = '1')");
    CHECK("TRUNCATE", "truncate parts", "truncate table if exists shop.parts");
    CHECK("OPTIMIZE", "optimize table parts",
          "optimize table shop.parts (file_size_threshold_mb = 64)");
}

static void tables(void **state)
{
    (void)state;
    CHECK("CREATE TABLE",
          "create table parts (id int, name string comment 'shown', price decimal(10, 2))",
          "create external table if not exists shop.parts (id bigint) partitioned by (ds string, "
          "hr tinyint comment 'hour') "
          "sort by zorder (id, ds) comment 'all' row format delimited fields terminated by ',' "
          "escaped by '\\\\' lines terminated by '\\n' "
          "with serdeproperties ('a' = 'b') stored as textfile location '/w' cached in 'pool' with "
          "replication = 3 "
          "tblproperties ('k' = 'v', 'l' = 'w')",
          "create table a (id int) clustered by (id) sort by (id) into 8 buckets",
          "create table a (id int) stored by iceberg",
          "create table a (id int, tags array<struct<k: string comment 'key', v: map<int, "
          "double>>>) stored as orc uncached",
          "create table a (id int, primary key (id) not enforced disable novalidate rely, foreign "
          "key (id) references b (id) enable)",
          "create table a stored as avro tblproperties ('avro.schema.url' = '/s')",
          "create table a partitioned by (ds string) stored as avro",
          "create table a like shop.b comment 'copy' stored as parquet location '/w'",
          "create table a sort by (id) like b",
          "create table a like parquet '/w/f.parq' partitioned by (ds int) stored as parquet",
          "create table a (id int) produced by data source feeds ('init') comment 'x'");
    CHECK(
        "CREATE TABLE", "create table a as select * from b",
        "create table a partitioned by (ds, hr) sort by (id) stored as parquet as select * from b",
        "create table a partitioned by spec (day(ts), bucket(4, id), truncate(3, name), void(x), "
        "kind) stored as iceberg as select * from b",
        "create table a primary key (id) partition by hash (id) partitions 4 stored as kudu as "
        "select * from b");
}

static void kudu_tables(void **state)
{
    (void)state;
    CHECK("CREATE TABLE",
          "create table k (id int not null encoding plain_encoding compression lz4 block_size "
          "4096, n int null default 1 + 1 comment 'n', "
          "primary key (id)) stored as kudu",
          "create table k (id int primary key, n int) partition by hash (id) partitions 2, hash "
          "partitions 3, range (id) "
          "(partition values < 10, partition 10 <= values < 20 partition value = 30, partition 40 "
          "< values) stored as kudu",
          "create table k (a int, b int, non unique primary key (a, b)) partition by range (a, b) "
          "(partition value = (1, 2), partition (1, 3) <= values < (2, 0) hash (a) partitions 2) "
          "stored as kudu");
    CHECK("ALTER TABLE", "alter table k add if not exists range partition 10 <= values < 20",
          "alter table k drop if exists range partition value = 5",
          "alter table k add range partition values < 5 hash (id) partitions 3");
}

static void changes_of_tables(void **state)
{
    (void)state;
    CHECK("ALTER TABLE", "alter table a add columns (n int, m string comment 'm')",
          "alter table a add if not exists columns (n int)",
          "alter table a add column if not exists n int", "alter table a replace columns (n int)",
          "alter table a drop column n", "alter table a drop n",
          "alter table a change n m bigint comment 'm'", "alter table a change column n n int",
          "alter table a alter column n set default 3", "alter table a alter n drop default",
          "alter table a alter n set block_size 4 compression snappy");
    CHECK("ALTER TABLE",
          "alter table a add partition (ds = '1', hr = 2) location '/w' cached in 'p' partition "
          "(ds = '2', hr = 3)",
          "alter table a add if not exists partition (ds = '1') set fileformat orc",
          "alter table a drop if exists partition (ds < '3', hr = 1) purge",
          "alter table a recover partitions",
          "alter table a partition (ds = '1') set location '/w'",
          "alter table a partition (ds > '1') set fileformat orc",
          "alter table a partition (ds = '1') set cached in 'p'",
          "alter table a set partition spec (hour(ts))");
    CHECK("ALTER TABLE", "alter table a rename to shop.b",
          "alter table a set tblproperties ('k' = 'v')",
          "alter table a set serdeproperties ('k' = 'v')",
          "alter table a unset tblproperties if exists ('k', 'l')",
          "alter table a unset serdeproperties ('k')", "alter table a sort by lexical (id)",
          "alter table a sort by ()",
          "alter table a set row format delimited fields terminated by ','",
          "alter table a set owner user clerk",
          "alter table a set column stats n ('numNulls' = '2')", "alter table a set uncached",
          "alter table a convert to iceberg tblproperties ('k' = 'v')",
          "alter table a execute rollback(now() - interval 1 day)",
          "alter table a execute expire_snapshots('2024-01-01')");
}

static void views_and_databases(void **state)
{
    (void)state;
    CHECK("CREATE VIEW", "create view v as select * from a",
          "create view if not exists shop.v (id comment 'i', n) comment 'all' tblproperties ('k' = "
          "'v') as select 1, 2",
          "alter view v as select 1",
          "alter view v (id comment 'i') as with a as (select 1) select * from a");
    CHECK("ALTER VIEW", "alter view v rename to w", "alter view v set tblproperties ('k' = 'v')",
          "alter view v unset tblproperties ('k')", "alter view v set owner role clerks");
    CHECK("CREATE DATABASE", "create database shop",
          "create schema if not exists shop comment 'all' with dbproperties ('k' = 'v') location "
          "'/w' managedlocation '/m'");
    CHECK("DROP DATABASE", "drop database shop", "drop schema if exists shop cascade",
          "drop database shop restrict");
    CHECK("DROP TABLE", "drop table a", "drop table if exists shop.a purge");
    CHECK("DROP VIEW", "drop view if exists v");
    CHECK("ALTER", "alter database shop set owner user clerk",
          "alter database shop set dbproperties ('k' = 'v')", "comment on table a is 'all'",
          "comment on database shop is null", "comment on view v is 'x'",
          "comment on column shop.a.n is 'x'", "comment on column a.n is null");
}

static void functions(void **state)
{
    (void)state;
    CHECK("CREATE FUNCTION",
          "create function twice(int) returns int location '/f.so' symbol = 'Twice'",
          "create function if not exists udfs.anything location '/f.jar' symbol = 'org.shop.Any'",
          "create function f(string, int...) returns string location '/f.so' symbol = 'F' "
          "prepare_fn = 'P' close_fn = 'C' comment = 'f'",
          "create aggregate function g(int) returns double intermediate string location '/f.so' "
          "init_fn = 'I' update_fn = 'U' merge_fn = 'M' "
          "serialize_fn = 'S' finalize_fn = 'Z'");
    CHECK("DROP FUNCTION", "drop function twice(int)",
          "drop aggregate function if exists udfs.g(string...)", "drop function anything");
    CHECK("CREATE",
          "create data source if not exists feeds location '/f.jar' class 'org.shop.Feeds' "
          "api_version 'v1'",
          "create role clerks");
    CHECK("DROP", "drop data source if exists feeds", "drop role clerks", "drop stats a",
          "drop incremental stats a partition (ds = '1')");
}

static void administration(void **state)
{
    (void)state;
    CHECK("USE", "use shop");
    CHECK("SET", "set", "set all", "set mem_limit = 10g", "set batch_size=-1", "set x = 'y z'",
          "set explain_level=extended", "unset all");
    CHECK("ANALYZE", "compute stats a", "compute stats shop.a (id, n) tablesample system(10)",
          "compute incremental stats a partition (ds > '1') (id)", "compute incremental stats a",
          "compute stats a ()");
    CHECK("REFRESH", "invalidate metadata", "invalidate metadata shop.a", "refresh a",
          "refresh a partition (ds = '1', hr = 2) partition (ds = '2', hr = 1)",
          "refresh functions shop", "refresh authorization");
    CHECK("ADMIN", "kill query '1:2'", "copy testcase to '/t' select * from a",
          "copy testcase from '/t/x'", ": shutdown('host', 3)", ":shutdown()");
    CHECK("EXPLAIN", "explain select 1", "explain insert into a select * from b",
          "explain create table a as select 1", "explain upsert into a values(1)",
          "explain update a set n = 1", "explain delete from a",
          "explain with a as (select 1) select * from a",
          "explain merge into a using b on a.id = b.id when matched then delete",
          "explain optimize table a");
}

static void questions(void **state)
{
    (void)state;
    CHECK("SHOW", "show databases", "show schemas like 's*'", "show tables",
          "show tables in shop 'a*'", "show views in shop like 'v'", "show functions",
          "show aggregate functions in shop", "show analytic functions like '*rank*'",
          "show metadata tables in shop.a like '*'", "show create table a",
          "show create view v with stats", "show create function f",
          "show create aggregate function udfs.g", "show table stats a", "show column stats shop.a",
          "show partitions a where ds > '1'", "show range partitions k", "show hash schema k",
          "show files in a partition (ds = '1')", "show files in a for system_version as of 3",
          "show data sources", "show roles", "show current roles", "show current groups",
          "show role grant group g", "show grant role r", "show grant user u on database shop",
          "show grant role r on column shop.a.n", "show grant group g on uri '/w'",
          "show grant role r on server");
    CHECK("DESCRIBE", "describe a", "describe formatted shop.a.tags.item", "describe extended a",
          "describe database extended shop", "describe history a", "describe history a from now()",
          "describe history a between '2024-01-01' and '2024-02-01'", "desc a", "describe history");
}

static void rights(void **state)
{
    (void)state;
    CHECK("GRANT", "grant role r to group g", "grant role r to user u with admin option",
          "grant select on table a to role r with grant option", "grant all on server to r",
          "grant insert on database shop to user u", "grant select (id, n) on table a to role r",
          "grant all on uri '/w' to role r",
          "grant rwstorage on storagehandler_uri 'kudu://x' to role r",
          "grant select on user_defined_fn udfs.f to r", "revoke role r from group g",
          "revoke select on table a from role r", "revoke grant option for all on server s from r",
          "revoke admin option for role r from user u");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries),
        cmocka_unit_test(set_operations),
        cmocka_unit_test(common_tables),
        cmocka_unit_test(tables_in_from),
        cmocka_unit_test(joins),
        cmocka_unit_test(hints),
        cmocka_unit_test(predicates),
        cmocka_unit_test(expressions),
        cmocka_unit_test(rows),
        cmocka_unit_test(tables),
        cmocka_unit_test(kudu_tables),
        cmocka_unit_test(changes_of_tables),
        cmocka_unit_test(views_and_databases),
        cmocka_unit_test(functions),
        cmocka_unit_test(administration),
        cmocka_unit_test(questions),
        cmocka_unit_test(rights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
