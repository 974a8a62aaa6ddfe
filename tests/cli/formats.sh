# What each format prints, to the byte; formats/NAME.expected.
. "$SOURCE/tests/cli/expect.bash"

cd "$SOURCE/tests/cli/formats"
for format in json jsonl table tree dot mermaid csv fields tables; do
    expect 1 "$COLLINE" lineage -c tables.hql --format $format orders.hql <$format.expected
done
for engine in hive impala; do
    expect 0 "$COLLINE" lineage -d $engine --format $engine plain.sql <$engine.expected
done

# Formats for people and programs that do not read "error" tell on standard error what does not parse.
for format in table tree dot mermaid csv fields tables hive impala ast; do
    "$COLLINE" lineage -c tables.hql --format $format orders.hql >/dev/null 2>"$TMP/stderr" || true
    expect_error <<'END'
orders.hql:15:17: expected a table, found from
  select uid from from dwd.member;
                  ^
END
done
"$COLLINE" lineage -c tables.hql --format json orders.hql >/dev/null 2>"$TMP/stderr" || true
expect_error <<'END'
colline: 1 statement of 1 script could not be analysed: see "error"
END

# Without an option the format is JSON where nobody looks on.
expect 1 "$COLLINE" lineage -c tables.hql orders.hql <json.expected

