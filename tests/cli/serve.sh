# serve: capture and normalize in one process, killed with SIGKILL at random: every revision of an event exactly once.
. "$SOURCE/tests/cli/expect.bash"
unset COLLINE_CONFIG COLLINE_DATA_DIR COLLINE_KAFKA_BROKERS
for seed in 1 2; do # into the state, into a file
    mkdir "$seed"
    (cd "$seed" && python3 "$SOURCE/tests/cli/serve.py" "$COLLINE" 600 6 $seed)
done

# The store beside the state is what its events make, whatever was killed.
(cd 1 && python3 "$SOURCE/tests/support/state_events.py" data/state.db >events.jsonl
    quiet 0 "$COLLINE" load --store loaded.db --from events.jsonl
    "$COLLINE" store dump --canonical --store data/colline.db >served.dump
    "$COLLINE" store dump --canonical --store loaded.db >loaded.dump
    [ "$(grep -c '"is":"query"' served.dump)" -eq 600 ] && cmp served.dump loaded.dump)

# The configuration lies in the folder; two processes do not share one.
mkdir -p data logs
printf '%s\n' 'http: {port: 0}' 'log: {level: warning}' 'clusters: [{name: c}]' \
    'sources: [{kind: daemon-log, name: d, cluster: c, paths: "logs/*"}]' >data/colline.yaml
head="[INFO] 2026-03-15 14:22:33,456 QueryId: 4d4f5a1c2b3e9f01:8a7b6c5d00000000"
printf '%s\n' "$head User: ann Sql: select 1 from a.b" "$head Status: OK, Duration: 5ms" >logs/x
"$COLLINE" serve --data data --once --from-beginning --to - | grep '"user":"ann".*"input_tables":\["a.b"\]' >/dev/null || { echo "no event"; exit 1; }
quiet 0 "$COLLINE" serve --data data --once --from-beginning --to -
[ "$(stat -c %a data/state.db)" = 600 ] || { echo "others can read the state"; exit 1; }
exec 9>>data/capture.lock
flock 9
quiet 3 "$COLLINE" serve --data data --once
quiet 2 "$COLLINE" serve --data data --one
