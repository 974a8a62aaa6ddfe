-- 导出给财务: files, not tables
INSERT OVERWRITE DIRECTORY '/export/finance/city_month'
ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t'
SELECT region_name, city_name, month_key, trips, riders, income
FROM dws.v_city_month
WHERE month_key = substr('${hivevar:dt}', 1, 7);

FROM dws.dws_promo_day p
INSERT OVERWRITE DIRECTORY '/export/marketing/promo'
    SELECT p.promo_code, p.city_code, p.riders, p.discount
    WHERE p.dt = '${hivevar:dt}' AND p.discount > 0
INSERT OVERWRITE LOCAL DIRECTORY '/data/out/promo_empty'
    SELECT DISTINCT p.promo_code
    WHERE p.dt = '${hivevar:dt}' AND p.discount = 0;

EXPORT TABLE ads.ads_city_board_day PARTITION (dt = '${hivevar:dt}') TO '/export/board/${hivevar:dt}';
