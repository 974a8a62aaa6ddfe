/* Hive's grammar: what it takes, each with the kind of statement it becomes, by topic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/parsing.h"

#define CHECK(kind, ...)                                                   \
    check_accepted(DIALECT_HIVE, kind, (const char *const[]){__VA_ARGS__}, \
                   sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void queries(void **state)
{
    (void)state;
    CHECK(
        "SELECT", "SELECT a limit FROM t", "SELECT a FROM t limit LIMIT 5",
        "SELECT 1.5F, 10L, 5F, 10l, 1e3, 1., 12BD FROM 2020_t", "SELECT `a``b` FROM `x`",
        "select /*+ MAPJOIN(a) */ * from a",
        "select a from t union select b from u intersect select c from v order by 1 limit 3",
        "(select a from t limit 1) union all (select b from u order by b)",
        "((select 1) union all (select 2)) limit 1",
        "select * from (select a from t) x join (select b from u) y using (a)",
        "from t select a where b group by c having d order by e limit 1",
        "FROM t SELECT a UNION ALL FROM u SELECT b", "SELECT a FROM t UNION ALL FROM u SELECT b",
        "SELECT TRANSFORM (a, b) USING 'x' AS (p int, q string comment 'z') FROM t",
        "SELECT TRANSFORM (a, b) ROW FORMAT SERDE 'x' USING 'cat' AS p, q ROW FORMAT DELIMITED "
        "FIELDS TERMINATED BY ',' RECORDREADER 'y' FROM t WHERE a",
        "FROM (FROM src MAP a, b USING 'cat' AS k, v CLUSTER BY k) m REDUCE m.k USING 'x' AS z",
        "select first_value(a ignore nulls) over w, last_value(b) respect nulls over (order by c "
        "rows 2 preceding) from t window w as (partition by a order by b range between unbounded "
        "preceding and current row), w2 as w",
        "select percentile_cont(0.5) within group (order by a desc nulls last) from t",
        "select a from t qualify row_number() over (partition by a order by b) = 1",
        "select * from t for system_time as of '2020-01-01' x",
        "select * from t for system_version as of 123", "select * from db.t.snapshots",
        "select * from table(values (1,2),(3,4)) as v(a,b)", "select * from (values (1,2)) v(a,b)",
        "select * from t, lateral table(values (a,b)) as x(c,d)",
        "select * from t lateral view outer explode(m) t as k, v lateral view explode(n) u",
        "select * from a join b on a.x=b.x lateral view explode(b.y) z as w",
        "select * from a, b, c join d",
        "select * from a left semi join b on a.x=b.x left anti join c on a.x=c.x",
        "select * from a natural join b",
        "select * from noop(on (select * from t) q partition by a order by b) z",
        "select * from matchpath(on flights distribute by f sort by y arg1('LATE.LATE+'), "
        "arg2('LATE'), arg3(a > 15), arg4('x as y'))",
        "select * from t tablesample (bucket 1 out of 4 on rand()) s, u tablesample (10 percent), "
        "v tablesample (100 rows), w tablesample (10M)",
        "from uniquejoin preserve a (a.x), b bb (bb.x, 1) select a.x", "select * from t('k'='v') x",
        "select a, count(distinct b, c) from t group by rollup(a, b)",
        "select a from t group by cube (a)", "select a from t group by a, b with rollup",
        "select a from t group by a, b grouping sets ((a, b), a, ())",
        "select count(*) from t group by ()",
        "select date, timestamp, user, t.date from t order by date",
        "select a.b.c[0]['x'].d, f(x)[1].y, `a b`.`c` from t",
        "select cast(x as array<int>), cast(x as timestamp format 'yyyy'), floor(x to day), "
        "floor(x), trim(both 'x' from y), trim(x), trim(leading from y), extract(week from d), "
        "extract(days from d)",
        "select current_date, current_timestamp(), date '2020-01-01', timestamp '2020-01-01 "
        "00:00:00', timestamplocaltz 'x', date(x), timestamp(y), int(z), if(a,b,c), array(1), "
        "map(1,2), struct(1), named_struct('a',1), grouping(a)",
        "select a is distinct from b, a is not distinct from b, a is not true, a is unknown, a "
        "like any ('x','y'), a not like all ('x'), a = any (select 1), a <> some (select 1), not "
        "exists (select 1), a not in (1), a not between 1 and 2",
        "select interval '1' day, interval 1 day, interval '1-2' year to month, (1) day, '2' days, "
        "d + 1 day, interval (a+b) month, interval '1 2:3:4' day to second",
        "select _utf8 0xE982B5, 'a' 'b', 'a''b', \"x\" \"y\"", "select `(ds|hr)?+.+` from t",
        "select default.t.c, default from default", "select 1 where 1=1",
        "select 1 group by 1 having 2", "values (1, 2), (3, 4)", "values (1 as a, 2 b)",
        "select * from (values (1 a, 2 b), (3, 4)) t");
}

static void data(void **state)
{
    (void)state;
    CHECK("INSERT",
          "with a as (select 1), b(x) as (select * from a) insert overwrite table t partition(ds) "
          "select * from b",
          "with q as (select 1) from q insert into t select * insert into u select x",
          "insert into table t partition (a=1, b) (c2, c1) select 1",
          "insert into t(a,b) values (1, default), (2, 'x')",
          "insert overwrite local directory '/x' row format delimited fields terminated by ',' "
          "stored as textfile select 1",
          "insert overwrite directory '/x' select 1", "insert into db.t.branch_x select 1",
          "INSERT OVERWRITE t SELECT 1");
    CHECK("UPDATE", "update t set a = b + 1, c = default where d");
    CHECK("DELETE", "delete from t where a in (select 1)");
    CHECK("MERGE",
          "merge into t as x using (select 1) s on x.a = s.a when matched and s.b > 1 then update "
          "set a = s.a, b = default when matched then delete when not matched then insert (a, b) "
          "values (s.a, default)",
          "merge /*+ semi(x) */ into t using u on t.a=u.a when not matched then insert values (1)");
    CHECK("LOAD", "load data local inpath '/x' overwrite into table t partition (ds='1') "
                  "inputformat 'a' serde 'b'");
    CHECK("EXPORT", "export table t partition (a='1') to '/x' for replication('e')");
    CHECK("IMPORT", "import external table t partition (a='1') from '/x' location '/y'",
          "import from '/x'");
    CHECK("TRUNCATE", "truncate table t partition (a=1) columns (x, y) force", "truncate t");
}

static void tables_and_views(void **state)
{
    (void)state;
    CHECK("CREATE TABLE",
          "create temporary external table if not exists d.t (a int primary key disable novalidate "
          "rely, b decimal(10,2) default 1.5 not null, c struct<x:int comment 'q', "
          "y:array<map<string,uniontype<int,string>>>>, constraint pk primary key (a) disable "
          "novalidate, foreign key (b) references u(b) disable norely, check (a > 1) enable) "
          "comment 'z' partitioned by (ds string comment 'x', hr int) clustered by (a) sorted by "
          "(b desc nulls last) into 4 buckets skewed by (a) on (1, 2) stored as directories row "
          "format delimited fields terminated by ',' escaped by '\\\\' collection items terminated "
          "by ':' map keys terminated by '#' lines terminated by '\\n' null defined as 'x' stored "
          "as inputformat 'a' outputformat 'b' inputdriver 'c' outputdriver 'd' location '/x' "
          "tblproperties ('a'='b')",
          "create managed table t (a int)", "create transactional table t (a int)",
          "create table t like u stored as orc location 'x'",
          "create table t like file orc '/x' partitioned by (a int)",
          "create table t stored by iceberg stored as orc tblproperties ('a'='b') as select 1",
          "create table t partitioned by (c) as select 1 c",
          "create table t (a int, b timestamp with local time zone, c double precision, d "
          "varchar(10), e char(3)) partitioned by spec (a, year(b), truncate(10, c), bucket(4, d)) "
          "stored by 'x.y' with serdeproperties ('a'='b')",
          "create table t (a int) write locally ordered by a desc nulls first, b",
          "create table t (a int) write ordered by zorder (a, b)",
          "create table t (date string, user string, timestamp bigint)");
    CHECK("CREATE VIEW",
          "create or replace view v (a comment 'x', b) comment 'c' partitioned on (b) "
          "tblproperties ('a'='b') as with q as (select 1) select * from q",
          "create view if not exists v as select 1",
          "create materialized view if not exists v disable rewrite comment 'x' partitioned on "
          "spec (a, bucket(3, b)) distributed on (a) sorted on (b) row format serde 'x' stored as "
          "orc location '/x' tblproperties ('a'='b') as select 1",
          "alter view v as select 1", "alter view v select 1");
    CHECK("ALTER TABLE", "alter table t rename to d.u",
          "alter table t partition (a=1) rename to partition (a=2)",
          "alter table t partition (a=1) change column x y int first cascade",
          "alter table t change x y int constraint c not null enable comment 'x' after z restrict",
          "alter table t add columns (a int comment 'x', b int default 1) cascade",
          "alter table t replace columns (a int)", "alter table t drop column if exists a",
          "alter table t update columns cascade",
          "alter table t exchange partition (a=1) with table u",
          "alter table t add if not exists partition (a=1) location '/x' partition (a=2)",
          "alter table t drop if exists partition (a>1, b like 'x'), partition (c <> 2) purge",
          "alter table t partition (a=1) set location '/x'", "alter table t set fileformat orc",
          "alter table t set fileformat inputformat 'a' outputformat 'b' serde 'c'",
          "alter table t set serde 'x' with serdeproperties ('a'='b')",
          "alter table t unset serdeproperties ('a')", "alter table t set owner user x",
          "alter table t into 4 buckets", "alter table t not clustered",
          "alter table t not stored as directories",
          "alter table t set skewed location (1='/x', ('a','b')='/y')",
          "alter table t touch partition (a=1) partition (a=2)", "alter table t touch",
          "alter table t archive partition (a=1)", "alter table t concatenate",
          "alter table t partition column (a int)",
          "alter table t add constraint c unique (a) disable", "alter table t drop constraint c",
          "alter table t update statistics for column a set ('x'='y') comment 'z'",
          "alter table t update statistics set ('x'='y')",
          "alter table t compact 'major' clustered into 3 buckets and wait pool 'p' with overwrite "
          "tblproperties ('a'='b') where a > 1 order by b",
          "alter table t set partition spec (a, month(b))",
          "alter table t convert to iceberg tblproperties ('a'='b')",
          "alter table t set write ordered by a", "alter table t execute rollback('2020')",
          "alter table t execute rollback(12)", "alter table t execute set_current_snapshot('x')",
          "alter table t execute fast-forward 'a' 'b'", "alter table t execute cherry-pick 12",
          "alter table t execute expire_snapshots('x')",
          "alter table t execute expire_snapshots between '1' and '2'",
          "alter table t execute expire_snapshots retain last 5",
          "alter table t execute expire_snapshots", "alter table t execute rewrite_manifests",
          "alter table t execute delete orphan-files older than ('2020')",
          "alter table t create or replace branch b for system_version as of 12 retain 5 days with "
          "snapshot retention 5 snapshots 3 days",
          "alter table t create tag if not exists b for tag as of x",
          "alter table t drop branch if exists b", "alter table t rename branch a to b",
          "alter table t replace branch a as of branch b",
          "alter table t replace tag a as of system_version 12 retain 4 hours",
          "alter table t enable no_drop cascade", "alter table t partition (a=1) disable offline");
    CHECK("ALTER VIEW", "alter view v rename to w", "alter view v set tblproperties ('a'='b')",
          "alter view v unset tblproperties if exists ('a')",
          "alter view v add if not exists partition (a=1) partition (a=2)",
          "alter view v drop if exists partition (a=1), partition (a=2)",
          "alter materialized view v rebuild", "alter materialized view v enable rewrite");
    CHECK("DROP TABLE", "drop table if exists t purge", "drop table t for replication('x')");
    CHECK("DROP VIEW", "drop materialized view if exists v");
}

static void databases_and_functions(void **state)
{
    (void)state;
    CHECK("CREATE DATABASE",
          "create database if not exists d comment 'x' location '/y' managedlocation '/z' with "
          "dbproperties ('a'='b')",
          "create remote database d using c with dbproperties ('a'='b')");
    CHECK("DROP DATABASE", "drop database if exists d cascade");
    CHECK("USE", "use x", "use default");
    CHECK("CREATE FUNCTION", "create temporary function f as 'x.y' using jar 'a', file 'b'",
          "create function d.f as 'x'");
    CHECK("CREATE MACRO", "create temporary macro m (a int, b string) a + length(b)",
          "create temporary macro m () 1");
    CHECK("DROP FUNCTION", "drop function if exists d.f");
    CHECK("DROP MACRO", "drop temporary macro if exists m");
}

static void objects(void **state)
{
    (void)state;
    CHECK("CREATE", "create or replace branch b from t",
          "create catalog if not exists c location '/x' comment 'y' properties ('a'='b')",
          "create connector if not exists c type 'mysql' url 'x' comment 'y' with dcproperties "
          "('a'='b')",
          "create role r",
          "create resource plan if not exists p with query_parallelism=4, default pool=a.b",
          "create resource plan p like q", "create trigger p.t when elapsed > '5' do move to a.b",
          "create pool p.a.b with alloc_fraction=0.5, scheduling_policy='fair', path=x.y",
          "create user mapping 'x' in p to a with order 3",
          "create index i on table t (a) as 'compact' with deferred rebuild");
    CHECK("ALTER", "alter database d set owner role x", "alter schema d set location '/x'",
          "alter catalog c set location '/z'", "alter connector c set url 'x'",
          "alter resource plan p set query_parallelism=5",
          "alter resource plan p unset default pool", "alter resource plan p validate",
          "alter resource plan p enable activate with replace", "alter resource plan p activate",
          "alter resource plan p rename to q", "alter trigger p.t when x > 5 do kill",
          "alter trigger p.t add to pool a", "alter trigger p.t drop from unmanaged",
          "alter pool p.a set query_parallelism=3", "alter pool p.a unset scheduling_policy",
          "alter pool p.a add trigger t", "alter group mapping 'x' in p unmanaged",
          "alter index i on t rebuild");
    CHECK("DROP", "drop tag if exists b from t", "drop catalog c", "drop connector c",
          "drop role r", "drop scheduled query q", "drop resource plan if exists p",
          "drop trigger p.t", "drop pool p.a", "drop application mapping 'x' in p",
          "drop index if exists i on t");
}

static void metadata(void **state)
{
    (void)state;
    CHECK("ANALYZE", "analyze table t partition (a) compute statistics for columns a, b",
          "analyze table t compute statistics noscan",
          "analyze table t compute statistics partialscan", "analyze table t cache metadata");
    CHECK("DESCRIBE", "describe database extended d", "desc function extended f",
          "describe function +", "describe formatted d.t partition (a=1) c.x.$elem$",
          "describe extended t", "desc t.c", "describe d.t c", "desc formatted t c", "desc schema",
          "describe connector extended c");
    CHECK("SHOW", "show catalogs like 'x'", "show databases like 'a*'", "show tables in d 'x*'",
          "show extended tables from d like 'x'", "show tables where table_type = 'VIEW'",
          "show views in d like 'x'", "show materialized views",
          "show sorted columns from t in d like 'x'", "show columns in d.t",
          "show functions like 'x'",
          "show partitions t partition (a=1) where a > 1 order by b limit 3",
          "show create table d.t", "show create database d",
          "show table extended in d like 'x*' partition (a=1)", "show tblproperties t ('x')",
          "show locks t partition (a=1) extended", "show locks database d", "show locks",
          "show compactions", "show compactions compactionid=3",
          "show compactions database d pool 'x' type 'major' status 'y' order by a limit 3",
          "show transactions", "show conf 'x'", "show resource plans", "show resource plan p",
          "show connectors", "show grant user x on table t", "show grant role r on all",
          "show grant", "show role grant user x", "show roles", "show current roles",
          "show principals r", "show grant on database d", "show formatted index on t");
    CHECK("MSCK", "msck repair table t add partitions", "msck table t", "msck repair table t");
    CHECK("OPTIMIZE", "optimize table t rewrite data pool 'x' where a order by b");
}

static void sessions_and_rights(void **state)
{
    (void)state;
    CHECK("LOCK", "lock table t partition (a=1) shared", "unlock table t",
          "lock database d exclusive", "unlock database d");
    CHECK("GRANT", "grant r1, r2 to user a, role b with admin option", "grant role r to group g",
          "revoke admin option for r from user u",
          "grant select (a, b), insert on table t partition (a=1) to user x with grant option",
          "revoke grant option for all on database d from role r", "grant all on t to user x",
          "revoke all from user x", "grant select on uri '/x' to role r",
          "grant select on server s to role r");
    CHECK("TRANSACTION", "abort transactions 1 2 3", "abort compactions 4",
          "start transaction isolation level snapshot, read only", "start transaction",
          "commit work", "rollback");
    CHECK("ADMIN", "set catalog c", "reload functions", "reload function", "kill query 'a' 'b'",
          "set autocommit true", "repl dump d.'a'.'b' replace d.'c' with ('a'='b')",
          "repl load d into e with ('a'='b')", "repl status d", "set role all", "set role none",
          "set role x", "enable workload management", "replace active resource plan with p",
          "replace resource plan a with b", "disable workload management");
}

static void statements_within_statements(void **state)
{
    (void)state;
    CHECK("EXPLAIN", "explain cbo joincost select 1", "explain vectorization only detail select 1",
          "explain ast select 1", "explain formatted insert into t select 1",
          "explain rewrite select 1", "explain analyze table t compute statistics",
          "explain analyze select 1", "explain locks update t set a = 1", "explain ddl select 1");
    CHECK("PREPARE", "prepare p from select * from t where a = ?");
    CHECK("EXECUTE", "execute p using 1, 'x'");
    CHECK("SCHEDULED QUERY",
          "create scheduled query q cron '0 0 * * *' executed as 'x' enable defined as insert into "
          "t select 1",
          "create scheduled query q every 5 minutes offset by '1' as select 1",
          "create scheduled query q every day at '10' as select 1",
          "alter scheduled query q disable", "alter scheduled query q execute",
          "alter scheduled query q as select 2", "alter scheduled query q every hour");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries),
        cmocka_unit_test(data),
        cmocka_unit_test(tables_and_views),
        cmocka_unit_test(databases_and_functions),
        cmocka_unit_test(objects),
        cmocka_unit_test(metadata),
        cmocka_unit_test(sessions_and_rights),
        cmocka_unit_test(statements_within_statements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
