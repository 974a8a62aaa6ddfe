# Wrong use ends with status 2 and says why on one line; help and version go to standard output.
. "$SOURCE/tests/cli/expect.bash"

echo 'select 1' >a.hql
more='`colline lineage --help` says more.'

quiet 2 "$COLLINE" lineage -d spark a.hql
expect_error <<END
colline: -d spark: unknown dialect, there are hive and impala
$more
END
quiet 2 "$COLLINE" lineage --format xml a.hql
expect_error <<END
colline: --format xml: there are json, jsonl, table, tree, dot, mermaid, csv, fields, tables, hive, impala and ast
$more
END
quiet 2 "$COLLINE" lineage --reading mine a.hql
expect_error <<END
colline: --reading mine: there are value and engine
$more
END
quiet 2 "$COLLINE" lineage --define x a.hql
expect_error <<END
colline: --define x: NAME=VALUE is wanted
$more
END
quiet 2 "$COLLINE" lineage -j 0 a.hql
expect_error <<END
colline: -j 0: a number from 1 to 1024 is wanted
$more
END
quiet 2 "$COLLINE" lineage --wrong a.hql
expect_error <<END
colline: unrecognized option '--wrong'
$more
END
quiet 2 "$COLLINE" line
expect_error <<'END'
colline: there is no command `line`
`colline --help` says more.
END
quiet 2 "$COLLINE" catalog
expect_error <<'END'
colline: there are build, show and diff
`colline catalog --help` says more.
END
quiet 2 "$COLLINE" trace
expect_error <<'END'
colline: which column or table?
`colline trace --help` says more.
END

for command in lineage trace impact catalog fingerprint; do
    "$COLLINE" "$command" --help >help
    [ "$(head -c 23 help)" = "usage: colline $command " ] || [ "$(head -n 1 help | cut -d' ' -f3)" = "$command" ]
    absent -n '.\{101\}' help
    "$COLLINE" --help | grep "^  $command " >/dev/null
done
[ "$("$COLLINE" --version)" = "colline $(sed -n 's/^project(colline VERSION \([0-9.]*\).*/\1/p' "$SOURCE/CMakeLists.txt")" ]
