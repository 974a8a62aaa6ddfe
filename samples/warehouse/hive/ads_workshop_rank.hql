-- 维修站排名
INSERT OVERWRITE TABLE ads.ads_workshop_rank PARTITION (dt = '${hivevar:dt}')
SELECT w.workshop_name,
       c.city_name,
       d.closed,
       d.mean_hours,
       rank() OVER by_speed    AS rank_no,
       ntile(4) OVER by_speed  AS quartile
FROM dws.dws_workshop_day d
JOIN dim.dim_workshop w ON d.workshop_id = w.workshop_id
JOIN dim.dim_city c ON w.city_code = c.city_code
WHERE d.dt = '${hivevar:dt}'
  AND d.closed > 0
WINDOW by_speed AS (PARTITION BY c.region_name ORDER BY d.mean_hours, d.closed DESC);
