-- 车辆当前状态: upsert by MERGE, 退役的删掉
SET hive.support.concurrency = true;
SET hive.txn.manager = org.apache.hadoop.hive.ql.lockmgr.DbTxnManager;

MERGE INTO dwd.dwd_bike_state_acid AS s
USING (
    SELECT b.bike_id,
           b.status,
           t.end_dock_id        AS dock_id,
           h.soc                AS battery_soc,
           nvl(f.faults, 0)     AS fault_count
    FROM dim.dim_bike_df b
    LEFT JOIN (
        SELECT bike_id, end_dock_id,
               row_number() OVER (PARTITION BY bike_id ORDER BY end_at DESC) AS rn
        FROM dwd.dwd_trip_detail_di
        WHERE dt = '${hivevar:dt}'
    ) t ON b.bike_id = t.bike_id AND t.rn = 1
    LEFT JOIN (
        SELECT bike_id, cast(min(volt_mv - 33000) / 90 AS INT) AS soc
        FROM dwd.dwd_lock_event_di
        WHERE dt = '${hivevar:dt}' AND event_group = 'beat'
        GROUP BY bike_id
    ) h ON b.bike_id = h.bike_id
    LEFT JOIN (
        SELECT bike_id, count(DISTINCT fault_code) AS faults
        FROM dwd.dwd_workorder_di
        WHERE dt = '${hivevar:dt}' AND state <> 'done'
        GROUP BY bike_id
    ) f ON b.bike_id = f.bike_id
    WHERE b.dt = '${hivevar:dt}'
) n
ON s.bike_id = n.bike_id
WHEN MATCHED AND n.status = 'retired' THEN DELETE
WHEN MATCHED THEN UPDATE SET
    status      = n.status,
    dock_id     = coalesce(n.dock_id, s.dock_id),
    battery_soc = coalesce(n.battery_soc, s.battery_soc),
    fault_count = n.fault_count,
    updated_at  = current_timestamp
WHEN NOT MATCHED THEN INSERT
    VALUES (n.bike_id, n.status, n.dock_id, n.battery_soc, n.fault_count, current_timestamp);
