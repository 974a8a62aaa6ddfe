-- 重刷分区: copy a partition back from the snapshot table, all columns but dt
SET hive.support.quoted.identifiers = none;
SET hivevar:src = tmp.trip_detail_snapshot;

CREATE TABLE IF NOT EXISTS tmp.trip_detail_snapshot LIKE dwd.dwd_trip_detail_di;

INSERT OVERWRITE TABLE dwd.dwd_trip_detail_di PARTITION (dt = '${hivevar:dt}')
SELECT `(dt)?+.+`
FROM ${hivevar:src}
WHERE dt = '${hivevar:dt}';

SET hive.support.quoted.identifiers = column;

INSERT OVERWRITE TABLE tmp.trip_detail_snapshot PARTITION (dt)
SELECT * FROM dwd.dwd_trip_detail_di WHERE dt >= date_sub('${hivevar:dt}', 2);
