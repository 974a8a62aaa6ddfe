-- 把文件服务器送来的行程、工单落到 ods
-- run: hive --hivevar dt=2024-06-30 -f ods_load_trip.hql
ALTER TABLE ods.ods_ride_trip_di ADD IF NOT EXISTS
    PARTITION (dt = '${hivevar:dt}') LOCATION '/landing/ride/${hivevar:dt}';

LOAD DATA INPATH '/landing/workorder/${hivevar:dt}/part-0.orc'
OVERWRITE INTO TABLE ods.ods_workorder_di PARTITION (dt = '${hivevar:dt}');

LOAD DATA INPATH '/landing/workorder_part/${hivevar:dt}/part-0.orc'
OVERWRITE INTO TABLE ods.ods_workorder_part_di PARTITION (dt = '${hivevar:dt}');

MSCK REPAIR TABLE ods.ods_lock_event_hi;

ANALYZE TABLE ods.ods_ride_trip_di PARTITION (dt = '${hivevar:dt}') COMPUTE STATISTICS;

SHOW PARTITIONS ods.ods_ride_trip_di;
