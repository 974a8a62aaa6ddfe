-- 调度建议: 满桩 -> 400 米内的空桩; hh = 下一个小时
INSERT OVERWRITE TABLE ads.ads_dock_rebalance PARTITION (dt = '${hivevar:dt}', hh = '${hivevar:hh}')
SELECT full_dock.dock_id            AS from_dock_id,
       empty_dock.dock_id           AS to_dock_id,
       least(full_dock.net_flow, -empty_dock.net_flow) AS bikes,
       full_dock.walk_m,
       concat('net ', cast(full_dock.net_flow AS STRING), ' to ', cast(empty_dock.net_flow AS STRING)) AS reason
FROM (
    SELECT h.dock_id, h.net_flow, d.near_id, d.walk_m
    FROM dws.dws_dock_hour h
    JOIN (
        SELECT dock_id, dt, near_id, walk_m
        FROM dim.dim_dock_df
        LATERAL VIEW inline(near_docks) n AS near_id, walk_m
    ) d ON h.dock_id = d.dock_id AND h.dt = d.dt
    WHERE h.dt = '${hivevar:dt}' AND h.hh = '${hivevar:hh}' AND h.net_flow > 5
) full_dock
JOIN (
    SELECT dock_id, net_flow
    FROM dws.dws_dock_hour
    WHERE dt = '${hivevar:dt}' AND hh = '${hivevar:hh}' AND net_flow < -5
) empty_dock
ON full_dock.near_id = empty_dock.dock_id;
