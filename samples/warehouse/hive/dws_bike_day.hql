-- 车辆日汇总: 行程、报警、换电、维修四路合一
INSERT OVERWRITE TABLE dws.dws_bike_day PARTITION (dt = '${hivevar:dt}')
SELECT coalesce(t.bike_id, a.bike_id, s.bike_id, w.bike_id) AS bike_id,
       b.model_code,
       coalesce(t.city_code, b.home_city)                   AS city_code,
       nvl(t.trips, 0)                                      AS trips,
       nvl(t.ride_min, 0)                                   AS ride_min,
       nvl(t.income, 0)                                     AS income,
       nvl(a.alarms, 0)                                     AS alarms,
       nvl(s.swaps, 0)                                      AS swaps,
       nvl(w.repair_cost, 0)                                AS repair_cost
FROM (
    SELECT bike_id, max(city_code) AS city_code, count(*) AS trips,
           sum(ride_min) AS ride_min, sum(paid_amount) AS income
    FROM dwd.dwd_trip_detail_di
    WHERE dt = '${hivevar:dt}' AND trip_status = 'done'
    GROUP BY bike_id
) t
FULL OUTER JOIN (
    SELECT bike_id, count(*) AS alarms
    FROM dwd.dwd_lock_event_di
    WHERE dt = '${hivevar:dt}' AND event_group = 'alarm'
    GROUP BY bike_id
) a ON t.bike_id = a.bike_id
FULL OUTER JOIN (
    SELECT bike_id, count(*) AS swaps
    FROM dwd.dwd_battery_swap_di
    WHERE dt = '${hivevar:dt}'
    GROUP BY bike_id
) s ON coalesce(t.bike_id, a.bike_id) = s.bike_id
FULL OUTER JOIN (
    SELECT o.bike_id, sum(p.cost) AS repair_cost
    FROM (SELECT DISTINCT order_no, bike_id FROM dwd.dwd_workorder_di WHERE dt = '${hivevar:dt}') o
    JOIN dwd.dwd_workorder_part_di p ON o.order_no = p.order_no
    WHERE p.dt = '${hivevar:dt}'
    GROUP BY o.bike_id
) w ON coalesce(t.bike_id, a.bike_id, s.bike_id) = w.bike_id
LEFT JOIN dim.dim_bike_df b
    ON b.bike_id = coalesce(t.bike_id, a.bike_id, s.bike_id, w.bike_id) AND b.dt = '${hivevar:dt}';
