-- 退役建议: 近 90 天修得比挣得多
INSERT OVERWRITE TABLE ads.ads_bike_retire_list PARTITION (dt = '${hivevar:dt}')
SELECT b.bike_id,
       concat(m.model_name, ' / ', cast(m.spec.weight_kg AS STRING), ' kg / ', nvl(m.spec.motor.maker, '-')) AS model_name,
       datediff('${hivevar:dt}', b.put_on)    AS age_days,
       s.income_90d,
       s.repair_90d,
       CASE
           WHEN s.repair_90d > 2 * s.income_90d THEN 'retire'
           WHEN s.repair_90d > s.income_90d AND datediff('${hivevar:dt}', b.put_on) > m.warranty_days THEN 'inspect'
           ELSE 'keep'
       END                                    AS verdict
FROM dim.dim_bike_df b
JOIN dim.dim_bike_model m ON b.model_code = m.model_code
JOIN (
    SELECT bike_id, sum(income) AS income_90d, sum(repair_cost) AS repair_90d
    FROM dws.dws_bike_day
    WHERE dt > date_sub('${hivevar:dt}', 90)
    GROUP BY bike_id
    HAVING sum(repair_cost) > 0
) s ON b.bike_id = s.bike_id
WHERE b.dt = '${hivevar:dt}'
  AND b.status NOT IN ('retired', 'lost');
