-- 明日换电计划: 低电量车辆按桩组聚在一起
CREATE TABLE IF NOT EXISTS tmp.battery_plan (
    dock_id BIGINT, bikes ARRAY<BIGINT>, mean_soc DOUBLE, mean_gap_h DOUBLE
) PARTITIONED BY (plan_dt STRING, crew STRING);

INSERT OVERWRITE TABLE tmp.battery_plan PARTITION (plan_dt = '${hivevar:dt}', crew)
SELECT s.dock_id,
       collect_list(s.bike_id)                         AS bikes,
       avg(s.battery_soc)                              AS mean_soc,
       avg(g.gap_h)                                    AS mean_gap_h,
       concat('crew_', pmod(hash(d.district), 4))      AS crew
FROM dwd.dwd_bike_state_acid s
JOIN dim.dim_dock_df d ON s.dock_id = d.dock_id AND d.dt = '${hivevar:dt}'
LEFT JOIN (
    SELECT bike_id, avg(hours_between) AS gap_h
    FROM dwd.dwd_battery_swap_di
    WHERE dt > date_sub('${hivevar:dt}', 30)
    GROUP BY bike_id
) g ON s.bike_id = g.bike_id
WHERE s.battery_soc < 25
   OR (g.gap_h IS NOT NULL AND g.gap_h < 24 AND s.battery_soc < 40)
GROUP BY s.dock_id, d.district;
