# Files, folders, standard input; what cannot be read is told on one line, and the others are analysed all the same.
. "$SOURCE/tests/cli/expect.bash"

mkdir -p etl/impala etl/hive etl/.git empty
echo 'insert into ads.a select x from ods.a' >etl/hive/b.hql
echo 'insert into ads.b select x from ods.b' >etl/hive/a.sql
echo 'upsert into ads.k select x from ods.k' >etl/impala/k.sql
echo 'upsert into ads.l select x from ods.l' >etl/l.impala.sql
echo 'insert into ads.m select x from ods.m' >etl/m.sql
echo 'no sql' >etl/readme.txt
echo 'no sql' >etl/.git/x.sql

# Folders are walked in the order of names, whatever the number of threads; hidden folders and other files are left out.
for threads in 1 2 7; do
    expect 0 "$COLLINE" lineage -j $threads --format tables etl <<'END'
{"inputTables":["ods.b"],"outputTable":"ads.b"}
{"inputTables":["ods.a"],"outputTable":"ads.a"}
{"inputTables":["ods.k"],"outputTable":"ads.k"}
{"inputTables":["ods.l"],"outputTable":"ads.l"}
{"inputTables":["ods.m"],"outputTable":"ads.m"}
END
    expect_error <<'END'
colline: note: etl/m.sql: taken for Hive, as nothing tells the dialect (-d does)
END
done

# A link that leads back is not followed.
ln -s .. etl/hive/up
"$COLLINE" lineage --format tables etl 2>/dev/null | wc -l | grep -x 5 >/dev/null
rm etl/hive/up

"$COLLINE" lineage --format jsonl etl 2>/dev/null | sed 's/"statements.*//' >ids
diff ids - <<'END'
{"id":"etl/hive/a.sql","dialect":"hive",
{"id":"etl/hive/b.hql","dialect":"hive",
{"id":"etl/impala/k.sql","dialect":"impala",
{"id":"etl/l.impala.sql","dialect":"impala",
{"id":"etl/m.sql","dialect":"hive",
END
"$COLLINE" lineage --format jsonl etl/m.sql 2>/dev/null | grep '"code":"dialect-guessed","severity":"note"' >/dev/null

# Standard input, alone and among files.
expect 0 bash -c 'echo "insert into t select * from s" | "$COLLINE" lineage -d hive --format tables - etl/hive/b.hql' <<'END'
{"inputTables":["default.s"],"outputTable":"default.t"}
{"inputTables":["ods.a"],"outputTable":"ads.a"}
END
expect 0 bash -c 'echo "select 1" | "$COLLINE" lineage --format tables' </dev/null
expect_error <<'END'
colline: note: standard input: taken for Hive, as nothing tells the dialect (-d does)
END

# A missing file, an empty folder.
expect 1 "$COLLINE" lineage --format tables missing.hql etl/hive/b.hql <<'END'
{"inputTables":["ods.a"],"outputTable":"ads.a"}
END
expect_error <<'END'
colline: missing.hql: No such file or directory
END
quiet 0 "$COLLINE" lineage --format tables empty
expect_error <<'END'
colline: empty: no scripts in this folder (.sql, .hql, .q, .ddl or .sh)
END

# Without permission. Root may read everything, so it must be somebody else.
mkdir closed
cp etl/hive/b.hql closed/
cp etl/hive/b.hql secret.hql
chmod 000 closed secret.hql
chmod 755 .
as_nobody=()
if [ "$(id -u)" -eq 0 ]; then
    cp "$COLLINE" colline
    as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    COLLINE=./colline
fi
expect 1 "${as_nobody[@]}" "$COLLINE" lineage --format tables closed secret.hql etl/hive/b.hql <<'END'
{"inputTables":["ods.a"],"outputTable":"ads.a"}
END
expect_error <<'END'
colline: closed: Permission denied
colline: secret.hql: Permission denied
END
chmod 755 closed

# Bytes that are no UTF-8 are told, and the script is analysed; UTF-16 is not.
printf 'insert into t\nselect `\xff\xfe` from s; insert into u select y from v' >latin.hql
expect 0 "$COLLINE" lineage --format csv latin.hql <<END
script,statement,line,operation,target_table,target_column,source_table,source_column,source_path,kind,how,expression$(printf '\r')
latin.hql,0,1,insert,default.t,��,default.s,��,,direct,identity,\`��\`$(printf '\r')
latin.hql,1,2,insert,default.u,y,default.v,y,,direct,identity,y$(printf '\r')
END
expect_error <<'END'
colline: latin.hql:2: not valid UTF-8; bad bytes show as U+FFFD
END
"$COLLINE" lineage --format jsonl latin.hql 2>/dev/null | python3 -c 'import json, sys; d = json.load(sys.stdin); assert d["statements"][0]["columns"][0]["target"] == "default.t.\ufffd\ufffd"'
printf '\xff\xfes\0e\0l\0' >wide.hql
expect 1 "$COLLINE" lineage --format tables wide.hql etl/hive/b.hql <<'END'
{"inputTables":["ods.a"],"outputTable":"ads.a"}
END
expect_error <<'END'
colline: wide.hql: UTF-16; only UTF-8 is read
END

# A NUL byte is an ordinary byte: one that begins no token, and does not end the script.
printf "select '\\0' from s; select a\\0b from t; insert into u select y from v" >nul.hql
expect 1 "$COLLINE" lineage --format tables nul.hql <<'END'
{"inputTables":["default.s"],"outputTable":null}
{"inputTables":["default.v"],"outputTable":"default.u"}
END
grep -q '^nul.hql:1:28: ' "$TMP/stderr"

# Broken catalogs: the scripts are analysed without them.
echo '{"tables": [}' >cat.json
expect 1 "$COLLINE" lineage --format tables -c cat.json -c none.json etl/hive/b.hql <<'END'
{"inputTables":["ods.a"],"outputTable":"ads.a"}
END
[ "$(wc -l <"$TMP/stderr")" -eq 2 ]
grep -q '^colline: cat.json:1:[0-9]*: broken catalog: ' "$TMP/stderr"
grep -q '^colline: none.json: No such file or directory$' "$TMP/stderr"

# A line of a megabyte, with a mistake at its end; a script of 20 MB in little more memory than its size.
python3 - <<'END'
open('long.hql', 'w').write('insert into t select ' + ', '.join('c%d + 1 as x%d' % (i, i) for i in range(60000)) + ' from s; select a b c;')
statement = "insert overwrite table d.t partition (ds='1') select a.x, count(*) as n from o.a a join o.b b on a.id = b.id group by a.x;\n"
open('large.hql', 'w').write(statement * (20 * 1024 * 1024 // len(statement)))
END
expect 1 "$COLLINE" lineage --format tables long.hql <<'END'
{"inputTables":["default.s"],"outputTable":"default.t"}
END
expect_error <<'END'
long.hql:1:1297820: expected the end of the statement, found c
  …9998 + 1 as x59998, c59999 + 1 as x59999 from s; select a b c;
                                                               ^
END
(
    case $(nm "$COLLINE" | grep -c __asan_init) in
    0) ulimit -v $((100 * 1024)) ;; # a sanitizer reserves more than this by itself
    esac
    "$COLLINE" lineage --format jsonl large.hql | python3 -c 'import sys
size = 0
while True:
    piece = sys.stdin.buffer.read(1 << 20)
    if not piece:
        break
    size += len(piece)
assert size > 100 << 20, size'
)
