# SQL in shell scripts: what stands there is analysed, with places in the shell script; what does not is told.
. "$SOURCE/tests/cli/expect.bash"

# short FILE [OPTION]...: a line a document, statement and diagnostic of interest.
short() {
    "$COLLINE" lineage --format jsonl "$@" | python3 -c '
import json, sys
for line in sys.stdin:
    doc = json.loads(line)
    print(doc["id"], doc["dialect"])
    for st in doc["statements"]:
        span, outputs = st["span"], [o.get("table") or o.get("path") for o in st["outputs"]]
        print("  {}:{} {} {} <- {}".format(span["line"], span["column"], st["type"], " ".join(outputs), " ".join(map(str, st["inputs"]))))
        for diag in st["diagnostics"]:
            if diag["code"] in ("dynamic-sql", "unset-variable", "source-file", "dialect-guessed"):
                print("    {}:{} {} {}".format(diag["span"]["line"], diag["span"]["column"], diag["code"], diag["message"]))
        if st["error"]:
            print("    error {}:{} {}".format(st["error"]["line"], st["error"]["column"], st["error"]["message"]))
'
}

# -e in both kinds of quotes, escapes, pieces next to one another, comments that are none of its business.
cat >quotes.sh <<'END'
#!/bin/bash
# don't: hive -e "insert into no select x from no"
hive -e 'insert into a select x from s where n = "it is"' # don't
hive -S -e "insert into b select \`x y\`, \"q\" from s
  where c = 'z'"
/opt/hive/bin/hive -e 'insert into c select x from s_'"2024"'_raw'; beeline -u jdbc:hive2://h:10000/rpt -e "insert into d select x from s"
echo hive -e "insert into no select x from no"
if ! sudo -u etl beeline -u "jdbc:hive2://h:10000/;ssl=true" -e "select 1 from e"; then exit 1; fi
last=$(impala-shell -B --query="select max(dt) from f" 2>/dev/null)
END
short quotes.sh >got
diff got - <<'END'
quotes.sh:3 hive
  3:10 INSERT default.a <- default.s
quotes.sh:4 hive
  4:13 INSERT default.b <- default.s
quotes.sh:6 hive
  6:24 INSERT default.c <- default.s_2024_raw
quotes.sh:6 hive
  6:109 INSERT rpt.d <- rpt.s
quotes.sh:8 hive
  8:66 SELECT  <- default.e
quotes.sh:9 impala
  9:33 SELECT  <- default.f
END

# Variables: known ones are put in, others stand for themselves and are told by name; --define gives them.
cat >variables.sh <<'END'
db=ods
raw=${db}.raw
day=$(date +%F)
if [ -n "$1" ]; then suffix=$1; fi
sql="
insert overwrite table dwd.orders partition (dt = '$day')
select x from $raw;
insert into dwd.orders_${suffix:-all} select y from ${raw}_$suffix where d = '`date +%d`'"
hive -e "$sql"
hive --hivevar dt="$day" -e 'insert into t select x from s where dt = ${hivevar:dt}'
hive -e "$2"
hive -f "$DIR/late.hql"
for table in a b; do hive -e "insert into $table select x from s"; done
impala="impala-shell -i host -d kudu"
$impala -q "insert into t select x from s where n = \${var:n} and d = '\$no'"
END
short variables.sh >got
diff got - <<'END'
variables.sh:6 hive
  6:1 INSERT dwd.orders <- ods.raw
    6:52 dynamic-sql is known at run time only: `${day}`
  8:1 INSERT dwd.orders_${suffix} <- ods.raw_${suffix}
    8:24 dynamic-sql is known at run time only: `${suffix}`
    8:60 dynamic-sql is known at run time only: `${suffix}`
    8:79 dynamic-sql is known at run time only: `${(date_+%d)}`
variables.sh:10 hive
  10:30 INSERT default.t <- default.s
    10:71 dynamic-sql is known at run time only: `${day}`
variables.sh:11 hive
  11:10 EXECUTE IMMEDIATE  <- 
    11:10 dynamic-sql is known at run time only: `${2}`
variables.sh:12 hive
  12:9 COMMAND  <- 
    12:9 dynamic-sql is known at run time only: `${DIR}`
    12:9 source-file `${DIR}/late.hql` is not followed: No such file or directory
variables.sh:13 hive
  13:31 INSERT default.${table} <- default.s
    13:43 dynamic-sql is known at run time only: `${table}`
variables.sh:15 impala
  15:13 INSERT kudu.t <- kudu.s
    15:54 unset-variable has no value and stands for itself: `${var:n}`
END
mkdir sql
echo 'insert into late select x from s' >sql/late.hql
short variables.sh --define day=2024-06-30 --define suffix=eu --define 2='insert into u select x from v' --define DIR=sql \
    --define table=w --define n=1 --define '(date_+%d)=30' >got
diff got - <<'END'
variables.sh:6 hive
  6:1 INSERT dwd.orders <- ods.raw
  8:1 INSERT dwd.orders_eu <- ods.raw_eu
variables.sh:10 hive
  10:30 INSERT default.t <- default.s
variables.sh:11 hive
  11:10 INSERT default.u <- default.v
variables.sh:12 hive
  12:9 COMMAND  <- 
  1:1 INSERT default.late <- default.s
variables.sh:13 hive
  13:31 INSERT default.w <- default.s
variables.sh:15 impala
  15:13 INSERT kudu.t <- kudu.s
END

# A variable is known only where nothing else can have changed it.
cat >changes.sh <<'END'
twice=a; twice=b
hive -e "select x from $twice"
early
hive -e "select x from $later"
later=c
added=d; added+=e
hive -e "select x from $added"
f() { local inner=e; hive -e "select x from $inner"; }
(sub=f)
[ -f x ] && maybe=g
echo h | read piped
hive -e "select x from ${sub} join $maybe join $piped"
fine=i
hive -e "select x from $fine"
. ./config
hive -e "select x from $fine"
END
short changes.sh >got
diff got - <<'END'
changes.sh:2 hive
  2:10 SELECT  <- default.${twice}
    2:24 dynamic-sql is known at run time only: `${twice}`
changes.sh:4 hive
  4:10 SELECT  <- default.${later}
    4:24 dynamic-sql is known at run time only: `${later}`
changes.sh:7 hive
  7:10 SELECT  <- default.${added}
    7:24 dynamic-sql is known at run time only: `${added}`
changes.sh:8 hive
  8:31 SELECT  <- default.${inner}
    8:45 dynamic-sql is known at run time only: `${inner}`
changes.sh:12 hive
  12:10 SELECT  <- default.${maybe} default.${piped} default.${sub}
    12:24 dynamic-sql is known at run time only: `${sub}`
    12:36 dynamic-sql is known at run time only: `${maybe}`
    12:48 dynamic-sql is known at run time only: `${piped}`
changes.sh:14 hive
  14:10 SELECT  <- default.i
changes.sh:16 hive
  16:10 SELECT  <- default.${fine}
    16:24 dynamic-sql is known at run time only: `${fine}`
END

# Here-documents: their variables are the shell's, unless the delimiter is quoted; into a client, a pipe, a file, a variable.
cat >here.sh <<'END'
hive <<EOF
set hivevar:k=1;
insert into a select x from s where d = '$day' and k = \${hivevar:k};
EOF
beeline -u jdbc:hive2://h/db2 <<-'EOF'
	insert into b select x from s where d = '$day';
	EOF
cat <<EOF | impala-shell -d db3
insert into c select x from s;
EOF
cat > /tmp/job.hql <<EOF
insert into d select x from s;
EOF
hive -f /tmp/job.hql
tee unread.impala.sql <<EOF
upsert into e select x from s;
EOF
cat > notes.txt <<EOF
select x from nothing;
EOF
read -r -d '' sql <<'EOF'
insert into f select x from s where c = '$x';
EOF
hive -e "$sql"
impala-shell -q "$(cat <<EOF
insert into g select ')' from s;
EOF
)"
hive <<< "insert into h select x from s"
echo "insert into i select x from s" | hive
hive < sql/late.hql
END
short here.sh >got
diff got - <<'END'
here.sh:2 hive
  2:1 SET  <- 
  3:1 INSERT default.a <- default.s
    3:42 dynamic-sql is known at run time only: `${day}`
here.sh:6 hive
  6:2 INSERT db2.b <- db2.s
here.sh:9 impala
  9:1 INSERT db3.c <- db3.s
here.sh:12 hive
  12:1 INSERT default.d <- default.s
here.sh:16 impala
  16:1 UPSERT default.e <- default.s
here.sh:22 hive
  22:1 INSERT default.f <- default.s
here.sh:26 impala
  26:1 INSERT default.g <- default.s
here.sh:29 hive
  29:11 INSERT default.h <- default.s
here.sh:30 hive
  30:7 INSERT default.i <- default.s
here.sh:31 hive
  31:8 COMMAND  <- 
  1:1 INSERT default.late <- default.s
END

# Mistakes have their place and their line in the shell script; what comes after them is analysed.
printf 'echo\nhive -e "\nselect a b c;\ninsert into t select x from s"\n' >broken.sh
expect 1 "$COLLINE" lineage --format tables broken.sh <<'END'
{"inputTables":["default.s"],"outputTable":"default.t"}
END
expect_error <<'END'
broken.sh:3:12: expected the end of the statement, found c
  select a b c;
             ^
END

# Folders, trace and impact know shell scripts; so does a file whose first line says so.
mkdir jobs
echo 'create table ads.t as select x from dwd.s' >jobs/a.hql
echo 'hive -e "insert into dwd.s select y as x from ods.r"' >jobs/b.sh
expect 0 "$COLLINE" trace ads.t.x jobs <<'END'
ads.t.x
└─ dwd.s.x  [jobs/a.hql:1]
   └─ ods.r.y  [jobs/b.sh:1]

1 direct source, 2 in all
END
printf '#!/usr/bin/env bash\nhive -e "select x from s"\n' >job
expect 0 "$COLLINE" lineage --format tables job <<'END'
{"inputTables":["default.s"],"outputTable":null}
END

# SQL put together at run time in SQL scripts, for both dialects.
printf "execute immediate 'select ' || x;\n\${sql};\nselect x from s" >dynamic.sql
for dialect in hive impala; do
    short dynamic.sql -d $dialect >got
    diff got - <<END
dynamic.sql $dialect
  1:1 EXECUTE IMMEDIATE  <- 
    1:1 dynamic-sql SQL put together at run time cannot be seen here
  2:1 EXECUTE IMMEDIATE  <- 
    2:1 dynamic-sql SQL put together at run time cannot be seen here
    2:1 unset-variable has no value and stands for itself: \`\${sql}\`
  3:1 SELECT  <- default.s
END
done

# Texts that lead nowhere end somewhere.
for text in '"' "'" '`' '$(' '${' '(' 'cat <<' 'cat <<A' '\' '$' 'a="$(b "$(c ' 'hive -e' 'hive -e "' 'hive -f' 'hive <<EOF' 'read -d x <<A'; do
    printf '%s' "$text" >end.sh
    quiet 0 "$COLLINE" lineage --format tables end.sh
    python3 -c 'import sys; sys.stdout.write(sys.argv[1] * 20000)' "$text" >end.sh
    timeout 20 "$COLLINE" lineage --format tables end.sh >"$TMP/stdout" 2>&1 || [ $? -eq 1 ]
done
