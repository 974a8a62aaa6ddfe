# The PySpark example without Spark: the sample warehouse through --batch, its tables' edges out.
export PYTHONDONTWRITEBYTECODE=1
PATH=$(dirname "$COLLINE"):$PATH
cd "$SOURCE"
"$COLLINE" catalog build -o "$TMP/kestrel.json" samples/warehouse/ddl
pipe() {
    python3 examples/pyspark/lineage_pipe.py --local --colline "$COLLINE" -c "$TMP/kestrel.json" --define dt=2024-06-30 "$@" \
        samples/warehouse/hive samples/warehouse/impala
}
pipe >"$TMP/tables" 2>"$TMP/stderr"
grep -qx '66 scripts, [0-9]* edges' "$TMP/stderr"
grep -qx $'dwd.dwd_trip_detail_di -> dws.dws_city_day\t1' "$TMP/tables"
grep -qx $'ods.ods_lock_event_hi -> dwd.dwd_lock_event_di\t3' "$TMP/tables"
sort -c "$TMP/tables" # in order, each edge once
[ "$(cut -f1 "$TMP/tables" | uniq -d)" = '' ]
pipe --columns >"$TMP/columns" 2>/dev/null
grep -qx $'dwd.dwd_trip_detail_di.paid_amount -> dws.dws_city_day.income\t1' "$TMP/columns"

# The same edges as the program gives when it walks the folders itself, but for `source`, which a record cannot follow.
"$COLLINE" lineage -c "$TMP/kestrel.json" --define dt=2024-06-30 --format jsonl samples/warehouse/hive samples/warehouse/impala |
    python3 -c '
import json, sys
sys.path.insert(0, "examples/pyspark")
import lineage_pipe
edges = {e for line in sys.stdin for e in lineage_pipe.edges_of(line, False)}
piped = {tuple(line.split("\t")[0].split(" -> ")) for line in open(sys.argv[1])}
assert edges == piped, edges ^ piped' "$TMP/tables"
