-- 视图维护 (run after a schema change)
CREATE OR REPLACE VIEW dws.v_dock_day AS
WITH hours AS (
    SELECT dock_id, dt, sum(out_trips) AS out_trips, sum(in_trips) AS in_trips, max(rain_mm) AS rain_mm
    FROM dws.dws_dock_hour
    GROUP BY dock_id, dt
)
SELECT h.dock_id, o.dock_name, o.region_name, h.out_trips, h.in_trips,
       h.out_trips / nullif(o.slots, 0) AS turns_a_slot,
       h.rain_mm > 5                    AS rainy,
       h.dt
FROM hours h
JOIN dim.v_dock_open o ON h.dock_id = o.dock_id AND h.dt = o.dt;

ALTER VIEW dim.v_rider_now AS
SELECT rider_id, gender, birth_year, home_city, plan_code, signed_up_at
FROM dim.dim_rider_zip
WHERE end_dt >= '9999-01-01';

ALTER VIEW dws.v_dock_day SET TBLPROPERTIES ('owner' = 'city-ops', 'note' = '看板用');

DESCRIBE FORMATTED dws.v_dock_day;
