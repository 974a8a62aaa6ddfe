-- 工单用料
INSERT OVERWRITE TABLE dwd.dwd_workorder_part_di PARTITION (dt = '${hivevar:dt}')
SELECT /*+ MAPJOIN(p) */
       u.order_no,
       u.part_no,
       coalesce(p.category_l1, '未分类')                          AS category_l1,
       u.quantity,
       u.quantity * coalesce(u.unit_cost, p.unit_cost, 0)       AS cost
FROM ods.ods_workorder_part_di u
LEFT OUTER JOIN dim.dim_part p ON (u.part_no = p.part_no)
LEFT SEMI JOIN ods.ods_workorder_di w ON (u.order_no = w.order_no AND w.dt = '${hivevar:dt}')
WHERE u.dt = '${hivevar:dt}'
  AND u.quantity > 0;
