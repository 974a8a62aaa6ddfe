-- 补货建议: the cheapest supplier that delivers before the shelf is empty
WITH daily AS (
    SELECT o.workshop_id, p.part_no, sum(p.quantity) / 30.0 AS daily_use
    FROM dwd.dwd_workorder_part_di p
    JOIN ods.ods_workorder_di o ON p.order_no = o.order_no AND p.dt = o.dt
    WHERE p.dt > date_sub('${hivevar:dt}', 30)
    GROUP BY o.workshop_id, p.part_no
),
offer AS (
    SELECT d.part_no, s.supplier_id, s.lead_days, s.price
    FROM dim.dim_part d
    LATERAL VIEW inline(d.suppliers) s AS supplier_id, lead_days, price
),
best AS (
    SELECT k.workshop_id, k.part_no, k.on_hand, u.daily_use, f.supplier_id, f.price, f.lead_days,
           row_number() OVER (PARTITION BY k.workshop_id, k.part_no ORDER BY f.price, f.lead_days) AS rn
    FROM ods.ods_part_stock_df k
    JOIN daily u ON k.workshop_id = u.workshop_id AND k.part_no = u.part_no
    LEFT JOIN offer f ON k.part_no = f.part_no
    WHERE k.dt = '${hivevar:dt}'
      AND k.on_hand + k.on_order < u.daily_use * 14
      AND (f.lead_days IS NULL OR f.lead_days * u.daily_use <= k.on_hand)
)
INSERT OVERWRITE TABLE ads.ads_part_reorder PARTITION (dt = '${hivevar:dt}')
SELECT workshop_id, part_no, on_hand, daily_use,
       on_hand / daily_use                              AS days_left,
       supplier_id,
       ceil(daily_use * 28 - on_hand) * price           AS order_amount
FROM best
WHERE rn = 1;
