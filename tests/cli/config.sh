# config: mistakes with their places, what is in force, and where the file is looked for.
. "$SOURCE/tests/cli/expect.bash"
unset COLLINE_CONFIG COLLINE_DATA_DIR COLLINE_KAFKA_BROKERS

cat >good.yaml <<'END'
data_dir: /srv/colline
clusters: [{name: c}]
sources: [{kind: glog, cluster: c, paths: /l}]
END
expect 0 "$COLLINE" config check -c good.yaml <<'END'
good.yaml: good; clusters: 1, sources: 1
END
COLLINE_CONFIG=good.yaml expect 0 "$COLLINE" config check <<'END'
good.yaml: good; clusters: 1, sources: 1
END

printf 'data_dri: /x\nhttp:\n  port: many\n' >bad.yaml
quiet 2 "$COLLINE" config check --config bad.yaml
expect_error <<'END'
bad.yaml:1:1: error: unknown key `data_dri`: did you mean `data_dir`
bad.yaml:3:9: error: `port` expected a whole number
END
quiet 2 "$COLLINE" config print -c bad.yaml
quiet 2 "$COLLINE" config check -c nowhere.yaml
expect_error <<'END'
nowhere.yaml: error: cannot read it: No such file or directory
END

"$COLLINE" config print -c good.yaml >printed.yaml
head -1 printed.yaml | diff - <(echo 'data_dir: "/srv/colline"')
"$COLLINE" config print -c printed.yaml | diff - printed.yaml
COLLINE_DATA_DIR=/elsewhere "$COLLINE" config print -c good.yaml | sed -n 1p | diff - <(echo 'data_dir: "/elsewhere"')
COLLINE_KAFKA_PASSWORD=hidden "$COLLINE" config print -c good.yaml >printed.yaml
grep -q 'password: "\*\*\*"' printed.yaml
absent hidden printed.yaml

"$COLLINE" config print --reference | grep '^| `data_dir` | text | `/var/lib/colline` |' >/dev/null
for wrong in '' 'check print' 'say' 'check --reference' 'check --nonsense'; do
    # shellcheck disable=SC2086
    quiet 2 "$COLLINE" config $wrong
done
