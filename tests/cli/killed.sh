# A store whose writer was killed before any of the changes of files that it makes: whoever looks at it is answered, or told in clear words what to do, and
# the next load gives the store that an undisturbed one gives.
. "$SOURCE/tests/cli/expect.bash"
unset COLLINE_CONFIG COLLINE_DATA_DIR COLLINE_KAFKA_BROKERS COLLINE_STORE
shim=$(dirname "$COLLINE")/tests/libdie_at.so
cat >t.hql <<'SQL'
insert overwrite table dws.t select id, sum(amt) as amt from dwd.s group by id;
SQL
statement=$("$COLLINE" lineage --format jsonl t.hql | python3 -c 'import json; print(json.dumps(json.loads(input())["statements"][0]))')
for id in a b c; do
    printf '{"v":1,"query_id":"%s","revision":1,"generation":0,"engine":"hive","user":"ann","database":"default","timestamp":1764547200000,"duration_ms":5,' "$id"
    printf '"status":"OK","operation_type":"OVERWRITE","input_tables":["dwd.s"],"output_tables":["dws.t"],"sql":"insert overwrite","event_time":1764547200005,'
    printf '"processing_time":1764547200006,"sources":[{"source":"web","kinds":["QUERY"]}],"is_valid":true,"lineage":%s}\n' "$statement"
done >events.jsonl
"$COLLINE" load --store whole.db --from events.jsonl 2>/dev/null
"$COLLINE" store dump --canonical --store whole.db >expected

look() { # AT: a reader gets an answer, or words that say what to do
    local status=0 words
    "$COLLINE" trace --store s.db dws.t >out 2>err || status=$?
    words=$(cat err)
    case "$status $words" in
    "0 "*) answered=$((answered + 1)) ;;
    "1 colline: the store knows no table or column dws.t"* | "3 colline: s.db: this is no store yet: nothing was loaded into it"* | \
        "3 colline: s.db: the store is of version "*"\`colline load\` brings it up to date"*) told=$((told + 1)) ;;
    "3 colline: s.db: unable to open database file") [ ! -e s.db ] || { echo "killed at $1: $words"; exit 1; } ;;
    *)
        echo "killed at $1, a reader gets status $status: $words"
        exit 1
        ;;
    esac
}

# All of the first changes, by which the file is made, then some.
answered=0 told=0 status=137
for ((at = 1; status != 0; at += at < 20 ? 1 : 9)); do
    rm -f s.db*
    status=0
    { LD_PRELOAD=$shim ASAN_OPTIONS=verify_asan_link_order=0 COLLINE_DIE_AT=$at "$COLLINE" load --store s.db --from events.jsonl >out || status=$?; } 2>/dev/null
    [ "$status" = 137 ] || [ "$status" = 0 ] || { echo "killed at $at: status $status"; exit 1; }
    look "$at"
    "$COLLINE" load --store s.db --from events.jsonl 2>/dev/null
    "$COLLINE" store dump --canonical --store s.db | cmp - expected
done
[ "$at" -gt 100 ] && [ "$answered" -gt 3 ] && [ "$told" -gt 10 ] || { echo "of $at changes $answered answered, $told told"; exit 1; }

# Of the journal that was left when the file was made nothing is lost, nor is a reader in the way of it.
rm -f s.db*
python3 - <<'PY'
import shutil, sqlite3
db = sqlite3.connect('made.db', isolation_level=None)
db.executescript('pragma journal_mode = delete; pragma cache_size = 1; create table t (x); begin')
db.executemany('insert into t values (?)', (('x' * 1000,) for _ in range(1000)))  # more than the cache: pages and their journal are in the files
for end in ('', '-journal'):
    shutil.copy('made.db' + end, 's.db' + end)
PY
[ -s s.db-journal ]
status=0
"$COLLINE" trace --store s.db dws.t 2>err || status=$?
[ "$status" = 3 ] && grep -q "this is no store yet" err || { echo "a journal is left: status $status"; cat err; exit 1; }
[ ! -e s.db-journal ]
[ "$(python3 -c 'import sqlite3; print(sqlite3.connect("s.db").execute("select count(*) from t").fetchone()[0])')" = 0 ]

# Where nobody can write beside it.
cp whole.db s.db
ln -s nowhere s.db-shm
status=0
"$COLLINE" trace --store s.db dws.t 2>err || status=$?
[ "$status" = 3 ] && grep -q "you may not write beside it" err || { echo "no file beside it: status $status"; cat err; exit 1; }
