# load and store: events, documents and catalogs into a store; what is no event; stores that are none, or newer.
. "$SOURCE/tests/cli/expect.bash"
unset COLLINE_CONFIG COLLINE_DATA_DIR COLLINE_KAFKA_BROKERS COLLINE_STORE
cat >t.hql <<'SQL'
insert overwrite table dws.t select id, sum(amt) as amt from dwd.s group by id;
insert into dws.u select id from dws.t;
SQL
echo "create table dwd.s (id int comment '编号', amt decimal(18,2)) comment 'what was sold'; create table dws.t (id int, amt double);" >c.hql
"$COLLINE" lineage --format jsonl -c c.hql t.hql >documents.jsonl
statement=$(python3 -c 'import json; print(json.dumps(json.loads(open("documents.jsonl").readline())["statements"][0]))')
event() { # ID REVISION TIME
    printf '{"v":1,"query_id":"%s","revision":%s,"generation":0,"engine":"hive","user":"ann","database":"default","timestamp":1764547200000,"duration_ms":5,' "$1" "$2"
    printf '"status":"OK","operation_type":"OVERWRITE","input_tables":["dwd.s"],"output_tables":["dws.t"],"sql":"insert overwrite","event_time":%s,' "$3"
    printf '"processing_time":%s,"sources":[{"source":"web","kinds":["QUERY"]}],"is_valid":true,"lineage":%s}\n' "$3" "$statement"
}
{ event a 1 1764547200005; event b 1 1764633600005; event a 2 1764547200006; } >events.jsonl

said() { # STATUS EXPECTED COMMAND...
    local status=0 expected=$2 wanted=$1
    shift 2
    "$@" >out 2>err || status=$?
    [ "$status" -eq "$wanted" ] && grep -qF -- "$expected" err || { echo "$*: status $status"; cat err; exit 1; }
}
said 0 "3 events, 2 new queries, 0 revised, 1 known, 1 new statements, 0 lines that are no events" "$COLLINE" load --store s.db --from events.jsonl
said 0 "0 new queries" "$COLLINE" load --store s.db --from - <events.jsonl
said 0 "2 tables of catalogs" "$COLLINE" load --store s.db --catalog c.hql
said 0 "0 tables of catalogs" "$COLLINE" load --store s.db --catalog c.hql
said 0 "1 scripts, 2 statements, 0 lines that are no documents" "$COLLINE" load --store s.db --documents documents.jsonl
"$COLLINE" store dump --canonical --store s.db >dump
grep -q '"is":"column","namespace":"default","dataset":"dwd.s","name":"id","ordinal":0,"type":"int","comment":"编号"' dump
# the statement that ran is the one that stands in the script
[ "$(grep '"is":"statement"' dump | grep '"runs":2' | grep -c '"scripts":1')" = 1 ]
[ "$(grep -c '"is":"statement"' dump)" = 2 ]
[ "$(stat -c %a s.db)" = 600 ] || { echo "others can read the store"; exit 1; }

# In another order, all at once: the same store.
said 0 "1 scripts" "$COLLINE" load --store t.db --documents documents.jsonl --catalog c.hql --from <(tac events.jsonl)
"$COLLINE" store dump --canonical --store t.db | cmp - dump

{ echo '{"v":1}'; event c 1 1764633600006; echo; echo "no JSON"; } >bad.jsonl
said 1 "2 lines that are no events" "$COLLINE" load --store s.db --from bad.jsonl
grep -q 'bad.jsonl:1: no event' err
said 1 "1 lines that are no documents" "$COLLINE" load --store s.db --documents <(echo '[]')

# Results of checks stand among events; of each check the newest holds, in any order.
check() { printf '{"v":1,"check":"%s","table":"%s","status":"%s","time":%s}\n' "$@"; }
{ check rows DWS.T fail 1764633600009; event d 1 1764633600007; check rows dws.t pass 1764633600008; } >checks.jsonl
said 0 "2 results of checks" "$COLLINE" load --store s.db --from checks.jsonl
"$COLLINE" store dump --canonical --store s.db >dump
[ "$(grep '"is":"check"' dump)" = '{"is":"check","namespace":"default","dataset":"dws.t","column":"","check":"rows","status":3,"at":1764633600009,"message":"","source":""}' ]
said 0 "" "$COLLINE" load --store s.db --from <(tac checks.jsonl)
"$COLLINE" store dump --canonical --store s.db | cmp - dump
said 0 "2 results of checks" "$COLLINE" load --store t.db --namespace elsewhere --from checks.jsonl
"$COLLINE" store dump --canonical --store t.db | grep -q '"is":"check","namespace":"elsewhere"'
# In a store of one metastore, a check that names none is of that.
said 0 "1 results of checks" "$COLLINE" load --store t2.db --namespace elsewhere --from <(check rows DWS.T fail 1764633600009)
said 0 "1 results of checks" "$COLLINE" load --store t2.db --from <(check rows "\`dws\`.\`T\` " warn 1764633600010)
[ "$("$COLLINE" store dump --canonical --store t2.db | grep '"is":"check"')" = '{"is":"check","namespace":"elsewhere","dataset":"dws.t","column":"","check":"rows","status":2,"at":1764633600010,"message":"","source":""}' ]
# Each bad line is told.
{ check rows dws.t maybe 1764633600000; check rows dws.t pass 1764633600; check rows dws.t pass 1764633600000000; } >bad_checks.jsonl
said 1 "3 lines that are no events" "$COLLINE" load --store s.db --from bad_checks.jsonl
grep -qF 'bad_checks.jsonl:1: no result of a check: status: not one of the known names' err
grep -qF 'bad_checks.jsonl:2: no result of a check: time: not in milliseconds since 1970' err
grep -qF 'bad_checks.jsonl:3: no result of a check: time: not in milliseconds since 1970' err
said 1 "1: no result of a check: status: not one of the known names" "$COLLINE" load --store s.db --from <(check rows dws.t maybe 1)
said 1 "1: no result of a check: table: empty" "$COLLINE" load --store s.db --from <(check rows "" pass 1)

python3 -c 'import sqlite3; sqlite3.connect("t.db").execute("update number set value = 99 where name = \"schema_version\"").connection.commit()'
said 3 "newer than this program" "$COLLINE" load --store t.db --from events.jsonl
said 3 "newer than this program" "$COLLINE" store dump --canonical --store t.db
head -c 9000 /dev/urandom >none.db
said 3 "not a database" "$COLLINE" load --store none.db --from events.jsonl
: >empty.db
said 3 "nothing was loaded" "$COLLINE" store dump --canonical --store empty.db
said 3 "" "$COLLINE" store dump --canonical --store nowhere.db
[ ! -e nowhere.db ]
quiet 3 "$COLLINE" load --store s.db --from nowhere.jsonl
quiet 2 "$COLLINE" load --from events.jsonl
quiet 2 "$COLLINE" load --store s.db --from events.jsonl too much
quiet 2 "$COLLINE" store dump --store s.db
quiet 2 "$COLLINE" store
