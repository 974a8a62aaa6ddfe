-- 城市日汇总 (insert into a column list; new riders come from the history table)
WITH new_riders AS (
    SELECT home_city, count(*) AS n
    FROM dim.v_rider_now
    WHERE to_date(signed_up_at) = '${hivevar:dt}'
    GROUP BY home_city
)
INSERT INTO TABLE dws.dws_city_day PARTITION (dt = '${hivevar:dt}')
    (city_code, trips, riders, bikes_used, income, new_riders, avg_ride_min, p90_ride_min)
SELECT v.city_code,
       count(*),
       count(DISTINCT v.rider_id),
       count(DISTINCT v.bike_id),
       sum(v.paid_amount),
       max(n.n),
       avg(v.ride_min),
       percentile_approx(v.ride_min, 0.9)
FROM dwd.v_trip_valid v
LEFT JOIN new_riders n ON v.city_code = n.home_city
WHERE v.dt = '${hivevar:dt}'
GROUP BY v.city_code;
