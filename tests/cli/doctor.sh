# doctor: every kind of trouble that needs no broker, as it is told, one after the other; nothing is changed by looking.
. "$SOURCE/tests/cli/expect.bash"
unset COLLINE_CONFIG COLLINE_DATA_DIR COLLINE_KAFKA_BROKERS COLLINE_HTTP_PORT
web=$SOURCE/tests/services/impala_web
daemon='' service=''
trap 'kill $daemon $service 2>/dev/null || true' EXIT

# doctor STATUS [OPTION...]: what it prints, without what differs from run to run, must be what stands on standard input.
doctor() {
    local wanted=$1 status=0
    shift
    "$COLLINE" doctor -c c.yaml "$@" >raw 2>stderr || status=$?
    sed -E "s/[0-9]+ (s|min) (ago|ahead|before|old)/N \1 \2/; s/looks as [^,]*/looks as ME/; s#127.0.0.1:$port#HOST#g; s/port $port/PORT/
            s/after [0-9]+ ms/after N ms/; s/[0-9]+ MiB are free/N MiB are free/; s/opened, [0-9]+ MiB/opened, N MiB/" raw >got
    diff -u - got || { echo "FAILED: doctor $*"; exit 1; }
    [ $status = "$wanted" ] && [ ! -s stderr ] || { echo "FAILED: exit status $status, expected $wanted"; cat stderr; exit 1; }
}
look() { # as the user of $other, where one is named
    "${other[@]}" "$COLLINE" doctor -c c.yaml || [ $? != 2 ]
}
other=()
configure() { # SOURCES [MORE LINES]
    printf '%s\n' 'data_dir: data' 'http: {port: 0}' 'clusters: [{name: c, time_zone: UTC}]' "sources: [$1]" "${2:-}" >c.yaml
}
port=none
line() { # TIME QUERY
    printf '[INFO] %s,000 QueryId: 00000000-0000-0000-0000-00000000000%s Status: OK, Duration: 1ms\n' "$1" "$2"
}
now() { date -u -d "${1:-now}" '+%F %T'; }
log="{kind: daemon-log, name: d, cluster: c, paths: '$TMP/logs/*.INFO'}"

# ---- the configuration ----
printf 'clusters: [{nmae: c}]\n' >c.yaml
doctor 3 <<'END'
fail  configuration c.yaml: line 1, column 13: unknown key `nmae`
fail  configuration c.yaml: line 1, column 12: `name` is missing
0 ok, 0 warnings, 2 failures
END
printf 'data_dir: data\nhttp: {port: 0}\n' >c.yaml
doctor 1 <<'END'
ok    configuration c.yaml: 0 clusters, 0 sources, without Kafka
warn  configuration c.yaml: there is nothing to capture
                    do: name `sources`, or `kafka.brokers` where other machines capture
ok    user          looks as ME
ok    data          data: is not there yet: it is made at the first start
3 ok, 1 warning, 0 failures
END
rm c.yaml
doctor 3 <<'END'
fail  configuration c.yaml: cannot read it: No such file or directory
0 ok, 0 warnings, 1 failure
END
for wrong in 'more' '--nonsense'; do
    quiet 2 "$COLLINE" doctor $wrong
done

# ---- all is well; as text and for scripts ----
mkdir logs data
line "$(now)" 1 >logs/a.INFO
configure "$log"
doctor 0 <<END
ok    configuration c.yaml: 1 cluster, 1 source, without Kafka
ok    files         d: 1 file of 1 KiB can be read
ok    fresh         d: $TMP/logs/a.INFO was written N s ago
ok    clock         d: the newest record is N s old
ok    parsing       d: all of the last 1 records can be read
ok    flags         d: not known: no file there begins with a start of the daemon
ok    user          looks as ME
ok    positions     data: none yet: nothing was captured so far
ok    disk          data: N MiB are free
9 ok, 0 warnings, 0 failures
END
"$COLLINE" doctor -c c.yaml --json >json
python3 - <<'END'
import json
found = json.load(open("json", encoding="utf-8"))
assert (found["status"], found["ok"], found["warnings"], found["failures"]) == ("ok", 9, 0, 0)
assert found["checks"][1] == {"level": "ok", "check": "files", "about": "d", "text": "1 file of 1 KiB can be read", "todo": ""}
END
[ -z "$(ls data)" ]

# ---- patterns and rights ----
configure "{kind: daemon-log, name: d, cluster: c, paths: ['$TMP/nowhere/x/*.INFO', '$TMP/logs/*.LOG']}"
look | sed -n 2,5p | diff -u <(cat <<END
fail  files         d: nothing matches $TMP/nowhere/x/*.INFO: there is no $TMP/nowhere
                    do: correct \`paths\`, or look whether the daemon has ever run here and where its log goes
fail  files         d: nothing matches $TMP/logs/*.LOG: $TMP/logs holds nothing of such a name
                    do: correct \`paths\`, or look whether the daemon has ever run here and where its log goes
END
) -

# As another user where this one may read everything.
if [ "$(id -u)" = 0 ]; then
    other=(setpriv --reuid 65534 --regid 65534 --clear-groups)
    chmod 755 .
fi
told_of_files() { # what stands on standard input must be what is told of files, without who looked and whose they are
    cat >"$TMP/wanted"
    look | grep -A1 '^[a-z]*  *files' | grep '^[a-z]*  *files\|^  *do:' |
        sed -E 's/[^ ]+ \(uid [0-9]+\)/ME/; s/ [^ ]+:[^ ]+\)$/ US)/; s/u:[^:]*:/u:ME:/' | diff -u wanted -
}
configure "$log"
chmod 311 logs
told_of_files <<END
fail  files         d: nothing matches $TMP/logs/*.INFO: ME may not list $TMP/logs (-wx--x--x US)
                    do: setfacl -m u:ME:rx $TMP/logs
END
chmod 755 logs
chmod 200 logs/a.INFO
told_of_files <<END
fail  files         d: ME may not read $TMP/logs/a.INFO (-w------- US)
                    do: setfacl -m u:ME:r $TMP/logs/a.INFO
END
chmod 644 logs/a.INFO
chmod 640 logs
configure "{kind: daemon-log, name: d, cluster: c, paths: '$TMP/logs/a.INFO'}"
chmod 600 logs
told_of_files <<END
fail  files         d: nothing matches $TMP/logs/a.INFO: ME may not enter $TMP/logs (rw------- US)
                    do: setfacl -m u:ME:rx $TMP/logs
END
chmod 755 logs
nobody=("${other[@]}")
other=()

# ---- old logs, clocks, zones, lines that are no records ----
configure "$log"
touch -d '5 days ago' logs/a.INFO
doctor 1 <<END
ok    configuration c.yaml: 1 cluster, 1 source, without Kafka
ok    files         d: 1 file of 1 KiB can be read
warn  fresh         d: $TMP/logs/a.INFO was last written 5 days ago
                    do: if queries ran since, the daemon writes elsewhere: compare \`paths\` with its --log_dir; or its disk is full
ok    clock         d: the newest record is N s old
ok    parsing       d: all of the last 1 records can be read
ok    flags         d: not known: no file there begins with a start of the daemon
ok    user          looks as ME
ok    positions     data: none yet: nothing was captured so far
ok    disk          data: N MiB are free
8 ok, 1 warning, 0 failures
END
told() { # CHECK: what is told of it must be what stands on standard input
    cat >"$TMP/wanted"
    look | grep -A1 "^[a-z]*  *$1 " | grep "^[a-z]*  *$1 \|^  *do:" |
        sed -E "s#127.0.0.1:$port#HOST#g; s/port $port/PORT/; s/after [0-9]+ ms/after N ms/; s/[0-9]+ MiB are free/N MiB are free/" |
        diff -u wanted - || { echo "FAILED: $1"; exit 1; }
}
line "$(now '+8 hours')" 1 >logs/a.INFO
told clock <<'END'
warn  clock         d: the newest record is 7 h ahead of this machine's clock
                    do: set `time_zone` of the cluster c, UTC by now, to the zone in which the daemon's log tells the time
END
line "$(now '+100 seconds')" 1 >logs/a.INFO
told clock <<'END'
warn  clock         d: the newest record is 1 min ahead of this machine's clock
                    do: set the clocks of both machines by NTP: timedatectl set-ntp true
END
line "$(now '-8 hours')" 1 >logs/a.INFO
told clock <<'END'
warn  clock         d: the last record says a time 8 h before it was written
                    do: set `time_zone` of the cluster c, UTC by now, to the zone in which the daemon's log tells the time
END
printf 'one\ntwo\n' >logs/a.INFO
told parsing <<END
warn  parsing       d: none of the last 2 lines is a record of this kind
                    do: look whether \`kind\` fits $TMP/logs/a.INFO; \`colline capture --to - --once --from-beginning\` shows what is read
END
for n in 1 2 3; do line "$(now)" $n; done >logs/a.INFO
printf '[INFO] %s,000 QueryId: 00000000-0000-0000-0000-000000000004 Status OK\n' "$(now)" >>logs/a.INFO
told parsing <<END
fail  parsing       d: 1 of the last 4 records cannot be read, most often \`kind\`
                    do: metric colline_capture_parse_failures_total counts them by code; look at the lines in $TMP/logs/a.INFO
END

# ---- Hive's hook, SQL files, hosts ----
mkdir hive sql
printf '2026-03-01T10:11:12,345  INFO [main] ql.Driver: OK\n' >hive/h.log
configure "{kind: hive-hook, name: h, cluster: c, paths: '$TMP/hive/h.log'}, {kind: sql-file, name: s, cluster: c, paths: '$TMP/sql'}"
told hook <<'END'
warn  hook          h: no line of Hive's LineageLogger in the last 1 KiB
                    do: hive-site.xml of HiveServer2: hive.exec.post.hooks must name org.apache.hadoop.hive.ql.hooks.LineageLogger; 4.0 also needs hive.lineage.hook.info.enabled=true, later ones hive.lineage.statement.filter=ALL; its logger must be at INFO
END
told_of_files <<END
ok    files         h: 1 file of 1 KiB can be read
fail  files         s: nothing matches $TMP/sql: it holds no file
                    do: correct \`paths\`, or look whether the daemon has ever run here and where its log goes
END

# ---- flags, from the head of the log and from the page ----
flags() { # FLAG=VALUE...: a file that begins with a start of the daemon
    printf 'Log file created at: 2026/03/15 00:00:00\nI0315 00:00:00.000001 1 logging.cc:1] Flags (see also /varz are on debug webserver):\n'
    printf -- '--%s\n' "$@" 'hostname=h' 'redaction_rules_file='
    line "$(now)" 1
}
flags v=0 logbufsecs=30 max_log_files=1 redirect_stdout_stderr=false log_query_to_file=false lineage_event_log_dir= \
    abort_on_failed_lineage_event=true >logs/a.INFO
touch logs/l.log
configure "{kind: daemon-log, name: d, cluster: c, paths: '$TMP/logs/a.INFO'}, {kind: glog, name: g, cluster: c, paths: '$TMP/logs/none.*'}, \
    {kind: profile-log, name: p, cluster: c, paths: '$TMP/logs/none'}, {kind: lineage-log, name: l, cluster: c, paths: '$TMP/logs/l.log'}"
told flags <<'END'
fail  flags         d: --lineage_event_log_dir=: no lineage log is written
                    do: start impalad with --lineage_event_log_dir=/var/log/impalad/lineage
warn  flags         d: --abort_on_failed_lineage_event=true: a full disk under the lineage log stops the daemon
                    do: start impalad with --abort_on_failed_lineage_event=false
fail  flags         d: --log_query_to_file=false: no profile log is written
                    do: start impalad with --log_query_to_file=true
fail  flags         d: --v=0: the lines that tell of queries are of level 1 and are not written
                    do: start impalad with --v=1
warn  flags         d: --max_log_files=1: a file is removed as soon as the next begins, perhaps before it was read
                    do: start impalad with --max_log_files=10
warn  flags         d: --logbufsecs=30: lines stay in the daemon's memory for so many seconds
                    do: start impalad with --logbufsecs=5, or 0 for lines at once
warn  flags         d: --redirect_stdout_stderr=false: what is written to standard output is not in the INFO file
                    do: start impalad with --redirect_stdout_stderr=true, or read the file that standard output goes to
ok    flags         g: not known: no file there begins with a start of the daemon
END
flags v=1 logbufsecs=5 redaction_rules_file=/etc/rules.json >logs/a.INFO
configure "{kind: glog, name: g, cluster: c, paths: '$TMP/logs/a.INFO'}"
told flags <<'END'
ok    flags         g: 5 flags, told by the log: as they should be
ok    flags         g: --redaction_rules_file=/etc/rules.json: texts come as the daemon's own rules leave them
END

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
page() { # MORE KEYS
    configure "{kind: web, name: w, cluster: c, url: 'http://127.0.0.1:$port', timeout: 1s $1}"
}
start_daemon
tell many '{"count": 3, "first": 16}'
page ''
told pages <<'END'
ok    pages         w: http://HOST tells of 3 queries
END
told flags <<'END'
ok    flags         w: 3 flags, told by /varz: as they should be
END
for size in 0 -1 50; do
    tell flags "{\"query_log_size\": \"$size\"}"
    look | grep '^.... *flags'
done >sizes || true
diff -u - sizes <<'END'
fail  flags         w: --query_log_size=0: no ended query is kept: only what runs at a poll is seen
warn  flags         w: --query_log_size=-1: ended queries are kept for ever, and every poll gets all of them
warn  flags         w: --query_log_size=50: so few ended queries are kept that a busy second pushes them all out
END

# ---- pages that do not answer as they should ----
tell mode '{"mode": "error"}'
told pages <<'END'
fail  pages         w: http://HOST says: the catalog is not ready
                    do: the daemon is not well itself: look at its log
END
tell mode '{"mode": "garbage"}'
told pages <<'END'
fail  pages         w: http://HOST/queries?json cannot be read: expected a value
                    do: look whether `url` is that of impalad's web server, without a proxy between
END
tell mode '{"mode": "slow"}'
look | grep '^fail  pages         w: http://.* does not answer: Operation timed out after' >/dev/null
stop_daemon
told pages <<'END'
fail  pages         w: http://HOST does not answer: Failed to connect to 127.0.0.1 PORT after N ms: Couldn't connect to server
                    do: look whether impalad runs, and whether its port can be reached from here; with a certificate it wants https://
END
for auth in basic digest; do
    start_daemon --password hush --auth $auth
    page ''
    told pages <<END
fail  pages         w: http://HOST: HTTP status 401: the daemon does not let us in; it wants \`auth: $auth\`
                    do: set \`auth\` of this source, with its \`user\` and \`password\` or \`token\`, as the daemon's --webserver_… flags ask
END
    page ", auth: $auth, user: colline, password: wrong-hush"
    told pages <<'END'
fail  pages         w: http://HOST: HTTP status 401: the daemon does not let us in; look at `auth`, `user`, `password` and `token`
                    do: set `auth` of this source, with its `user` and `password` or `token`, as the daemon's --webserver_… flags ask
END
    look >told
    absent hush told
    page ", auth: $auth, user: colline, password: hush"
    told pages <<'END'
ok    pages         w: http://HOST tells of 0 queries
END
    stop_daemon
done
start_daemon --auth negotiate
page ', auth: negotiate'
told pages <<'END'
fail  pages         w: http://HOST: HTTP status 401: the daemon wants a Kerberos ticket, and none that it takes is there: kinit, or KRB5_CLIENT_KTNAME in the environment
                    do: set `auth` of this source, with its `user` and `password` or `token`, as the daemon's --webserver_… flags ask
END
stop_daemon

# ---- the data folder ----
configure "$log" 'kafka: {brokers: ["127.0.0.1:1"]}'
line "$(now)" 1 >logs/a.INFO
echo '{"v":1,"output_length":0,"files":[' >data/positions.json
for n in 1 2 3 4 5 6 7; do
    echo short >"logs/$n"
    printf '%s{"source":"d","path":"%s","device":1,"inode":%d,"offset":%d}\n' "$([ $n = 1 ] || echo ,)" "$TMP/logs/$n" \
        "$(stat -c %i "logs/$n")" $((n * 2))
done >>data/positions.json
echo ']}' >>data/positions.json
told positions <<END
warn  positions     data: $TMP/logs/4: read up to byte 8, but has 6 bytes
                    do: it was cut: it is read from its beginning; rotate by renaming, which loses nothing
warn  positions     data: $TMP/logs/5: read up to byte 10, but has 6 bytes
                    do: it was cut: it is read from its beginning; rotate by renaming, which loses nothing
warn  positions     data: $TMP/logs/6: read up to byte 12, but has 6 bytes
                    do: it was cut: it is read from its beginning; rotate by renaming, which loses nothing
warn  positions     data: $TMP/logs/7: read up to byte 14, but has 6 bytes
                    do: it was cut: it is read from its beginning; rotate by renaming, which loses nothing
END
echo nonsense >data/positions.json
told positions <<'END'
fail  positions     data: positions.json cannot be read
                    do: put it back from a backup, or start: it is put aside then, and everything is read from its beginning
END
[ "$(ls data)" = positions.json ]
mkdir -m 755 data/spool
truncate -s 600M data/spool/segment
chmod 640 data/spool/segment
told spool <<'END'
fail  spool         data: others may read statements: data/spool has the mode 0755
                    do: chmod 0700 data/spool
fail  spool         data: others may read statements: data/spool/segment has the mode 0640
                    do: chmod 0600 data/spool/segment
warn  spool         data: 600 MiB, 62 % of limits.spool
                    do: the broker does not take what is read: look at the findings about it; at 100 % reading stops, and nothing is lost as long as the logs are kept
END
rm -r data/spool data/positions.json
told broker <<'END'
fail  broker        127.0.0.1:1: cannot be used: 127.0.0.1:1/bootstrap: Connect to ipv4#127.0.0.1:1 failed: Connection refused
                    do: look whether the broker runs, whether a firewall stands between, and whether kafka.security is the protocol of this port; meanwhile records are kept in the spool
END
configure "$log" 'kafka: {brokers: ["nowhere.invalid:9092"], properties: [bugs=many]}'
told broker <<'END'
fail  broker        nowhere.invalid:9092: the settings are refused: bugs: No such configuration property: "bugs"
                    do: correct the keys under `kafka`, `properties` above all
END
rmdir data
if [ ${#nobody[@]} -gt 0 ]; then
    other=("${nobody[@]}")
    told data <<'END'
fail  data          data: is not there, and this user may not make it
                    do: make it and chown it to the user of the service: install -d -m 0750 -o colline -g colline data
END
    other=()
fi
told data <<'END'
ok    data          data: is not there yet: it is made at the first start
END

# ---- the state, the service ----
configure "$log"
"$COLLINE" serve --data data -c c.yaml --once 2>/dev/null
told state <<END
ok    state         data/state.db: can be opened, 0 MiB
END
told store <<'END'
ok    store         data/colline.db: can be opened
END
echo nonsense, and more of it >data/colline.db
rm -f data/colline.db-*
told store <<'END'
fail  store         data/colline.db: cannot be opened: file is not a database
                    do: chown the file to the user of the service, or put back a backup; a newer store needs this program updated
END
rm data/colline.db
configure "$log" 'store: {address: "postgresql://ann:hush@127.0.0.1:1/colline"}'
look | grep '^fail  store  *postgresql://127.0.0.1:1/colline: cannot be opened: ' >told
absent hush told
configure "$log"
head -c 100 /dev/urandom >data/state.db
rm -f data/state.db-*
told state <<'END'
fail  state         data/state.db: cannot be read: file is not a database
                    do: stop the service, then put back the last backup of the data folder; or chown the file to the user of the service
END
rm data/state.db
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
sed -i "s/port: 0/port: $port/" c.yaml
told service <<'END'
warn  service       HOST: no service answers: Failed to connect to 127.0.0.1 PORT after N ms: Couldn't connect to server
                    do: start it: systemctl start colline-serve (or colline-capture, -normalize@1, -load, -web), and look at its log
END
"$COLLINE" serve --data data -c c.yaml 2>/dev/null &
service=$!
for _ in $(seq 200); do
    look | grep '^ok    service' >/dev/null && break
    sleep 0.05
done
told service <<'END'
ok    service       HOST: a service runs and is ready
END
kill $service
wait $service
service=''

# ---- others at our addresses ----
answering() { # STATUS BODY: a server that answers everything so; sets $port
    rm -f port
    python3 - "$1" "$2" 2>/dev/null <<'END' &
import http.server, os, sys
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = sys.argv[2].encode()
        self.send_response(int(sys.argv[1]))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
server = http.server.HTTPServer(("127.0.0.1", 0), Answer)
open("port.part", "w").write(str(server.server_address[1]))
os.rename("port.part", "port")
server.serve_forever()
END
    daemon=$!
    until [ -s port ]; do sleep 0.02; done
    port=$(cat port)
}
answering 503 'state: the last batch could not be written'
configure "$log"
sed -i "s/port: 0/port: $port/" c.yaml
told service <<'END'
fail  service       HOST: a service runs and is not well: state: the last batch could not be written
                    do: its log says more; docs/operations.md tells what each means
END
stop_daemon
answering 404 'none of ours'
sed -i "s/port: [0-9]*}/port: $port}/" c.yaml
told service <<'END'
warn  service       HOST: something else answers there, with HTTP status 404
                    do: give the service another http.port
END
page ''
told pages <<'END'
fail  pages         w: http://HOST answers with HTTP status 404
                    do: look whether `url` is that of impalad's web server (port 25000 unless told otherwise)
END
stop_daemon
answering 403 ''
page ''
told pages <<'END'
fail  pages         w: http://HOST: HTTP status 403: the daemon knows us and forbids it: its rights are too few
                    do: set `auth` of this source, with its `user` and `password` or `token`, as the daemon's --webserver_… flags ask
END
stop_daemon

# ---- many of a kind are counted; the audit log's flags; a spool that is nearly full ----
mkdir many
for n in 1 2 3 4 5 6 7; do
    echo x >many/$n
    chmod 200 many/$n
done
configure "{kind: audit-log, name: a, cluster: c, paths: '$TMP/many/*'}, {kind: daemon-log, name: d, cluster: c, paths: '$TMP/logs/a.INFO'}" \
    'kafka: {brokers: ["127.0.0.1:1"]}'
other=("${nobody[@]}")
look | grep '^fail  files' | tail -2 | sed -E 's/: [^ ]+ \(uid [0-9]+\)/: ME/; s/ \(.*//' | diff -u <(cat <<END
fail  files         a: ME may not read $TMP/many/5
fail  files         a: 2 more files cannot be read
END
) -
other=()
flags audit_event_log_dir= abort_on_failed_audit_event=true max_audit_event_log_files=1 logbufsecs=5 >logs/a.INFO
told flags <<'END'
fail  flags         d: --audit_event_log_dir=: no audit log is written
                    do: start impalad with --audit_event_log_dir=/var/log/impalad/audit
warn  flags         d: --abort_on_failed_audit_event=true: a full disk under the audit log stops the daemon
                    do: start impalad with --abort_on_failed_audit_event=false
warn  flags         d: --max_audit_event_log_files=1: a file is removed as soon as the next begins, perhaps before it was read
                    do: start impalad with --max_audit_event_log_files=10
END
mkdir -m 700 data/spool
truncate -s 950M data/spool/segment
chmod 600 data/spool/segment
told spool <<'END'
fail  spool         data: 950 MiB, 99 % of limits.spool
                    do: the broker does not take what is read: look at the findings about it; at 100 % reading stops, and nothing is lost as long as the logs are kept
END
