-- 雨天影响: 下雨与不下雨的小时均流量
EXPLAIN
SELECT w.sky, avg(h.out_trips) FROM dws.dws_dock_hour h JOIN ods.ods_weather_hour_di w
ON h.city_code = w.city_code AND cast(h.hh AS INT) = w.hour_no AND h.dt = w.dt GROUP BY w.sky;

CREATE TABLE IF NOT EXISTS tmp.rain_effect
COMMENT 'one row a city'
STORED AS ORC
AS
SELECT city_code,
       avg(IF(wet, out_trips, NULL))                                       AS wet_trips,
       avg(IF(wet, NULL, out_trips))                                       AS dry_trips,
       1 - avg(IF(wet, out_trips, NULL)) / avg(IF(wet, NULL, out_trips))   AS drop_rate,
       corr(cast(rain_mm AS DOUBLE), cast(out_trips AS DOUBLE))            AS rain_corr
FROM (
    SELECT h.city_code, h.hh, h.rain_mm, sum(h.out_trips) AS out_trips, max(h.rain_mm) > 0.5 AS wet
    FROM dws.dws_dock_hour h
    WHERE h.dt > date_sub('${hivevar:dt}', 60)
    GROUP BY h.city_code, h.dt, h.hh, h.rain_mm
) x
GROUP BY city_code;
