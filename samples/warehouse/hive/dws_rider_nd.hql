-- 骑手近 7 / 30 日: 条件聚合 + 常去桩组
WITH span AS (
    SELECT rider_id, trips, paid_amount, dt
    FROM dws.dws_rider_day
    WHERE dt > date_sub('${hivevar:dt}', 30)
      AND dt <= '${hivevar:dt}'
),
fav AS (
    SELECT rider_id, start_dock_id
    FROM (
        SELECT rider_id, start_dock_id,
               row_number() OVER (PARTITION BY rider_id ORDER BY n DESC, start_dock_id) AS rn
        FROM (
            SELECT rider_id, start_dock_id, count(1) AS n
            FROM dwd.v_trip_valid
            WHERE dt > date_sub('${hivevar:dt}', 30)
            GROUP BY rider_id, start_dock_id
        ) c
    ) r
    WHERE rn = 1
)
INSERT OVERWRITE TABLE dws.dws_rider_nd PARTITION (dt = '${hivevar:dt}')
SELECT s.rider_id,
       sum(IF(s.dt > date_sub('${hivevar:dt}', 7), s.trips, 0))        AS trips_7d,
       sum(s.trips)                                                    AS trips_30d,
       sum(IF(s.dt > date_sub('${hivevar:dt}', 7), s.paid_amount, 0))  AS paid_7d,
       sum(s.paid_amount)                                              AS paid_30d,
       count(DISTINCT s.dt)                                            AS active_days,
       max(s.dt)                                                       AS last_trip_dt,
       max(f.start_dock_id)                                            AS favourite_dock
FROM span s
LEFT JOIN fav f ON s.rider_id = f.rider_id
GROUP BY s.rider_id;
