# A stage that is behind tells its webhooks, each in its shape, once when it begins and once when it ends; what cannot be delivered is said without its address.
. "$SOURCE/tests/cli/expect.bash"
unset COLLINE_CONFIG COLLINE_DATA_DIR COLLINE_KAFKA_BROKERS
receiver='' service=''
trap 'kill $receiver $service 2>/dev/null || true' EXIT
python3 "$SOURCE/tests/cli/webhooks.py" port SECsigned >calls &
receiver=$!
until [ -s port ]; do sleep 0.02; done
hook=http://127.0.0.1:$(cat port)
export SIGNED=SECsigned TOKEN=hidden-token
http=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')

printf '%s\n' 'data_dir: data' "http: {port: $http}" 'clusters: [{name: c}]' 'webhooks:' "  - {url: '$hook/generic'}" \
    "  - {url: '$hook/wechat', shape: wechat}" "  - {url: '$hook/dingtalk?access_token=\${TOKEN}', shape: dingtalk, secret: '\${SIGNED}'}" \
    "  - {url: '$hook/slack', shape: slack}" "  - {url: '$hook/refuse?k=\${TOKEN}', timeout: 1s}" "  - {url: '$hook/unknown?k=\${TOKEN}', shape: dingtalk}" \
    'alarms: {lag: 2s, after: 1s}' "sources: [{kind: daemon-log, name: d, cluster: c, host: h, paths: '$TMP/in'}]" >c.yaml
touch in
"$COLLINE" capture -c c.yaml --to out 2>err &
service=$!
until [ -e data/positions.json ]; do sleep 0.02; done

n=0
log() { # SECONDS AGO: a line of that time
    n=$((n + 1))
    printf '[INFO] %s QueryId: 00000000-0000-0000-0000-%012d Status: OK, Duration: 1ms\n' "$(date -u -d "-$1 seconds" '+%F %T,%3N')" $n >>in
}
until_said() { # TEXT AGE: goes on logging lines of that age until the text is in the service's log
    for _ in $(seq 60); do
        ! grep -q "$1" err || return 0
        log "$2"
        sleep 0.2
    done
    echo "FAILED: no $1"
    cat err
    exit 1
}
until_said alarm.lag.begins 10
python3 "$SOURCE/tests/services/impala_web" ask "$http" /metrics >metrics
grep -q '^colline_alarm_on{alarm="lag"} 1$' metrics
until_said alarm.lag.ends 0
kill $service
wait $service

sed -E 's/"host":"[^"]*"/"host":"H"/; s/ on [^ ]*\)/ on H)/; s/"at":[0-9]+/"at":T/; s/"figure":[0-9.]+/"figure":F/; s/[0-9]+\.[0-9] s late/N s late/' calls | sort -u >got
diff -u - got <<'END'
/dingtalk signed {"msgtype":"text","text":{"content":"[Colline] lag begins: statements arrive N s late, the limit is 2 s (capture on H)"}}
/dingtalk signed {"msgtype":"text","text":{"content":"[Colline] lag ends: statements arrive in time again, at worst they were N s late (capture on H)"}}
/generic {"alarm":"lag","change":"begins","stage":"capture","host":"H","at":T,"figure":F,"limit":2.000,"unit":"s","text":"statements arrive N s late, the limit is 2 s"}
/generic {"alarm":"lag","change":"ends","stage":"capture","host":"H","at":T,"figure":F,"limit":2.000,"unit":"s","text":"statements arrive in time again, at worst they were N s late"}
/refuse {"alarm":"lag","change":"begins","stage":"capture","host":"H","at":T,"figure":F,"limit":2.000,"unit":"s","text":"statements arrive N s late, the limit is 2 s"}
/refuse {"alarm":"lag","change":"ends","stage":"capture","host":"H","at":T,"figure":F,"limit":2.000,"unit":"s","text":"statements arrive in time again, at worst they were N s late"}
/slack {"text":"[Colline] lag begins: statements arrive N s late, the limit is 2 s (capture on H)"}
/slack {"text":"[Colline] lag ends: statements arrive in time again, at worst they were N s late (capture on H)"}
/unknown {"msgtype":"text","text":{"content":"[Colline] lag begins: statements arrive N s late, the limit is 2 s (capture on H)"}}
/unknown {"msgtype":"text","text":{"content":"[Colline] lag ends: statements arrive in time again, at worst they were N s late (capture on H)"}}
/wechat {"msgtype":"text","text":{"content":"[Colline] lag begins: statements arrive N s late, the limit is 2 s (capture on H)"}}
/wechat {"msgtype":"text","text":{"content":"[Colline] lag ends: statements arrive in time again, at worst they were N s late (capture on H)"}}
END
grep -q 'ERROR alarm.undelivered webhook 5, generic: the notice that lag begins cannot be delivered: HTTP status 500' err
grep -q 'ERROR alarm.undelivered webhook 6, dingtalk: the notice that lag begins cannot be delivered: {"errcode":310000,"errmsg":"sign not match"}' err
absent -e hidden-token -e SECsigned -r err data metrics
