# trace and impact: through scripts, views, temporary tables and documents.
. "$SOURCE/tests/cli/expect.bash"

mkdir etl
cat >etl/1_tables.hql <<'END'
create table ods.pay (uid int, amt int, kind string);
create table dws.daily (uid int, total int);
create view ods.v_pay as select uid, amt from ods.pay where kind = 'real';
END
cat >etl/2_daily.hql <<'END'
create temporary table part as select uid, amt from ods.v_pay;
insert overwrite table dws.daily select uid, sum(amt) from part group by uid;
END
cat >etl/3_ads.hql <<'END'
insert into ads.top select d.uid, d.total + 1 as total1 from dws.daily d join dim.user u on d.uid = u.uid;
select total from dws.daily;
END

expect 0 "$COLLINE" trace ads.top.total1 etl <<'END'
ads.top.total1
└─ dws.daily.total  transformation: d.total + 1  [etl/3_ads.hql:1]
   └─ ods.pay.amt  aggregation: sum(amt)  [etl/2_daily.hql:2]

1 direct source, 2 in all
END
expect 0 "$COLLINE" trace --indirect --depth 1 ADS.top.TOTAL1 etl <<'END'
ads.top.total1
├─ dim.user.uid  join: d.uid = u.uid  [etl/3_ads.hql:1]
├─ dws.daily.total  transformation: d.total + 1  [etl/3_ads.hql:1]
└─ dws.daily.uid  join: d.uid = u.uid  [etl/3_ads.hql:1]

3 direct sources, 3 in all
END
expect 0 "$COLLINE" impact ods.pay.amt etl <<'END'
ods.pay.amt
├─ default.part.amt  [etl/2_daily.hql:1]
├─ dws.daily.total  aggregation: sum(amt)  [etl/2_daily.hql:2]
│  ├─ ads.top.total1  transformation: d.total + 1  [etl/3_ads.hql:1]
│  └─ result of etl/3_ads.hql:2.total  [etl/3_ads.hql:2]
└─ ods.v_pay.amt  [etl/1_tables.hql:3]

3 direct dependents, 5 in all
END
expect 0 "$COLLINE" impact ods.v_pay etl <<'END'
ods.v_pay
├─ default.part  [etl/2_daily.hql:1]
└─ dws.daily  [etl/2_daily.hql:2]
   └─ ads.top  [etl/3_ads.hql:1]

2 direct dependents, 3 in all
END

# Documents say the same as the scripts that they come from.
"$COLLINE" catalog build -o tables.json etl/1_tables.hql
"$COLLINE" lineage -c tables.json --format jsonl etl >docs.jsonl
"$COLLINE" lineage -c tables.json --format json etl >docs.json
for name in ads.top.total1 ads.top ods.pay.amt; do
    for verb in trace impact; do
        "$COLLINE" $verb --indirect --format csv $name etl >scripts.csv
        expect 0 "$COLLINE" $verb --indirect --format csv $name docs.jsonl <scripts.csv
        expect 0 "$COLLINE" $verb --indirect --format csv $name docs.json <scripts.csv
    done
done
expect 0 "$COLLINE" trace --format json ads.top.total1 etl <<'END'
{
  "start": "ads.top.total1",
  "direction": "upstream",
  "edges": [
    {"from": "dws.daily.total", "to": "ads.top.total1", "kind": "direct", "how": "transformation", "expression": "d.total + 1", "script": "etl/3_ads.hql", "line": 1},
    {"from": "ods.pay.amt", "to": "dws.daily.total", "kind": "direct", "how": "aggregation", "expression": "sum(amt)", "script": "etl/2_daily.hql", "line": 2}
  ]
}
END

# A circle ends, and what was shown is not shown again.
mkdir circle
echo 'insert into a.t select x, y from b.t; insert into b.t select x, y from a.t; insert into a.t select y as x, x as y from a.t' >circle/c.hql
expect 0 "$COLLINE" trace a.t.x circle <<'END'
a.t.x
├─ a.t.y  [circle/c.hql:1]
│  ├─ a.t.x  [circle/c.hql:1]  (see above)
│  └─ b.t.y  [circle/c.hql:1]
│     └─ a.t.y  [circle/c.hql:1]  (see above)
└─ b.t.x  [circle/c.hql:1]
   └─ a.t.x  [circle/c.hql:1]  (see above)

2 direct sources, 3 in all
END

# A star over a table that nobody described may read any of its columns.
echo 'create table c.copy as select * from c.unknown;' >star.hql
expect 0 "$COLLINE" impact c.unknown.k star.hql <<'END'
c.unknown.*
└─ c.copy.*  [star.hql:1]

1 direct dependent, 1 in all
END
expect_error <<'END'
colline: note: no script names c.unknown.k; a star may stand for it
END
echo 'insert into c.other select k from c.unknown' >>star.hql
expect 0 "$COLLINE" impact c.unknown.k star.hql <<'END'
c.unknown.k
├─ c.copy.*  (by a star: it may be read)  [star.hql:1]
└─ c.other.k  [star.hql:2]

2 direct dependents, 2 in all
END
quiet 1 "$COLLINE" impact ads.top.totals etl
expect_error <<'END'
colline: no script reads or writes ads.top.totals
Did you mean ads.top.total1?
END
quiet 1 "$COLLINE" impact x.total etl
expect_error <<'END'
colline: no script reads or writes x.total
Did you mean dws.daily.total, result of etl/3_ads.hql:2.total?
END
echo '{"id": 1' >bad.json
"$COLLINE" trace ads.top.total1 etl bad.json 2>err >/dev/null && exit 1
grep -q '^colline: bad.json: broken document at byte ' err

# A chain of 2,000 tables is no trouble.
python3 -c '
for i in range(2000):
    print("insert into d.t%d select a from d.t%d;" % (i, i + 1))' >deep.hql
[ "$("$COLLINE" trace d.t0.a deep.hql | tail -n 1)" = '1 direct source, 2000 in all' ]
