# capture: what it reads and where it goes on, from files, archives and folders of SQL; what it says when something is wrong.
. "$SOURCE/tests/cli/expect.bash"
unset COLLINE_CONFIG COLLINE_DATA_DIR COLLINE_KAFKA_BROKERS

id=4d4f5a1c2b3e9f01:8a7b6c5d00000000
head="[INFO] 2026-03-15 14:22:33,456 QueryId: $id"
configure() { # SOURCE...: one cluster, these sources
    printf '%s\n' 'data_dir: data' 'http: {port: 0}' 'log: {level: warning}' 'clusters: [{name: c, time_zone: Asia/Shanghai}]' 'sources:' "$@" >c.yaml
}
short() { # the records without what differs from run to run
    python3 -c '
import json, sys
for line in sys.stdin:
    r = json.loads(line)
    for name in ("v", "captured_at", "query_id", "cluster", "database"):
        r.pop(name, None)
    print(json.dumps({**r, "position": r["position"].get("offset", 0)}, separators=(",", ":")).replace("\"", ""))' | sort
}

mkdir -p logs/h1 logs/h2 sql
configure '  - {kind: daemon-log, name: d, cluster: c, paths: "logs/*/impalad.INFO*", host: "{1}", max_line: 4096, interval: 100ms}'
printf '%s\n' "$head User: ann Sql: select" ' 1' "$head InputTables: [a]" >logs/h1/impalad.INFO
printf '%s' "$head Status: OK, Dur" >logs/h2/impalad.INFO
quiet 0 "$COLLINE" capture -c c.yaml --to out --once
short <out >got
diff got - <<'END'
{source:daemon-log,kind:INPUT,host:h1,position:99,time_ms:1773555753456,level:INFO,tables:[a]}
{source:daemon-log,kind:START,host:h1,position:0,time_ms:1773555753456,level:INFO,user:ann,sql:select\n 1}
END

# It goes on where it was: half a line when its rest is there; a record that is too long is passed over.
{
    printf 'ation: 5ms\n%s User: u Sql: ' "$head"
    head -c 100000 /dev/zero | tr '\0' x
    printf '\nnonsense\n%s What: x\n%s ScanNode: /w/t\n' "$head" "$head"
} >>logs/h2/impalad.INFO
# An archive is read, but not one of what was read already.
printf '%s\n' "$head OutputTables: [z]" | gzip >logs/h1/impalad.INFO.2.gz
gzip <logs/h1/impalad.INFO >logs/h1/impalad.INFO.1.gz
rm out
"$COLLINE" capture -c c.yaml --to out --once 2>err
short <out >got
diff got - <<'END'
{source:daemon-log,kind:FINISH,host:h2,position:0,time_ms:1773555753456,level:INFO,status:OK,duration_ms:5}
{source:daemon-log,kind:OUTPUT,host:h1,backfill:true,position:0,time_ms:1773555753456,level:INFO,tables:[z]}
{source:daemon-log,kind:SCAN,host:h2,position:100279,time_ms:1773555753456,level:INFO,path:/w/t}
END
sed 's/^[^ ]* //' err | diff - <(echo "WARNING capture.too_long logs/h2/impalad.INFO: the record at byte 100 is longer than max_line (4096 bytes); it is passed over"
    echo "WARNING capture.parse logs/h2/impalad.INFO: 82 bytes at byte 100197 cannot be read (kind); they are passed over")
quiet 0 "$COLLINE" capture -c c.yaml --to - --once

# A first start reads what comes from then on; --since what is younger, archives too.
rm -r data out
"$COLLINE" capture -c c.yaml --to out &
capture=$!
until [ -s data/positions.json ] && grep -q h2 data/positions.json; do sleep 0.05; done
echo "$head ScanNode: /w/late" >>logs/h1/impalad.INFO
until [ -s out ]; do sleep 0.05; done
kill $capture
wait $capture
short <out | diff - <(echo '{source:daemon-log,kind:SCAN,host:h1,position:190,time_ms:1773555753456,level:INFO,path:/w/late}')
rm -r data out
"$COLLINE" capture -c c.yaml --to - --once --since 2026-03-15T06:22:34
rm -r data
gzip <logs/h1/impalad.INFO >logs/h1/impalad.INFO.1.gz
"$COLLINE" capture -c c.yaml --to - --once --since 2026-03-15T06:22 2>/dev/null | short | grep -c backfill:true | diff - <(echo 6)

# Privacy: before anything is written.
configure '  - {kind: sql-file, cluster: c, paths: sql, host: box}' 'sql_text: redacted'
echo "select 'secret', 42 -- comment" >sql/a.sql
cp sql/a.sql sql/b.sql
"$COLLINE" capture -c c.yaml --to out --once
python3 -c 'import json; r = [json.loads(line) for line in open("out")]; print(len(r), r[0]["kind"], r[0]["host"], r[0]["sql"].strip())' |
    diff - <(echo "1 QUERY box select '?', 0")
cp sql/a.sql sql/c.sql
echo 'select 1' >>sql/b.sql
"$COLLINE" capture -c c.yaml --to out --once
wc -l <out | diff - <(echo 2)

# What is wrong is said once, and ends it where nothing can be done.
quiet 2 "$COLLINE" capture -c c.yaml
quiet 2 "$COLLINE" capture -c c.yaml --to out --since yesterday
quiet 2 "$COLLINE" capture -c c.yaml --to out more
quiet 2 "$COLLINE" capture -c nowhere.yaml --to out
quiet 3 "$COLLINE" capture -c c.yaml --to nowhere/out --once
echo '{' >data/positions.json
"$COLLINE" capture -c c.yaml --to out --once 2>err
grep -q 'capture.positions data/positions.json: the positions cannot be read and were put aside' err
[ -s data/positions.json.damaged ]

# What an archive ends with is read to its end: a statement of two lines, with a line break behind it and without.
rm -r data out logs
mkdir logs
printf '%s\n' "$head OutputTables: [z]" "$head User: ann Sql: select" ' 2' | gzip >logs/a.INFO.1.gz
printf '%s\n%s' "$head OutputTables: [y]" "$head User: ann Sql: select" | gzip >logs/b.INFO.1.gz
configure '  - {kind: daemon-log, cluster: c, paths: "logs/*", host: box}'
"$COLLINE" capture -c c.yaml --to out --once
short <out | cut -d, -f2- | sort >got
diff got - <<'END'
kind:OUTPUT,host:box,backfill:true,position:0,time_ms:1773555753456,level:INFO,tables:[y]}
kind:OUTPUT,host:box,backfill:true,position:0,time_ms:1773555753456,level:INFO,tables:[z]}
kind:START,host:box,backfill:true,position:92,time_ms:1773555753456,level:INFO,user:ann,sql:select\n 2}
kind:START,host:box,backfill:true,position:92,time_ms:1773555753456,level:INFO,user:ann,sql:select}
END
