# The day of logs of the demo: what is printed; that each query of queries.tsv is there once, as it ended; that the generator makes these files.
. "$SOURCE/tests/cli/expect.bash"
mkdir day made
"$SOURCE/tools/demo_day" "$COLLINE" day >printed
diff -u "$SOURCE/tests/cli/demo_day.expected" printed

python3 -c '
import json
last = {}
for line in open("day/events.jsonl"):
    event = json.loads(line)
    last[event["query_id"]] = event
for host, query, user, status in sorted(line.rstrip("\n").split("\t") for line in open("day/logs/queries.tsv")):
    event = last.pop(query)
    told = (event["user"], event["status"], {source["host"] for source in event["sources"]})
    if told != (user, status, {host}) or event.get("problems"):
        print(query, told, event.get("problems"))
print(*last, sep="")' | diff - <(echo)

"$SOURCE/tools/gen_logs" "$COLLINE" made
for file in $(cd made && find . -type f); do # of archives what is in them: another zlib packs otherwise
    cmp <(gzip -dcf "made/$file") <(gzip -dcf "$SOURCE/samples/logs/$file") || { echo "$file is made otherwise"; exit 1; }
done
[ "$(find made -type f | wc -l)" = "$(find "$SOURCE/samples/logs" -type f ! -name '*.yaml' ! -name '*.md' | wc -l)" ]
[ "$(du -sb "$SOURCE/samples/logs" | cut -f1)" -lt 300000 ]
