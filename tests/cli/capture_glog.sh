# Impala's own log: a query's database is the one that stands beside its text; the source's own is for texts without.
. "$SOURCE/tests/cli/expect.bash"
unset COLLINE_CONFIG COLLINE_DATA_DIR COLLINE_KAFKA_BROKERS

mkdir logs
registered() { # NUMBER: the line that says only who asked
    echo "I0315 14:22:33.004912 2011$1 impala-server.cc:1540] 4d4f5a1c2b3e9f0$1:8a7b6c5d00000000] Registered query query_id=4d4f5a1c2b3e9f0$1:8a7b6c5d00000000 session_id=1b0f2e3d4c5b6a79:8897a6b5c4d3e2f1"
}
completed() { # NUMBER
    echo "I0315 14:22:35.590001 20340 coordinator.cc:846] 4d4f5a1c2b3e9f0$1:8a7b6c5d00000003] ExecState: query id=4d4f5a1c2b3e9f0$1:8a7b6c5d00000000 execution completed"
}
{
    echo "Log file created at: 2026/03/15 14:22:00"
    registered 1
    echo "I0315 14:22:33.006001 20111 Frontend.java:2527] 4d4f5a1c2b3e9f01:8a7b6c5d00000000] Analyzing query: insert into daily select x from o db: dw"
    completed 1
    registered 2
    echo "I0315 14:22:33.006001 20112 Frontend.java:2527] 4d4f5a1c2b3e9f02:8a7b6c5d00000000] Analyzing query: select x from o"
    completed 2
} >logs/impalad.h1.impala.log.INFO.20260315-142200.4711
printf '%s\n' 'http: {port: 0}' 'log: {level: warning}' 'clusters: [{name: c}]' \
    'sources: [{kind: glog, name: d, cluster: c, paths: "logs/*", database: ods}]' >colline.yaml
"$COLLINE" serve -c colline.yaml --data data --once --from-beginning --to events.jsonl
python3 -c '
import json
for line in open("events.jsonl"):
    e = json.loads(line)
    print(e["query_id"][:16], e["database"], ",".join(e["input_tables"]), ",".join(e["output_tables"]), sep="|")' | sort >got
diff - got <<'END'
4d4f5a1c2b3e9f01|dw|dw.o|dw.daily
4d4f5a1c2b3e9f02|ods|ods.o|
END
