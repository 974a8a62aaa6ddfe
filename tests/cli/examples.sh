# Questions that any lineage tool should answer, with their answers.
. "$SOURCE/tests/cli/expect.bash"

# Nested derived tables, the innermost without an alias.
cat >member.hql <<'END'
insert into table rpt.member
select a.total, b.city
from (select q1 + q2 as total from src.score) a
left join (select id, city from (select id, town as city from src.place)) b on a.total = b.id
END
expect 0 "$COLLINE" lineage --format tables member.hql <<'END'
{"inputTables":["src.place","src.score"],"outputTable":"rpt.member"}
END
expect 0 "$COLLINE" lineage --format fields member.hql <<'END'
[
  {
    "targetField": {"dbName": "rpt", "tableName": "member", "fieldName": "total"},
    "sourceFields": [
      {"dbName": "src", "tableName": "score", "fieldName": "q1", "process": "q1 + q2"},
      {"dbName": "src", "tableName": "score", "fieldName": "q2", "process": "q1 + q2"}
    ]
  },
  {
    "targetField": {"dbName": "rpt", "tableName": "member", "fieldName": "city"},
    "sourceFields": [
      {"dbName": "src", "tableName": "place", "fieldName": "town", "process": "town"}
    ]
  }
]
END

# The edges of a script without the columns that name places.
edges() {
    "$COLLINE" lineage --format csv "$1" | tr -d '\r' | cut -d, -f5-11 | tail -n +2
}
edges member.hql >got
diff got - <<'END'
rpt.member,total,src.score,q1,,direct,transformation
rpt.member,total,src.score,q2,,direct,transformation
rpt.member,city,src.place,town,,direct,identity
,,src.place,id,,indirect,join
,,src.score,q1,,indirect,join
,,src.score,q2,,indirect,join
END

# A CTE is no table.
echo 'with s as (select uid, amt from dws.daily) insert into ads.total select uid, sum(amt) from s group by uid' >cte.impala.sql
edges cte.impala.sql >got
diff got - <<'END'
ads.total,uid,dws.daily,uid,,direct,identity
ads.total,sum(amt),dws.daily,amt,,direct,aggregation
,,dws.daily,uid,,indirect,group_by
END
"$COLLINE" lineage --format jsonl cte.impala.sql | grep '"s"\|\.s[".]' >/dev/null && exit 1

# Functions and CASE.
cat >vip.hql <<'END'
insert into ads.vip select u.uid, coalesce(o.paid, 0), case when u.level = 'VIP' then 'Y' else 'N' end
from dwd.member u left join dws.paid o on u.uid = o.uid
END
echo 'create table ads.vip (uid int, paid int, is_vip string)' >vip_table.hql
"$COLLINE" lineage --format csv -c vip_table.hql vip.hql | tr -d '\r' | cut -d, -f5-11 | tail -n +2 >got
diff got - <<'END'
ads.vip,uid,dwd.member,uid,,direct,identity
ads.vip,paid,dws.paid,paid,,direct,transformation
ads.vip,is_vip,dwd.member,level,,direct,transformation
,,dwd.member,uid,,indirect,join
,,dws.paid,uid,,indirect,join
ads.vip,is_vip,dwd.member,level,,indirect,conditional
END

# Functions of functions.
echo "select regexp_extract(concat_ws('-', prov, city), '(.*?)-(.*)', 1) as region from dwd.area" >area.hql
edges area.hql >got
diff got - <<'END'
,region,dwd.area,city,,direct,transformation
,region,dwd.area,prov,,direct,transformation
END

# Aliases that hide.
echo 'select t.uid, t.top from (select uid, max(amt) as top from dwd.orders group by uid) t' >top.hql
edges top.hql >got
diff got - <<'END'
,uid,dwd.orders,uid,,direct,identity
,top,dwd.orders,amt,,direct,aggregation
,,dwd.orders,uid,,indirect,group_by
END

# One partition, or the whole table.
cat >write.hql <<'END'
insert overwrite table dwd.orders partition (dt = '2024-03-15') select a from ods.orders;
insert overwrite table dwd.orders select a from ods.orders;
END
"$COLLINE" lineage --format json write.hql | grep '"outputs"' | sed 's/^ *//' >got
diff got - <<'END'
"outputs": [{"table": "dwd.orders", "write_mode": "overwrite_partition", "partition": {"dt": "2024-03-15"}}],
"outputs": [{"table": "dwd.orders", "write_mode": "overwrite"}],
END
