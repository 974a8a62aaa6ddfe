# trace, impact, heat, search, checks and diff over a store; tokens.
. "$SOURCE/tests/cli/expect.bash"
unset COLLINE_CONFIG COLLINE_DATA_DIR COLLINE_KAFKA_BROKERS

query() { # ID DAY USER SQL
    local at=$((1773532800000 + $2 * 86400000)) # 2026-03-15 and so many days
    printf '{"v":1,"source":"daemon-log","kind":"START","query_id":"%s","position":{"file":"x","offset":0},"captured_at":%s,"time_ms":%s,"user":"%s","sql":"%s"}\n' "$1" $at $at "$3" "$4"
    printf '{"v":1,"source":"daemon-log","kind":"FINISH","query_id":"%s","position":{"file":"x","offset":0},"captured_at":%s,"time_ms":%s,"status":"OK","duration_ms":1000}\n' "$1" $at $at
}
cat >tables.hql <<'END'
create table ods.orders (id bigint, amount double, city string);
create table dwd.orders (id bigint, amount double, city string);
create table dwd.orders_v2 (id bigint, amount double, city string);
create table dws.city_day (city string comment '城市', income double comment '收入合计') comment '城市日汇总';
create table ads.board (city string, income double);
END
{
    query a 0 etl 'insert overwrite table dwd.orders select id, amount, city from ods.orders'
    query b 0 etl 'insert overwrite table dws.city_day select city, sum(amount) from dwd.orders group by city'
    query c 0 etl 'insert overwrite table ads.board select city, income * 2 from dws.city_day where income > 0'
    query d 2 etl 'insert overwrite table dws.city_day select city, max(amount) from dwd.orders_v2 group by city'
    query e 2 lin 'select city, income from dws.city_day'
} >raw.jsonl
printf 'clusters:\n  - name: c\n    namespace: hive://m\nnormalize:\n  catalogs: [tables.hql]\n' >colline.yaml
quiet 0 "$COLLINE" normalize -c colline.yaml --from raw.jsonl --to events.jsonl
"$COLLINE" load --store s.db --from events.jsonl 2>said
"$COLLINE" load --store s.db --catalog tables.hql --namespace "$(python3 -c 'import json; print(json.loads(open("events.jsonl").readline()).get("namespace", "default"))')" 2>said

expect 0 "$COLLINE" trace --store s.db ads.board.income <<'END'
ads.board.income
└─ dws.city_day.income  transformation: income * 2  [c]
   ├─ dwd.orders.amount  aggregation: sum(amount)  [b, superseded]
   │  └─ ods.orders.amount  [a]
   └─ dwd.orders_v2.amount  aggregation: max(amount)  [d]

1 direct source, 4 in all
END
expect 0 "$COLLINE" impact --store s.db DWD.orders_v2 <<'END'
dwd.orders_v2
└─ dws.city_day  [1 run, last 2026-03-17]
   └─ ads.board  [1 run, last 2026-03-15]

1 direct dependent, 2 in all
END
printf 'from,to,kind,how,script,line,expression\r\n"dws.city_day.income","ads.board","indirect","filter","c",0,"income > 0"\r\n"dws.city_day.income","ads.board.income","direct","transformation","c",0,"income * 2"\r\n' |
    expect 0 "$COLLINE" impact --store s.db --format csv --indirect dws.city_day.income
quiet 1 "$COLLINE" trace --store s.db dws.city_dya.income
expect_error <<'END'
colline: the store knows no table or column dws.city_dya.income
Did you mean dws.city_day?
END
quiet 1 "$COLLINE" trace --store s.db DWS.city_day.incom
expect_error <<'END'
colline: the store knows no column incom of dws.city_day
Did you mean dws.city_day.income?
END
quiet 2 "$COLLINE" trace --store s.db dws.city_day more
quiet 3 "$COLLINE" trace --store nowhere.db dws.city_day

expect 0 "$COLLINE" checks --store s.db <<<"There is no such result of a check."
printf '{"v":1,"check":"%s","table":"%s","column":"%s","status":"%s","time":%s,"message":"%s"}\n' \
    not_null dwd.orders amount fail 1773705600000 "3 rows" unique dws.city_day city pass 1773705600001 "" rows dwd.orders "" warn 1773705600002 "fewer" >checks.jsonl
"$COLLINE" load --store s.db --from checks.jsonl 2>said
expect 0 "$COLLINE" checks --store s.db <<'END'
status  table         column  check     time              message
fail    dwd.orders    amount  not_null  2026-03-17 00:00  3 rows
warn    dwd.orders            rows      2026-03-17 00:00  fewer
pass    dws.city_day  city    unique    2026-03-17 00:00
END
printf 'dataset,namespace,table,column,check,status,time,message,source\r\ndefault#dwd.orders,default,dwd.orders,,rows,warn,1773705600002,fewer,\r\n' |
    expect 0 "$COLLINE" checks --store s.db --format csv --status warn DWD.orders
expect 0 "$COLLINE" checks --store s.db --hit --column amount dwd.orders <<'END'
level  table         columns  owner  written by  read by
0      dwd.orders    amount          etl         etl
1      dws.city_day  income          etl         etl, lin
2      ads.board     income          etl
END
quiet 1 "$COLLINE" checks --store s.db dwd.order
quiet 2 "$COLLINE" checks --store s.db --status bad
quiet 2 "$COLLINE" checks --store s.db --hit
expect_error <<'END'
colline: who is hit by which table?
`colline checks --help` says more.
END
quiet 2 "$COLLINE" checks --store s.db --column amount dwd.orders
expect_error <<'END'
colline: --column does not go without --hit
`colline checks --help` says more.
END
quiet 2 "$COLLINE" checks --store s.db --status fail --hit dwd.orders
expect_error <<'END'
colline: --status does not go with --hit
`colline checks --help` says more.
END
expect 0 "$COLLINE" checks --store s.db --database ads <<<"There is no such result of a check."

# A column that nobody knows is refused; one that only a check knows hits what the table hits.
quiet 1 "$COLLINE" checks --store s.db --hit --column amuont dwd.orders
expect_error <<'END'
colline: The table has no column amuont.
Did you mean amount?
END
printf '{"v":1,"check":"not_null","table":"ads.board","column":"day","status":"fail","time":1773705600000}\n' >day.jsonl
"$COLLINE" load --store s.db --from day.jsonl 2>said
expect 0 "$COLLINE" checks --store s.db --hit --column DAY ads.board <<'END'
level  table      columns  owner  written by  read by
0      ads.board                  etl
END

# Of one name in several metastores each is told by its key, which is taken as a name.
cp s.db two.db
"$COLLINE" load --store two.db --namespace other --from checks.jsonl 2>said
expect 0 "$COLLINE" checks --store two.db --status warn <<'END'
status  table               column  check  time              message
warn    default#dwd.orders          rows   2026-03-17 00:00  fewer
warn    other#dwd.orders            rows   2026-03-17 00:00  fewer
END
quiet 2 "$COLLINE" checks --store two.db dwd.orders
expect_error <<'END'
colline: There are several dwd.orders: say which `namespace` is meant.
Did you mean default#dwd.orders, other#dwd.orders?
END
expect 0 "$COLLINE" checks --store two.db --status warn other#dwd.orders <<'END'
status  table       column  check  time              message
warn    dwd.orders          rows   2026-03-17 00:00  fewer
END
quiet 2 "$COLLINE" checks --store s.db dwd.orders more

expect 0 "$COLLINE" heat --store s.db --limit 3 <<'END'
table          heat  reads  writes  users  last read
dws.city_day   3.2   2      2       2      2026-03-17
dwd.orders     1.6   1      1       1      2026-03-15
dwd.orders_v2  1     1      0       1      2026-03-17
END
expect 0 "$COLLINE" heat --store s.db --unread <<'END'
table      heat  reads  writes  users  last read
ads.board  0.6   0      1       1
END
expect 0 "$COLLINE" search --store s.db 城市 <<'END'
table         column  kind   heat  comment     column's comment
dws.city_day          table  3.2   城市日汇总
dws.city_day  city    table  3.2   城市日汇总  城市
END
expect 0 "$COLLINE" search --store s.db --type column 'INC' <<'END'
table         column  kind   heat  comment     column's comment
dws.city_day  income  table  3.2   城市日汇总  收入合计
ads.board     income  table  0.6
END
quiet 1 "$COLLINE" search --store s.db nothing-has-this
expect 0 "$COLLINE" heat --store s.db --dead-columns <<'END'
table          column  type    comment
dwd.orders     id      bigint
dwd.orders_v2  id      bigint
END
expect 0 "$COLLINE" diff --store s.db --from 2026-03-16 --to 2026-03-17 dws.city_day <<'END'
change  source         target        runs  last run
gone    dwd.orders     dws.city_day  1     2026-03-15
added   dwd.orders_v2  dws.city_day  1     2026-03-17
END

# As it was; the way between two; the queries that read it.
expect 0 "$COLLINE" trace --store s.db --as-of 2026-03-15 ads.board.income <<'END'
ads.board.income
└─ dws.city_day.income  transformation: income * 2  [c]
   └─ dwd.orders.amount  aggregation: sum(amount)  [b]
      └─ ods.orders.amount  [a]

1 direct source, 3 in all
END
expect 0 "$COLLINE" trace --store s.db --as-of 2026-03-14 ads.board <<'END'
ads.board

Nothing is known that it is made of.
END
expect 0 "$COLLINE" trace --store s.db --from dwd.orders_v2.amount ads.board.income <<'END'
ads.board.income
└─ dws.city_day.income  transformation: income * 2  [c]
   └─ dwd.orders_v2.amount  aggregation: max(amount)  [d]

1 direct source, 2 in all
END
expect 0 "$COLLINE" trace --store s.db --from ods.orders ads.board <<'END'
ads.board
└─ dws.city_day  [c]
   └─ dwd.orders  [b, superseded]
      └─ ods.orders  [a]

1 direct source, 3 in all
END
quiet 1 "$COLLINE" trace --store s.db --from ads.board ods.orders
expect_error <<'END'
colline: nothing leads from ads.board to ods.orders
END
expect 0 "$COLLINE" impact --store s.db --queries dws.city_day.income <<'END'
started, UTC      user  engine  operation  writes     query
2026-03-17 00:00  lin   impala  SELECT                e
2026-03-15 00:00  etl   impala  OVERWRITE  ads.board  c
END
expect 0 "$COLLINE" impact --store s.db --queries ads.board <<'END'
No query of the last 30 days read it.
END
quiet 2 "$COLLINE" trace --store s.db --as-of yesterday ads.board
quiet 2 "$COLLINE" impact --store s.db --from ods.orders ads.board
quiet 2 "$COLLINE" trace --as-of 2026-03-15 ads.board tables.hql
quiet 1 "$COLLINE" diff --store s.db --from 2026-03-16 dws.nothing
quiet 2 "$COLLINE" diff --store s.db --from yesterday dws.city_day
"$COLLINE" heat --store s.db --format json >heat.json
python3 -c 'import json; print(len(json.load(open("heat.json"))["items"]))' | diff - <(echo 5)

# A token is shown once; the list shows whose there are.
"$COLLINE" token create --store s.db --name lin --scopes read,sql --days 0 >token
grep -Eqx '[0-9a-f]{64}' token
"$COLLINE" token list --store s.db | sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2}/DAY/' | diff - <(printf '%-20s  %-20s  %-10s  %-10s\nlin                   read,sql              DAY  never     \n' name scopes created ends)
quiet 0 "$COLLINE" token revoke --store s.db --name lin
quiet 1 "$COLLINE" token revoke --store s.db --name lin
quiet 2 "$COLLINE" token create --store s.db --name x --scopes all
quiet 2 "$COLLINE" token create --store s.db
