# normalize: raw records from a file to a file; what is invalid; a state that is kept from run to run.
. "$SOURCE/tests/cli/expect.bash"
unset COLLINE_CONFIG COLLINE_DATA_DIR COLLINE_KAFKA_BROKERS

raw() { # QUERY_ID KIND MEMBERS
    printf '{"v":1,"source":"daemon-log","kind":"%s","query_id":"%s","position":{"file":"x","offset":0},"captured_at":1773584553000,"time_ms":1773584553000%s}\n' "$2" "$1" "$3"
}
short() { # of each event what does not change from run to run
    python3 -c '
import json, sys
for line in sys.stdin:
    e = json.loads(line)
    print(e["query_id"], e["revision"], e["status"], e["operation_type"], ",".join(e["input_tables"]), ",".join(e["output_tables"]),
          " ".join(p["table"] + "/" + p["spec"] for p in e.get("partitions", [])), *sorted(p["code"] for p in e.get("problems", [])), sep="|")' | sort
}
{
    raw a START ',"user":"etl","sql":"with tmp as (select x from ods.log_raw) insert overwrite table ads.t partition (ds='"'2024-03-15'"') select x from tmp"'
    raw a INPUT ',"tables":["tmp"]'
    raw b START ',"user":"etl","sql":"select 1 from ods.s"'
    raw a FINISH ',"status":"OK","duration_ms":667'
    raw c FINISH ',"status":"EXCEPTION","error":"memory limit"'
} >raw.jsonl
"$COLLINE" normalize --from raw.jsonl --to events.jsonl 2>said
short <events.jsonl >got
diff got - <<'END'
a|1|OK|OVERWRITE|ods.log_raw|ads.t|ads.t/ds=2024-03-15
b|1|INCOMPLETE|SELECT|ods.s||
c|1|ERROR|SELECT||||no-text
END
diff said - <<'END'
5 records, 3 events, 1 of them incomplete, 0 revised, 1 failed queries, 0 invalid
END

# From standard input to standard output; a saved catalog and DDL.
echo 'create table ods.s (k int, v int)' >tables.sql
raw q START ',"sql":"create view ads.v as select * from ods.s"' >one.jsonl
raw q FINISH ',"status":"OK"' >>one.jsonl
"$COLLINE" normalize --from - --catalog tables.sql <one.jsonl 2>said | grep '"target":"ads.v.v"' >/dev/null || { echo "no column of the star"; exit 1; }
# A pipe that stays open and is silent holds nothing back.
coproc joiner { "$COLLINE" normalize --from - 2>said; }
joiner_id=$joiner_PID
cat one.jsonl >&"${joiner[1]}"
read -r -t 60 event <&"${joiner[0]}" || { echo "nothing came while the pipe was silent"; exit 1; }
[ "${event:0:23}" = '{"v":1,"query_id":"q","' ] || { echo "not the event: ${event:0:60}"; exit 1; }
exec {joiner[1]}>&-
wait "$joiner_id"
"$COLLINE" catalog build tables.sql -o saved.json
"$COLLINE" normalize --from - --catalog saved.json <one.jsonl 2>said | grep '"target":"ads.v.v"' >/dev/null || { echo "no column by the saved catalog"; exit 1; }
quiet 3 "$COLLINE" normalize --from one.jsonl --catalog absent.sql
quiet 3 "$COLLINE" normalize --from absent.jsonl
quiet 2 "$COLLINE" normalize
quiet 2 "$COLLINE" normalize --from one.jsonl two.jsonl

# What is invalid goes elsewhere, with every reason.
{
    echo '{"v":2,"source":"daemon-log"}'
    printf '\377\n'
    raw d SCAN ''
    raw d FINISH ',"status":"OK"'
} >mixed.jsonl
quiet 1 "$COLLINE" normalize --from mixed.jsonl --to events.jsonl --invalid invalid.jsonl
short <events.jsonl >got
diff got - <<'END'
d|1|OK|SELECT||||no-text
END
python3 -c '
import json
for line in open("invalid.jsonl"):
    r = json.loads(line)
    print(r["offset"], len(r["value"]), *r["reasons"], sep="|")' >got
diff got - <<'END'
0|29|v: version 2 is newer than 1, the newest that is known here
30|4|no JSON: expected an object
32|145|path: missing in a SCAN record
END

# With a state: records in two runs are one query; a second reading of all gives nothing new; half an event is cut off.
head -3 raw.jsonl >first.jsonl
quiet 0 "$COLLINE" normalize --from first.jsonl --to kept.jsonl --state state.db
[ ! -s kept.jsonl ] || { echo "an event before the end"; exit 1; }
quiet 0 "$COLLINE" normalize --from raw.jsonl --to kept.jsonl --state state.db
printf '{"half' >>kept.jsonl
quiet 0 "$COLLINE" normalize --from raw.jsonl --to kept.jsonl --state state.db
short <kept.jsonl >got
diff got - <<'END'
a|1|OK|OVERWRITE|ods.log_raw|ads.t|ads.t/ds=2024-03-15
c|1|ERROR|SELECT||||no-text
END
