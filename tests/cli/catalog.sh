# catalog build, show and diff.
. "$SOURCE/tests/cli/expect.bash"

mkdir ddl
cat >ddl/1.hql <<'END'
create database ods;
create table ods.orders (ID bigint, amount decimal(10,2) comment 'in yuan', addr struct<city:string,zip:string>)
partitioned by (ds string) comment 'every order';
create table ods.gone (x int);
create temporary table scratch (x int);
drop table ods.gone;
END
cat >ddl/2.impala.sql <<'END'
create view ods.v_orders as select id, amount from ods.orders;
create table ods.bag as select id, addr.city as city, amount * 2 as twice from ods.orders;
alter table ods.bag rename to ods.copied;
END

quiet 0 "$COLLINE" catalog build -o all.json ddl
expect 0 "$COLLINE" catalog show all.json <<'END'
table         kind   columns  comment
ods.copied    table  3
ods.orders    table  4        every order
ods.v_orders  view   2
END
expect 0 "$COLLINE" catalog show all.json ODS.orders 'ods.v*' <<'END'
ods.orders  table  every order
  column  type                            partition  comment
  id      bigint
  amount  decimal(10,2)                              in yuan
  addr    struct<city:string,zip:string>
  ds      string                          yes

ods.v_orders  view
  column  type           partition  comment
  id      bigint
  amount  decimal(10,2)
  as select id, amount from ods.orders
END
expect 1 "$COLLINE" catalog show all.json orders </dev/null
expect_error <<'END'
colline: the catalog has no table default.orders
END

# What was saved is read back the same, and DDL may follow it.
"$COLLINE" catalog build all.json >again.json
cmp all.json again.json
cat >later.hql <<'END'
alter table ods.orders add columns (note string);
alter table ods.orders change amount amount double;
drop view ods.v_orders;
create table ods.fresh (a int);
END
"$COLLINE" catalog build -o new.json all.json later.hql
expect 0 "$COLLINE" catalog diff all.json new.json <<'END'
+ ods.fresh table
~ ods.orders
  ~ amount decimal(10,2) -> double
  + note string
- ods.v_orders view
END
"$COLLINE" catalog diff --exit-code all.json new.json >/dev/null && exit 1
quiet 0 "$COLLINE" catalog diff --exit-code all.json ddl

# Mistakes are told with their place, the rest is kept.
printf 'create table a.x (i int);\ncreate tabel a.y (i int);\ncreate table a.z (i int); create x;' >broken.hql
"$COLLINE" catalog build -o broken.json broken.hql 2>err && exit 1
grep -q '^colline: broken.hql:2:8: .* (and more)$' err
expect 0 "$COLLINE" catalog show broken.json <<'END'
table  kind   columns  comment
a.x    table  1
a.z    table  1
END
quiet 1 "$COLLINE" catalog show none.json
expect_error <<'END'
colline: none.json: No such file or directory
END
quiet 3 "$COLLINE" catalog build -o no/such/folder.json ddl
expect_error <<'END'
colline: no/such/folder.json: No such file or directory
END
[ "$(echo 'create table t (a int)' | "$COLLINE" catalog build | "$COLLINE" catalog show - | tail -n 1)" = 'default.t  table  1' ]

# What clients print for SHOW CREATE TABLE: no `;`, headings, frames, `db.t` between one pair of quotes.
cat >dump.hql <<'END'
createtab_stmt
CREATE TABLE `ods.a`(
  `x` int COMMENT 'c; d', 
  `y` string)
PARTITIONED BY ( 
  `dt` string)
TBLPROPERTIES (
  'transient_lastDdlTime'='1718000000')
createtab_stmt
CREATE VIEW `dwd.v` AS select `a`.`x`,`a`.`dt` from `ods`.`a`
CREATE EXTERNAL TABLE `ods`.`b` (
  `z` bigint)
END
expect 0 "$COLLINE" catalog show dump.hql '*' <<'END'
dwd.v  view
  column  type    partition  comment
  x       int
  dt      string
  as select `a`.`x`,`a`.`dt` from `ods`.`a`

ods.a  table
  column  type    partition  comment
  x       int                c; d
  y       string
  dt      string  yes

ods.b  table
  column  type    partition  comment
  z       bigint
END
cat >framed.sql <<'END'
+--------------------------------------------------+
|                  createtab_stmt                  |
+--------------------------------------------------+
| CREATE TABLE `ods.a`(                            |
|   `x` int,                                       |
|   `y` string COMMENT 'a | b')                    |
+--------------------------------------------------+
3 rows selected (0.1 seconds)
+--------------------------------------------------+
| result                                           |
+--------------------------------------------------+
| CREATE TABLE ods.b (                             |
|   z BIGINT                                       |
| )                                                |
| STORED AS PARQUET                                |
+--------------------------------------------------+
Fetched 1 row(s) in 0.02s
END
expect 0 "$COLLINE" catalog show framed.sql '*' <<'END'
ods.a  table
  column  type    partition  comment
  x       int
  y       string             a | b

ods.b  table
  column  type    partition  comment
  z       bigint
END

# A DDL script stays what it is: a CREATE on a line of its own ends nothing that goes on.
printf 'explain\ncreate table d.no (a int);\n-- create\ncreate table d.yes (a int) -- ;\n;create view d.v as\nselect a from d.yes' >plain.hql
expect 0 "$COLLINE" catalog show plain.hql <<'END'
table  kind   columns  comment
d.v    view   1
d.yes  table  1
END
