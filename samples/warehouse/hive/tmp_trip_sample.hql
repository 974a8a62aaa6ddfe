-- 抽样给算法组
USE tmp;

DROP TABLE IF EXISTS trip_sample;
CREATE TABLE trip_sample LIKE dwd.dwd_trip_detail_di;

INSERT INTO TABLE trip_sample PARTITION (dt)
SELECT trip_id, rider_id, bike_id, model_code, start_dock_id, end_dock_id, city_code, start_at, end_at,
       ride_min, distance_m, due_amount, paid_amount, plan_code, promo_code, trip_status, app_ver, dt
FROM dwd.dwd_trip_detail_di TABLESAMPLE (5 PERCENT) s
WHERE s.dt BETWEEN date_sub('${hivevar:dt}', 6) AND '${hivevar:dt}';

CREATE TEMPORARY TABLE sample_rider (rider_id BIGINT, trips BIGINT, tail ARRAY<STRING>);

INSERT INTO sample_rider
SELECT rider_id, count(*), sort_array(collect_set(trip_id))
FROM trip_sample
GROUP BY rider_id
LIMIT 1000;

SELECT r.rider_id, r.trips, r.tail[0] AS first_trip, z.plan_code
FROM sample_rider r
CROSS JOIN (SELECT max(dt) AS last_dt FROM trip_sample) m
LEFT JOIN dim.v_rider_now z ON r.rider_id = z.rider_id
WHERE m.last_dt = '${hivevar:dt}';
