-- 人工纠正: 桩被关了, 上面的车状态要改
UPDATE dwd.dwd_bike_state_acid
SET status      = 'to_collect',
    fault_count = fault_count + 1,
    updated_at  = current_timestamp()
WHERE dock_id IN (SELECT dock_id FROM dim.dim_dock_df WHERE dt = '${hivevar:dt}' AND status = 'closed')
  AND status = 'on_road';

UPDATE dwd.dwd_bike_state_acid
SET battery_soc = CASE WHEN battery_soc > 100 THEN 100 WHEN battery_soc < 0 THEN 0 ELSE battery_soc END
WHERE battery_soc NOT BETWEEN 0 AND 100;

-- 丢失超过一年的不再跟踪
DELETE FROM dwd.dwd_bike_state_acid
WHERE status = 'lost'
  AND updated_at < date_sub('${hivevar:dt}', 365);
