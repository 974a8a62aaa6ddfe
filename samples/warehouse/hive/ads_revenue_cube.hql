-- 收入立方体: region x kind x channel
INSERT OVERWRITE TABLE ads.ads_revenue_cube PARTITION (dt = '${hivevar:dt}')
SELECT nvl(c.region_name, 'ALL')    AS region_name,
       nvl(m.kind, 'ALL')           AS kind,
       nvl(p.channel, 'ALL')        AS channel,
       grouping__id                 AS grp,
       count(DISTINCT t.trip_id)    AS trips,
       sum(p.net_amount)            AS net_amount
FROM dwd.dwd_payment_di p
JOIN dwd.v_trip_valid t ON p.trip_id = t.trip_id AND t.dt = '${hivevar:dt}'
JOIN dim.dim_city c ON t.city_code = c.city_code
LEFT JOIN dim.dim_bike_model m ON t.model_code = m.model_code
WHERE p.dt = '${hivevar:dt}'
GROUP BY c.region_name, m.kind, p.channel
GROUPING SETS ((c.region_name, m.kind, p.channel), (c.region_name, m.kind), (c.region_name), (p.channel), ());
