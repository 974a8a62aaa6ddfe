-- 视图 / views that the scripts read through
CREATE VIEW IF NOT EXISTS dwd.v_trip_valid
COMMENT '有效行程: finished, longer than one minute'
AS
SELECT t.trip_id,
       t.rider_id,
       t.bike_id,
       t.model_code,
       t.start_dock_id,
       t.end_dock_id,
       t.city_code,
       t.start_at,
       t.end_at,
       t.ride_min,
       t.distance_m,
       t.due_amount,
       t.paid_amount,
       t.plan_code,
       t.promo_code,
       t.dt
FROM dwd.dwd_trip_detail_di t
WHERE t.trip_status = 'done'
  AND t.ride_min > 1;

CREATE VIEW IF NOT EXISTS dim.v_dock_open (
    dock_id COMMENT '桩组ID',
    dock_name,
    city_code,
    city_name,
    region_name,
    slots,
    dt
) AS
SELECT d.dock_id, d.dock_name, d.city_code, c.city_name, c.region_name, d.slots, d.dt
FROM dim.dim_dock_df d
LEFT JOIN dim.dim_city c ON d.city_code = c.city_code
WHERE d.status = 'open';

CREATE VIEW IF NOT EXISTS dim.v_rider_now AS
SELECT rider_id, gender, birth_year, home_city, plan_code, signed_up_at
FROM dim.dim_rider_zip
WHERE end_dt = '9999-12-31';

-- 视图套视图 / a view over a view
CREATE VIEW IF NOT EXISTS dws.v_city_month AS
SELECT c.region_name,
       c.city_name,
       substr(v.dt, 1, 7)         AS month_key,
       count(*)                   AS trips,
       count(DISTINCT v.rider_id) AS riders,
       sum(v.paid_amount)         AS income
FROM dwd.v_trip_valid v
JOIN dim.dim_city c ON v.city_code = c.city_code
GROUP BY c.region_name, c.city_name, substr(v.dt, 1, 7);
