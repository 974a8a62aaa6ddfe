# capture from a profile log: what it tells, bad lines, and nothing twice.
. "$SOURCE/tests/cli/expect.bash"
unset COLLINE_CONFIG COLLINE_DATA_DIR COLLINE_KAFKA_BROKERS
printf '%s\n' 'data_dir: data' 'http: {port: 0}' 'log: {level: warning}' 'clusters: [{name: c, time_zone: Asia/Shanghai}]' \
    'sources: [{kind: profile-log, name: p, cluster: c, host: h, paths: "logs/impala_profile_log*", from_beginning: true}]' >c.yaml
mkdir logs
cp "$SOURCE/tests/profiles/query.log" logs/impala_profile_log_1.1-1773584555000
cp "$SOURCE/tests/profiles/broken.log" logs/impala_profile_log_1.1-1773584556000
"$COLLINE" capture -c c.yaml --to out --once 2>err
python3 - >got <<'END'
import json
for line in open("out", encoding="utf-8"):
    r = json.loads(line)
    print(r["source"], r["kind"], r["query_id"], r["user"], r["status"], r["start_ms"], r["tables"], r["position"].get("offset", 0))
END
sort got | diff - <(
    echo "profile-log QUERY 4d4f5a1c2b3e9f01:8a7b6c5d00000000 etl@EXAMPLE.COM OK 1773584553004 ['sales.daily', 'sales.orders'] 0"
    echo "profile-log QUERY aa00000000000001:bb00000000000000 etl OK 1773585000000 ['sales.orders', 'sales.items'] 2513")
grep -q 'WARNING capture.parse' err
"$COLLINE" capture -c c.yaml --to out --once
[ "$(wc -l <out)" = 2 ]
