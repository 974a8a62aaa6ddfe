-- 桩组小时流入流出; hh 动态分区
source common/settings.hql;

INSERT OVERWRITE TABLE dws.dws_dock_hour PARTITION (dt = '${hivevar:dt}', hh)
SELECT f.dock_id,
       d.city_code,
       sum(f.out_trips)                     AS out_trips,
       sum(f.in_trips)                      AS in_trips,
       sum(f.in_trips) - sum(f.out_trips)   AS net_flow,
       max(w.rain_mm)                       AS rain_mm,
       f.hh
FROM (
    SELECT start_dock_id AS dock_id, lpad(cast(hour(start_at) AS STRING), 2, '0') AS hh,
           1 AS out_trips, 0 AS in_trips
    FROM dwd.v_trip_valid
    WHERE dt = '${hivevar:dt}'
    UNION ALL
    SELECT end_dock_id, lpad(cast(hour(end_at) AS STRING), 2, '0'), 0, 1
    FROM dwd.v_trip_valid
    WHERE dt = '${hivevar:dt}' AND end_dock_id IS NOT NULL
) f
JOIN dim.v_dock_open d ON f.dock_id = d.dock_id AND d.dt = '${hivevar:dt}'
LEFT JOIN ods.ods_weather_hour_di w
    ON w.city_code = d.city_code AND w.hour_no = cast(f.hh AS INT) AND w.dt = '${hivevar:dt}'
GROUP BY f.dock_id, d.city_code, f.hh;
