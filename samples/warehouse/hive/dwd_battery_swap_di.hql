-- 换电明细, 含距上次换电的小时数
INSERT OVERWRITE TABLE dwd.dwd_battery_swap_di PARTITION (dt = '${hivevar:dt}')
SELECT swap_id, bike_id, worker_id, soc_before, hours_between, swapped_at
FROM (
    SELECT s.swap_id,
           s.bike_id,
           s.worker_id,
           s.soc_before,
           round((unix_timestamp(s.swapped_at)
                - unix_timestamp(lag(s.swapped_at) OVER (PARTITION BY s.bike_id ORDER BY s.swapped_at))) / 3600.0, 2)
               AS hours_between,
           cast(s.swapped_at AS TIMESTAMP) AS swapped_at,
           s.dt
    FROM ods.ods_battery_swap_di s
    WHERE s.dt BETWEEN date_sub('${hivevar:dt}', 14) AND '${hivevar:dt}'
) t
WHERE t.dt = '${hivevar:dt}'
DISTRIBUTE BY bike_id
SORT BY bike_id, swapped_at;
