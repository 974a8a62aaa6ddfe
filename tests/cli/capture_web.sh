# capture from a daemon's web pages, a stand-in that forgets and misbehaves as a daemon does: what comes, what is said, what is counted.
. "$SOURCE/tests/cli/expect.bash"
unset COLLINE_CONFIG COLLINE_DATA_DIR COLLINE_KAFKA_BROKERS
web=$SOURCE/tests/services/impala_web

a=000000000000000a:00000000000000a0 b=000000000000000b:00000000000000b0 c=000000000000000c:00000000000000c0
daemon='' capture=''
trap 'kill $daemon $capture 2>/dev/null || true' EXIT
start_daemon() {
    rm -f port
    python3 "$web" serve --port-file port "$@" 2>/dev/null &
    daemon=$!
    until [ -s port ]; do sleep 0.02; done
    port=$(cat port)
}
stop_daemon() {
    kill $daemon
    wait $daemon 2>/dev/null || true
    daemon=''
}
tell() { # WORD JSON
    python3 "$web" ask "$port" "/do/$1" "$2" >/dev/null
}
configure() { # MORE KEYS of the source, INTERVAL
    printf '%s\n' 'data_dir: data' 'http: {port: 0}' 'log: {level: info}' 'clusters: [{name: c, time_zone: UTC}]' \
        "sources: [{kind: web, name: w, cluster: c, host: h, url: 'http://127.0.0.1:$port', interval: ${2:-100ms}, timeout: 8s $1}]" >c.yaml
}
start_capture() {
    "$COLLINE" capture -c c.yaml --to out 2>err &
    capture=$!
}
stop_capture() {
    kill $capture
    wait $capture
    capture=''
}
wait_for() { # TEXT FILE
    for _ in $(seq 2400); do
        grep -q -- "$1" "$2" && return
        sleep 0.05
    done
    echo "FAILED: no '$1' in $2:"
    cat "$2"
    exit 1
}
short() { # the records in the order of their ids and cursors, without what differs from run to run
    python3 -c '
import json, sys
rows = []
for line in open("out", encoding="utf-8"):
    r = json.loads(line)
    for name in ("v", "source", "captured_at", "cluster", "host", "database", "time_ms"):
        r.pop(name, None)
    r["start_ms"] = r["start_ms"] > 1e12
    if "end_ms" in r:
        r["end_ms"] = r["end_ms"] > 1e12
    if len(r.get("sql", "").encode()) > 250:
        r["sql"] = "%d bytes %s" % (len(r["sql"].encode()), r["sql"][-4:])
    r["position"] = r["position"]["cursor"].split("/")[1]
    r["query_id"] = r["query_id"][15]
    rows.append(json.dumps(r, separators=(",", ":"), ensure_ascii=False).replace("\"", ""))
print("\n".join(sorted(rows)))'
}

# A query that runs, one that had failed, one whose text is cut inside a character; its whole text is fetched.
start_daemon --log-size 4
configure '' 1s # texts are fetched in the half of it
long=$(python3 -c 'print("select \\n" + "订单" * 50)')
tell submit "{\"id\": \"$a\", \"sql\": \"$long\", \"stmt_type\": \"DML\"}"
tell submit "{\"id\": \"$b\", \"sql\": \"select b\"}"
tell close "{\"id\": \"$b\", \"state\": \"EXCEPTION\", \"status\": \"Memory limit exceeded\", \"duration\": \"1s045ms\"}"
touch out
start_capture
wait_for "$a" out
wait_for "$b" out
tell close "{\"id\": \"$a\", \"duration\": \"45.210ms\"}"
wait_for "$a/end" out
short >got
diff got - <<'END'
{kind:FINISH,query_id:a,position:end,user:ann,statement_type:DML,status:OK,state:FINISHED,start_ms:true,end_ms:true,duration_ms:45}
{kind:QUERY,query_id:a,position:start,user:ann,statement_type:DML,state:RUNNING,start_ms:true,sql:308 bytes 订单订单}
{kind:QUERY,query_id:b,position:end,user:ann,statement_type:QUERY,status:ERROR,state:EXCEPTION,error:Memory limit exceeded,start_ms:true,end_ms:true,duration_ms:1045,sql:select b}
END

# Nothing twice after a stop; what ended meanwhile comes.
stop_capture
tell submit "{\"id\": \"$c\", \"sql\": \"select c\"}"
tell close "{\"id\": \"$c\", \"state\": \"EXCEPTION\", \"status\": \"Cancelled by user\"}"
start_capture
wait_for "$c" out
[ "$(wc -l <out)" = 4 ]
grep -q '"status":"CANCELLED","state":"EXCEPTION","error":"Cancelled by user"' out

# Each trouble is said once, and that it is over; what was missed is found afterwards.
stop_capture
configure ''
start_capture
for trouble in refused half error garbage slow; do
    tell mode "{\"mode\": \"$trouble\"}"
    case $trouble in
    refused) wait_for 'web.refused w: .*HTTP status 401: the daemon does not let us in' err ;;
    half) wait_for 'web.half_answer w: ' err ;;
    error) wait_for 'web.error w: .*the daemon says: the catalog is not ready' err ;;
    garbage) wait_for 'web.bad_answer w: .*the answer cannot be read' err ;;
    slow) wait_for 'web.no_answer w: ' err ;;
    esac
done
tell many '{"count": 2, "first": 256}'
tell mode '{"mode": "ok"}'
wait_for '0000000000000101:' out
wait_for 'web.back w: ' err
# (That the daemon is slow may be said too, on a machine that is.)
grep -o 'WARNING web\.[a-z_]*' err | grep -v 'web\.load' | sort >troubles
printf 'WARNING web.%s\n' bad_answer error half_answer no_answer refused | diff - troubles

# The list turned over between two looks: said, with how many.
tell many '{"count": 12, "first": 512}'
wait_for 'WARNING web.incomplete w: .*queries ended without being seen' err
stop_capture
[ "$(sort out | uniq -d | wc -l)" = 0 ]

# Killed again and again: every end once.
for round in 1 2 3 4; do
    tell many "{\"count\": 3, \"first\": ${round}000}"
    start_capture
    wait_for "$(printf '%016x:' ${round}002)" out
    kill -9 $capture
    wait $capture 2>/dev/null || true
done
[ "$(grep -o '"cursor":"[^"]*"' out | sort | uniq -d | wc -l)" = 0 ]
[ "$(grep -c "$(printf '%016x:\\|' 4000 4001)$(printf '%016x:' 4002)" out)" = 3 ]

# With a password; one page only.
stop_daemon
start_daemon --password secret
tell many '{"count": 3, "first": 16}'
configure ", auth: basic, user: colline, password: secret"
rm -r data out
"$COLLINE" capture -c c.yaml --to out --once 2>err
[ "$(wc -l <out)" = 3 ]
configure ", auth: basic, user: colline, password: wrong"
rm -r data out
"$COLLINE" capture -c c.yaml --to out --once 2>err
[ ! -s out ]
grep -q 'web.refused' err

# A password within the address opens the door, and stands nowhere else: not in the log, nor in records, positions or metrics.
http=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
configure ''
sed -i "s#http://127#http://colline:secret@127#; s/port: 0/port: $http/; s/level: info/level: debug/" c.yaml
rm -rf data out
touch out
start_capture
wait_for '"query_id"' out
python3 "$web" ask "$http" /metrics >metrics
grep -q 'colline_web_polls_total{source="w"}' metrics
tell mode '{"mode": "refused"}'
wait_for 'web.refused w: http://127.0.0.1:' err
stop_capture
grep -q 'warning: `url` has a name and a password in it' err
absent -r secret out data err metrics
tell mode '{"mode": "ok"}'
stop_daemon

# By digest; a daemon that wants a Kerberos ticket says so.
start_daemon --password secret --auth digest
tell many '{"count": 3, "first": 16}'
configure ", auth: digest, user: colline, password: secret"
rm -rf data out
"$COLLINE" capture -c c.yaml --to out --once 2>err
[ "$(wc -l <out)" = 3 ]
configure ", auth: basic, user: colline, password: secret"
rm -r data out
"$COLLINE" capture -c c.yaml --to out --once 2>err
[ ! -s out ]
grep -q 'web.refused w: .*HTTP status 401: the daemon does not let us in; it wants `auth: digest`' err
stop_daemon
start_daemon --auth negotiate
configure ", auth: negotiate"
rm -r data out
"$COLLINE" capture -c c.yaml --to out --once 2>err
[ ! -s out ]
grep -q 'web.refused w: .*the daemon wants a Kerberos ticket, and none that it takes is there' err
stop_daemon
rm -r data out
"$COLLINE" capture -c c.yaml --to out --once 2>err
grep -q 'web.no_answer' err
