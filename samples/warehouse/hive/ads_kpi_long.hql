-- 指标纵表: stack() turns the columns of one row into rows
INSERT OVERWRITE TABLE ads.ads_kpi_long PARTITION (dt = '${hivevar:dt}')
SELECT k.kpi_name,
       d.city_code            AS scope,
       k.kpi_val
FROM (
    SELECT city_code, trips, riders, income, income / trips AS arpt
    FROM dws.dws_city_day
    WHERE dt = '${hivevar:dt}'
) d
LATERAL VIEW stack(4,
    'trips',  cast(d.trips AS DECIMAL(20, 4)),
    'riders', cast(d.riders AS DECIMAL(20, 4)),
    'income', cast(d.income AS DECIMAL(20, 4)),
    'arpt',   cast(d.arpt AS DECIMAL(20, 4))) k AS kpi_name, kpi_val;

INSERT INTO TABLE ads.ads_kpi_long PARTITION (dt = '${hivevar:dt}')
SELECT 'fleet_on_road', 'all', count(*)
FROM dwd.dwd_bike_state_acid
WHERE status = 'on_road';
