# --batch: a record a line in, a document a line out, in order, whatever stands in between.
. "$SOURCE/tests/cli/expect.bash"

echo 'create table d.t (a int, b int)' >base.sql
echo 'create table d.t (z string)' >other.sql
cat >in.jsonl <<'END'
{"id": "star", "sql": "select * from d.t"}
{"sql":"select * from t","database":"d","id":"named","catalogs":["other"],"dialect":"impala","statements":[{"a":"}"},["\"",1.5e3,null,true]]}

{"id": 7, "sql": "select '\u4e2d\ud83d\ude00\ud83d\n\"' as `c\u0000`", "dialect": null}
{"id": "empty", "sql": " -- nothing\n ; "}
not JSON
{"id": "dialect", "sql": "select 1", "dialect": "spark"}
{"id": "catalog", "sql": "select 1", "catalogs": ["nobody"]}
{"id": "nosql"}
{"id": "last", "sql": "create table d.t as select 1 as x; select * from d.t"}
{"id": "again", "sql": "select * from d.t"}
END
printf '{"id": "open", "sql": "select 2"}' >>in.jsonl

short() { # the documents with what matters here
    python3 -c '
import json, sys
for line in sys.stdin:
    d = json.loads(line)
    print(d["id"], d.get("dialect"), [[c["target"] for c in s["columns"]] for s in d["statements"]], d.get("error", {}).get("message"))'
}
for threads in 1 3; do
    status=0
    "$COLLINE" lineage --batch -j $threads -c base.sql -c other=other.sql <in.jsonl >out 2>err || status=$?
    [ $status -eq 1 ]
    short <out >got
    diff got - <<'END'
star hive [['a', 'b']] None
named impala [['z']] None
7 hive [['c\x00']] None
empty hive [] None
 None [] column 1: a JSON object is wanted
dialect None [] unknown dialect `spark`, there are hive and impala
catalog None [] no -c nobody=FILE was given
nosql None [] column 16: the record has no "sql"
last hive [['d.t.x'], ['x']] None
again hive [['a', 'b']] None
open hive [['_c0']] None
END
    diff err - <<'END'
colline: record 6: column 1: a JSON object is wanted
colline: record 7: unknown dialect `spark`, there are hive and impala
colline: record 8: no -c nobody=FILE was given
colline: record 9: column 16: the record has no "sql"
END
done
python3 - <<'END'
import json
lines = [json.loads(line) for line in open('out')]
assert lines[2]['statements'][0]['columns'][0]['expression'] == "'\u4e2d\U0001f600\ufffd\n\"'"
END

# An answer comes before the next question is asked, so that a program may sit at both ends.
coproc talk { "$COLLINE" lineage --batch -j 1; }
talker=$talk_PID
for n in 1 2 3; do
    echo "{\"id\": \"q$n\", \"sql\": \"select $n\"}" >&"${talk[1]}"
    read -r -t 10 answer <&"${talk[0]}"
    [ "${answer:0:11}" = "{\"id\":\"q$n\"," ]
done
exec {talk[1]}>&-
wait "$talker"

# Files may be given too, and a long record is no trouble.
python3 -c "
import json
print(json.dumps({'id': 'long', 'sql': 'select ' + ' + '.join(['a'] * 300000) + ' as s from t'}))" >long.jsonl
"$COLLINE" lineage --batch long.jsonl in.jsonl -c base.sql -c other=other.sql >out 2>/dev/null || true
cut -c1-12 out | sed -n 1,2p >got
diff got - <<'END'
{"id":"long"
{"id":"star"
END
