-- 城市看板
INSERT OVERWRITE TABLE ads.ads_city_board_day PARTITION (dt = '${hivevar:dt}')
SELECT c.city_name,
       c.region_name,
       t.trips,
       cast((t.trips - w.trips) / w.trips AS DECIMAL(10, 4))                          AS trips_wow,
       t.income,
       y.income_ytd,
       rank() OVER (PARTITION BY c.region_name ORDER BY t.income DESC)                AS rank_in_region
FROM dws.dws_city_day t
JOIN dim.dim_city c ON t.city_code = c.city_code
LEFT JOIN dws.dws_city_day w
    ON t.city_code = w.city_code AND w.dt = date_sub('${hivevar:dt}', 7)
LEFT JOIN (
    SELECT city_code, sum(income) AS income_ytd
    FROM dws.dws_city_day
    WHERE dt BETWEEN trunc('${hivevar:dt}', 'YYYY') AND '${hivevar:dt}'
    GROUP BY city_code
) y ON t.city_code = y.city_code
WHERE t.dt = '${hivevar:dt}';
