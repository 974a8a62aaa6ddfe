-- 骑手日汇总
source common/settings.hql;

INSERT OVERWRITE TABLE dws.dws_rider_day PARTITION (dt = '${hivevar:dt}')
SELECT v.rider_id,
       max(v.city_code)                                         AS city_code,
       count(*)                                                 AS trips,
       sum(v.ride_min)                                          AS ride_min,
       sum(v.distance_m)                                        AS distance_m,
       sum(v.paid_amount)                                       AS paid_amount,
       min(v.start_at)                                          AS first_at,
       max(v.end_at)                                            AS last_at,
       sum(CASE WHEN hour(v.start_at) >= ${hivevar:night_from} THEN 1 ELSE 0 END) AS night_trips
FROM dwd.v_trip_valid v
WHERE v.dt = '${hivevar:dt}'
GROUP BY v.rider_id;
