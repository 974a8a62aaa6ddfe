#!/bin/bash
# don't: hive -e "insert into no select x from no"
hive -e 'insert into a select x from s where n = "it is"' # don't
hive -S -e "insert into b select \`x y\`, \"q\" from s
  where c = 'z'"
/opt/hive/bin/hive -e 'insert into c select x from s_'"2024"'_raw'; beeline -u jdbc:hive2://h:10000/rpt -e "insert into d select x from s"
echo hive -e "insert into no select x from no"
if ! sudo -u etl beeline -u "jdbc:hive2://h:10000/;ssl=true" -e "select 1 from e"; then exit 1; fi
last=$(impala-shell -B --query="select max(dt) from f" 2>/dev/null)
