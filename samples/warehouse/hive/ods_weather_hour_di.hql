-- 天气补数: the provider sometimes skips an hour; the gap takes the hour before
USE ods;

WITH hours AS (
    SELECT c.city_code, h.hour_no
    FROM dim.dim_city c
    LATERAL VIEW posexplode(split(space(23), ' ')) h AS hour_no, blank
),
got AS (
    SELECT city_code, hour_no, temp_c, rain_mm, wind_ms, sky
    FROM ods_weather_hour_di
    WHERE dt = '${hivevar:dt}'
)
INSERT OVERWRITE TABLE ods_weather_hour_di PARTITION (dt = '${hivevar:dt}')
SELECT h.city_code,
       h.hour_no,
       coalesce(g.temp_c, last_value(g.temp_c, true) OVER w)   AS temp_c,
       coalesce(g.rain_mm, 0)                                  AS rain_mm,
       coalesce(g.wind_ms, last_value(g.wind_ms, true) OVER w) AS wind_ms,
       nvl(g.sky, 'unknown')                                   AS sky
FROM hours h
LEFT JOIN got g ON h.city_code = g.city_code AND h.hour_no = g.hour_no
WINDOW w AS (PARTITION BY h.city_code ORDER BY h.hour_no
             ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW);
