-- 数据质量: every check is one row of ads_kpi_long with scope = 'dq'
INSERT INTO TABLE ads.ads_kpi_long PARTITION (dt = '${hivevar:dt}')
SELECT 'trip_without_bike', 'dq', count(*)
FROM dwd.dwd_trip_detail_di t
WHERE t.dt = '${hivevar:dt}'
  AND NOT EXISTS (SELECT 1 FROM dim.dim_bike_df b WHERE b.bike_id = t.bike_id AND b.dt = '${hivevar:dt}')
UNION ALL
SELECT 'trip_on_closed_dock', 'dq', count(*)
FROM dwd.dwd_trip_detail_di t
WHERE t.dt = '${hivevar:dt}'
  AND t.start_dock_id NOT IN (SELECT o.dock_id FROM dim.v_dock_open o WHERE o.dt = '${hivevar:dt}' AND o.dock_id IS NOT NULL)
UNION ALL
SELECT 'paid_but_short', 'dq', count(*)
FROM dwd.dwd_payment_di p
LEFT SEMI JOIN (
    SELECT trip_id FROM dwd.dwd_trip_detail_di WHERE dt = '${hivevar:dt}' AND ride_min <= 1
) s ON p.trip_id = s.trip_id
WHERE p.dt = '${hivevar:dt}' AND p.net_amount > 0
UNION ALL
SELECT 'row_drift', 'dq', abs(a.n - b.n)
FROM (SELECT count(DISTINCT trip_id) AS n FROM ods.ods_ride_trip_di WHERE dt = '${hivevar:dt}') a
CROSS JOIN (SELECT count(*) AS n FROM dwd.dwd_trip_detail_di WHERE dt = '${hivevar:dt}') b;
