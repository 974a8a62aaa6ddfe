#!/bin/bash
# 每晚: 城市看板和它的检查. Called by the scheduler as board_night.sh [DAY].
set -euo pipefail

if [ $# -ge 1 ]; then
    dt=$1
else
    dt=$(date -d yesterday +%F)
fi
layer=dws
hive="hive -S --database ads"

# Weekly sums for the mail to the regions.
sql="
CREATE TABLE IF NOT EXISTS tmp.board_week (city_code STRING, trips BIGINT, income DECIMAL(18, 2));
INSERT OVERWRITE TABLE tmp.board_week
SELECT city_code, sum(trips), sum(income)
FROM ${layer}.dws_city_day
WHERE dt BETWEEN date_sub('$dt', 6) AND '$dt'
GROUP BY city_code;
"
$hive -e "$sql"

hive --hivevar dt="$dt" <<'EOF'
INSERT OVERWRITE DIRECTORY '/export/board/week'
SELECT c.region_name, w.trips, w.income
FROM tmp.board_week w JOIN dim.dim_city c ON w.city_code = c.city_code
WHERE c.city_code IN (SELECT city_code FROM dws.dws_city_day WHERE dt = '${hivevar:dt}');
EOF

# One table for each source that somebody listed; what they are called is known at night only.
for source in $(cat /etc/kestrel/sources); do
    impala-shell -q "REFRESH ods.$source; COMPUTE STATS ods.$source"
    impala-shell -B -q "SELECT count(*) FROM ods.$source WHERE dt = '$dt'" >>counts.tsv
done

# Whoever wrote this check keeps it in the environment.
if [ -n "${EXTRA_CHECK:-}" ]; then
    beeline -u "jdbc:hive2://hs2.kestrel:10000/dwd" -e "$EXTRA_CHECK"
fi
