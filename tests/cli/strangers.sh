# What somebody tries who has not read the manual: the answer says what is wrong and, where there is one, the way on.
. "$SOURCE/tests/cli/expect.bash"
echo 'select x from t' >plain.txt

# Nothing, a misspelt command, a misspelt option or format, help in both places.
quiet 2 "$COLLINE"
grep -q '^usage: colline COMMAND' "$TMP/stderr"
quiet 2 "$COLLINE" lineag
quiet 2 "$COLLINE" lineage --formt table plain.txt
quiet 2 "$COLLINE" lineage --format tabel plain.txt
expect_error <<'END'
colline: --format tabel: there are json, jsonl, table, tree, dot, mermaid, csv, fields, tables, hive, impala and ast
`colline lineage --help` says more.
END
"$COLLINE" lineage --help | expect 0 "$COLLINE" help lineage

# An empty file, one with comments only.
: >empty.hql
printf -- '-- nothing\n/* here */ ;;\n' >comments.hql
expect 0 "$COLLINE" lineage --format jsonl empty.hql comments.hql <<'END'
{"id":"empty.hql","dialect":"hive","statements":[]}
{"id":"comments.hql","dialect":"hive","statements":[]}
END

# Things that are no SQL: programs, archives, JSON; each in a line, wherever it is given.
printf '\177ELF\2\1\1\0\0\0\377\376\0\0\0\0\0\0' >program.sql
echo '{"tables": []}' >tables.json
expect 1 "$COLLINE" lineage --format tables -d hive program.sql tables.json plain.txt <<'END'
{"inputTables":["default.t"],"outputTable":null}
END
expect_error <<'END'
colline: program.sql: not a text
colline: tables.json: JSON, no SQL: -c takes catalogs, --batch records, trace and impact documents
END
for command in "trace t" "catalog show" "fingerprint"; do
    "$COLLINE" $command program.sql >"$TMP/stdout" 2>"$TMP/stderr" && exit 1
    grep -qx 'colline: program.sql: not a text' "$TMP/stderr"
done

# Folders: links that lead back, a pipe that nobody fills, endings in capitals, names with blanks and line breaks.
mkdir -p 'odd/in ner'
ln -s .. 'odd/in ner/up'
ln -s . odd/self
mkfifo odd/pipe.sql
echo 'select x from a' >odd/A.HQL
echo 'select x from b' >'odd/in ner/b b.sql'
echo 'select x from c' >odd/$'z\nz.sql'
expect 0 "$COLLINE" lineage -d hive --format tables odd <<'END'
{"inputTables":["default.a"],"outputTable":null}
{"inputTables":["default.b"],"outputTable":null}
{"inputTables":["default.c"],"outputTable":null}
END
echo 'select x from d' >-d.sql
expect 0 "$COLLINE" lineage -d hive --format tables -- -d.sql <<'END'
{"inputTables":["default.d"],"outputTable":null}
END

# The same catalog twice, the same script twice.
echo 'create table t (x int, y int)' >t.hql
expect 0 "$COLLINE" lineage -d hive --format csv -c t.hql -c t.hql plain.txt plain.txt <<END
script,statement,line,operation,target_table,target_column,source_table,source_column,source_path,kind,how,expression$(printf '\r')
plain.txt,0,1,select,,x,default.t,x,,direct,identity,x$(printf '\r')
script,statement,line,operation,target_table,target_column,source_table,source_column,source_path,kind,how,expression$(printf '\r')
plain.txt,0,1,select,,x,default.t,x,,direct,identity,x$(printf '\r')
END

# Arguments the other way round, a table that is only read, a catalog without tables.
quiet 1 "$COLLINE" trace t.hql t
grep -qx 'colline: note: t.hql is a file; the column or table comes first, the files behind it' "$TMP/stderr"
expect 0 "$COLLINE" impact -d hive t plain.txt <<'END'
default.t

Nothing is made of it.
END
quiet 0 "$COLLINE" catalog show -d hive plain.txt
expect_error <<'END'
colline: there is no table in the catalog
END

# Nobody reads the output, or it cannot be written.
for i in 1 2 3 4 5 6 7 8; do cat plain.txt; echo ';'; done >many.hql
"$COLLINE" lineage many.hql | head -1 >/dev/null # cut on purpose
if [ -w /dev/full ]; then
    status=0
    "$COLLINE" lineage many.hql >/dev/full 2>"$TMP/stderr" || status=$?
    [ $status -eq 3 ] && grep -q '^colline: standard output: ' "$TMP/stderr"
fi
