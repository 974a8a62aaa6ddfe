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
