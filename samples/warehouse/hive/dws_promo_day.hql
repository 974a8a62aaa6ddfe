/* 优惠活动日汇总
 * 一个行程可能有多笔支付，先按行程汇总支付，再和行程关联
 */
INSERT OVERWRITE TABLE dws.dws_promo_day PARTITION (dt = '${hivevar:dt}')
SELECT t.promo_code,
       t.city_code,
       count(DISTINCT t.rider_id)  AS riders,
       count(*)                    AS trips,
       sum(p.discount)             AS discount,
       sum(p.net_amount)           AS paid_amount
FROM dwd.dwd_trip_detail_di t
JOIN (
    SELECT trip_id, sum(discount) AS discount, sum(net_amount) AS net_amount
    FROM dwd.dwd_payment_di
    WHERE dt = '${hivevar:dt}'
    GROUP BY trip_id
) p USING (trip_id)
WHERE t.dt = '${hivevar:dt}'
  AND t.promo_code IS NOT NULL
  AND t.promo_code RLIKE '^[A-Z]{2}[0-9]+$'
GROUP BY t.promo_code, t.city_code;
