# The log of a service is opened anew on SIGHUP, as logrotate does it: what was said before stands in the old file, what comes after in the new one.
. "$SOURCE/tests/cli/expect.bash"
unset COLLINE_CONFIG COLLINE_DATA_DIR COLLINE_KAFKA_BROKERS COLLINE_LOG_FILE
service=''
trap 'kill $service 2>/dev/null || true' EXIT
mkdir logs
printf '%s\n' 'data_dir: data' 'http: {port: 0}' 'log: {file: logs/colline.log, level: info}' 'clusters: [{name: c}]' \
    "sources: [{kind: daemon-log, name: d, cluster: c, paths: '$TMP/in'}]" >c.yaml
touch in
"$COLLINE" serve --data data -c c.yaml 2>err &
service=$!
until [ -e data/positions.json ]; do sleep 0.02; done
[ "$(stat -c %a logs/colline.log)" = 640 ]
mv logs/colline.log logs/colline.log.1
kill -HUP $service
for _ in $(seq 300); do
    [ ! -e logs/colline.log ] || break
    sleep 0.02
done
[ -e logs/colline.log ]
kill $service
wait $service
grep -q ' INFO stop.signal: signal 15: stopping' logs/colline.log
absent stop.signal logs/colline.log.1
[ ! -s err ]
