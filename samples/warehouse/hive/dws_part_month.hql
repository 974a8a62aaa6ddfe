-- 配件月汇总; top_models = 用得最多的三种车型
SET hivevar:month = 2024-06;

INSERT OVERWRITE TABLE dws.dws_part_month PARTITION (month_key = '${hivevar:month}')
SELECT u.part_no,
       sum(u.quantity)                                  AS used,
       sum(u.cost)                                      AS cost,
       count(DISTINCT u.order_no)                       AS orders,
       collect_list(IF(m.rank_no <= 3, m.model_code, NULL)) AS top_models
FROM dwd.dwd_workorder_part_di u
LEFT JOIN (
    SELECT part_no, model_code,
           dense_rank() OVER (PARTITION BY part_no ORDER BY sum(quantity) DESC) AS rank_no
    FROM (
        SELECT p.part_no, b.model_code, p.quantity
        FROM dwd.dwd_workorder_part_di p
        JOIN dwd.dwd_workorder_di w ON p.order_no = w.order_no AND p.dt = w.dt AND w.fault_seq = 1
        JOIN dim.dim_bike_df b ON w.bike_id = b.bike_id AND b.dt = w.dt
        WHERE substr(p.dt, 1, 7) = '${hivevar:month}'
    ) x
    GROUP BY part_no, model_code
) m ON u.part_no = m.part_no
WHERE substr(u.dt, 1, 7) = '${hivevar:month}'
GROUP BY u.part_no;
