# Hive's log and LineageLogger's beside it: one event a query, with the engine's own lineage; what failed, and what was only compiled.
. "$SOURCE/tests/cli/expect.bash"
unset COLLINE_CONFIG COLLINE_DATA_DIR COLLINE_KAFKA_BROKERS

mkdir logs
session=6a1f0e2d-77aa-4c0d-8b1e-112233445566
handler="[$session HiveServer2-Handler-Pool: Thread-58] ql.Driver:"
worker="[HiveServer2-Background-Pool: Thread-95] ql.Driver:"
cat >logs/hiveserver2.log <<END
2026-03-15T14:22:30,101  INFO [HiveServer2-Handler-Pool: Thread-57] session.SessionState: Created HDFS directory: /tmp/hive/etl/$session
2026-03-15T14:22:33,004  INFO $handler Compiling command(queryId=q1): insert into t
select b from s
2026-03-15T14:22:33,600  INFO $worker Executing command(queryId=q1): insert into t
select b from s
2026-03-15T14:22:35,104  INFO $worker Completed executing command(queryId=q1); Time taken: 1.504 seconds
2026-03-15T14:22:36,004  INFO $handler Compiling command(queryId=q2): selec 1
2026-03-15T14:22:36,104 ERROR $handler FAILED: ParseException line 1:0 cannot recognize input
	at org.apache.hadoop.hive.ql.Driver.compile(Driver.java:1)
2026-03-15T14:22:37,004  INFO $handler Compiling command(queryId=q3): select 1
END
edges='"edges":[{"sources":[1],"targets":[0],"edgeType":"PROJECTION"}],"vertices":[{"id":0,"vertexType":"COLUMN","vertexId":"dw.t.a"},{"id":1,"vertexType":"COLUMN","vertexId":"dw.s.b"}]'
cat >logs/lineage.log <<END
2026-03-15T14:22:35,000  INFO [HiveServer2-Background-Pool: Thread-95] hooks.LineageLogger: {"version":"1.0","user":"hive","timestamp":1773584553,"duration":1996,"database":"dw","queryText":"insert into t\nselect b from s",$edges}
END
touch -d '2026-03-15T14:22:38Z' logs/hiveserver2.log
touch -d '2026-03-15T14:22:39Z' logs/lineage.log
printf '%s\n' 'http: {port: 0}' 'log: {level: warning}' 'clusters: [{name: c}]' \
    'sources: [{kind: hive-log, name: hs2, cluster: c, paths: "logs/*"}]' >colline.yaml
export COLLINE_DATA_DIR=data
"$COLLINE" capture -c colline.yaml --once --from-beginning --to raw.jsonl
"$COLLINE" normalize --from raw.jsonl --to events.jsonl 2>said
python3 -c '
import json
for line in open("events.jsonl"):
    e = json.loads(line)
    print(e["query_id"], e["revision"], e["status"], e["engine"], e["user"], e["database"], e["duration_ms"], ",".join(e["input_tables"]),
          ",".join(e["output_tables"]), "/".join(s["source"] for s in e["sources"]), "engine_lineage" in e, e.get("error", ""), sep="|")' | sort >got
diff - got <<'END'
q1|1|OK|hive|etl|default|2100|default.s|default.t|hive-log|False|
q1|2|OK|hive|etl|dw|2100|dw.s|dw.t|hive-hook/hive-log|True|
q2|1|ERROR|hive|etl|default|100|||hive-log|False|ParseException line 1:0 cannot recognize input
END
