-- ============================================================
-- 行程明细宽表 dwd.dwd_trip_detail_di
-- 上游: ods.ods_ride_trip_di, dwd.dwd_payment_di, dim.*
-- owner: ride-data; runs at 01:20, takes about 12 min
-- ============================================================
source common/settings.hql;
SET hive.exec.parallel = true;

WITH trip AS (
    SELECT trip_id, rider_id, bike_id, start_dock_id, end_dock_id,
           cast(start_at AS TIMESTAMP)        AS start_at,
           cast(end_at AS TIMESTAMP)          AS end_at,
           cast(distance_m AS INT)            AS distance_m,
           raw_status,
           nullif(trim(promo_code), '')       AS promo_code,
           get_json_object(ext, '$.app_ver')  AS app_ver,
           row_number() OVER (PARTITION BY trip_id ORDER BY end_at DESC) AS rn
    FROM ods.ods_ride_trip_di
    WHERE dt = '${hivevar:dt}'
),
paid AS (
    SELECT trip_id, sum(amount) AS due_amount, sum(net_amount) AS paid_amount
    FROM dwd.dwd_payment_di
    WHERE dt = '${hivevar:dt}'
    GROUP BY trip_id
)
INSERT OVERWRITE TABLE dwd.dwd_trip_detail_di PARTITION (dt = '${hivevar:dt}')
SELECT /*+ MAPJOIN(m) */
       t.trip_id,
       t.rider_id,
       t.bike_id,
       b.model_code,
       t.start_dock_id,
       t.end_dock_id,
       coalesce(d.city_code, b.home_city)                              AS city_code,
       t.start_at,
       t.end_at,
       cast(ceil((unix_timestamp(t.end_at) - unix_timestamp(t.start_at)) / 60) AS INT) AS ride_min,
       t.distance_m,
       coalesce(p.due_amount,
                m.unlock_fee + m.minute_fee * ceil((unix_timestamp(t.end_at) - unix_timestamp(t.start_at)) / 60),
                0)                                                     AS due_amount,
       nvl(p.paid_amount, 0)                                           AS paid_amount,
       nvl(r.plan_code, 'none')                                        AS plan_code,
       t.promo_code,
       CASE t.raw_status
           WHEN '1' THEN 'riding'
           WHEN '2' THEN 'done'
           WHEN '3' THEN 'broken'
           WHEN '4' THEN 'cancelled'
           ELSE 'unknown'
       END                                                             AS trip_status,
       t.app_ver
FROM trip t
LEFT JOIN paid p ON t.trip_id = p.trip_id
LEFT JOIN dim.dim_bike_df b ON t.bike_id = b.bike_id AND b.dt = '${hivevar:dt}'
LEFT JOIN dim.dim_bike_model m ON b.model_code = m.model_code
LEFT JOIN dim.dim_dock_df d ON t.start_dock_id = d.dock_id AND d.dt = '${hivevar:dt}'
LEFT JOIN dim.v_rider_now r ON t.rider_id = r.rider_id
WHERE t.rn = 1;
