-- 工单明细: 一张工单多个故障码, 炸成多行 (a work order without a code keeps one row)
INSERT OVERWRITE TABLE dwd.dwd_workorder_di PARTITION (dt = '${hivevar:dt}')
SELECT w.order_no,
       w.bike_id,
       w.workshop_id,
       w.mechanic_id,
       w.source_type,
       upper(trim(f.code))                                      AS fault_code,
       f.pos + 1                                                AS fault_seq,
       cast(w.opened_at AS TIMESTAMP)                           AS opened_at,
       cast(w.closed_at AS TIMESTAMP)                           AS closed_at,
       round((unix_timestamp(w.closed_at) - unix_timestamp(w.opened_at)) / 3600, 2) AS repair_hours,
       -- 工时按故障码均摊
       cast(w.labour_min / greatest(size(split(w.fault_codes, ',')), 1) AS INT) AS labour_min,
       w.state
FROM ods.ods_workorder_di w
LATERAL VIEW OUTER posexplode(split(w.fault_codes, ',')) f AS pos, code
WHERE w.dt = '${hivevar:dt}';
