-- 维修站日汇总
INSERT OVERWRITE TABLE dws.dws_workshop_day PARTITION (dt = '${hivevar:dt}')
SELECT s.workshop_id,
       count(DISTINCT CASE WHEN to_date(w.opened_at) = '${hivevar:dt}' THEN w.order_no END) AS opened,
       count(DISTINCT CASE WHEN w.state = 'done' THEN w.order_no END)                       AS closed,
       count(DISTINCT CASE WHEN w.state = 'waiting_part' THEN w.order_no END)               AS waiting_part,
       sum(nvl(w.labour_min, 0))                                                            AS labour_min,
       max(c.part_cost)                                                                     AS part_cost,
       avg(w.repair_hours)                                                                  AS mean_hours
FROM dim.dim_workshop s
LEFT JOIN dwd.dwd_workorder_di w
    ON s.workshop_id = w.workshop_id AND w.dt = '${hivevar:dt}'
LEFT JOIN (
    SELECT o.workshop_id, sum(p.cost) AS part_cost
    FROM dwd.dwd_workorder_part_di p
    JOIN ods.ods_workorder_di o ON p.order_no = o.order_no AND o.dt = p.dt
    WHERE p.dt = '${hivevar:dt}'
    GROUP BY o.workshop_id
) c ON s.workshop_id = c.workshop_id
GROUP BY s.workshop_id;
