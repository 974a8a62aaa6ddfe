# `source FILE` is followed within the given folder, in the same session, and never in a circle.
. "$SOURCE/tests/cli/expect.bash"

mkdir -p etl/jobs etl/common
cat >etl/jobs/main.hql <<'END'
source ../common/settings.hql;
insert into t select a from s;
source missing.hql;
source ../../outside.hql;
source main.hql;
source common/tables.hql;
select * from made;
END
echo 'use dw; set hivevar:x=1' >etl/common/settings.hql
echo 'create temporary table made (p int, q int); source circle.hql; select a b c from t' >etl/common/tables.hql
echo 'source tables.hql; source main.hql' >etl/common/circle.hql
echo 'select 1' >outside.hql

"$COLLINE" lineage --format jsonl etl/jobs/main.hql >out 2>/dev/null || true
"$COLLINE" lineage --format jsonl etl >all 2>err || true
cat >show.py <<'END'
import json, sys
for line in sys.stdin:
    d = json.loads(line)
    if not d['id'].endswith('main.hql'):
        continue
    for s in d['statements']:
        names = [c['target'] for c in s['columns']]
        print(s['index'], s.get('file', '-'), s['span']['line'], s['type'], s['database'], names,
              *(x['message'] for x in s['diagnostics'] if x['code'] == 'source-file'))
END
python3 show.py <all >got
diff got - <<'END'
0 - 1 COMMAND default []
1 etl/jobs/../common/settings.hql 1 USE default []
2 etl/jobs/../common/settings.hql 1 SET dw []
3 - 2 INSERT dw ['dw.t.a']
4 - 3 COMMAND dw [] `missing.hql` is not followed: No such file or directory
5 - 4 COMMAND dw [] `../../outside.hql` is not followed: lies outside of the given folder
6 - 5 COMMAND dw [] `main.hql` is not followed: sources itself
7 - 6 COMMAND dw []
8 etl/common/tables.hql 1 CREATE TABLE dw []
9 etl/common/tables.hql 1 COMMAND dw []
10 etl/common/circle.hql 1 COMMAND dw [] `tables.hql` is not followed: sources itself
11 etl/common/circle.hql 1 COMMAND dw [] `main.hql` is not followed: No such file or directory
12 etl/common/tables.hql 1 UNKNOWN dw []
13 - 7 SELECT dw ['p', 'q']
END

# Of a single file, its own folder is the given one.
python3 show.py <out >got
[ "$(grep -c 'lies outside of the given folder\|No such file' got)" -eq 4 ]

# A mistake in a sourced file is told with that file's name.
"$COLLINE" lineage --format table etl 2>err >/dev/null || true
grep -A 2 '^etl/common/tables.hql:1:' err | sed -n 1,3p >got
diff got - <<'END'
etl/common/tables.hql:1:75: expected the end of the statement, found c
  …ry table made (p int, q int); source circle.hql; select a b c from t
                                                               ^
END

# Records belong to no folder.
expect 0 bash -c 'echo "{\"id\": \"r\", \"sql\": \"source a.hql\"}" | "$COLLINE" lineage --batch | grep -o "is not followed: [a-z ]*"' <<'END'
is not followed: files are followed in folders only
END
