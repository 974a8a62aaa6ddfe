-- 车辆维表快照: yesterday's row, overlaid with what the lock said today
INSERT OVERWRITE TABLE dim.dim_bike_df PARTITION (dt = '${hivevar:dt}')
SELECT b.bike_id,
       b.frame_no,
       b.model_code,
       coalesce(s.battery_model, b.battery_model) AS battery_model,
       b.home_city,
       b.put_on,
       CASE
           WHEN w.state = 'scrapped' THEN 'retired'
           WHEN w.state IN ('new', 'doing', 'waiting_part') THEN 'in_workshop'
           WHEN l.last_ms < unix_timestamp('${hivevar:dt}', 'yyyy-MM-dd') * 1000 - 7 * 86400000 THEN 'lost'
           ELSE 'on_road'
       END AS status,
       str_to_map(concat_ws(',',
           concat('lock_fw:', nvl(l.firmware, b.attrs['lock_fw'])),
           concat('tyre:', nvl(b.attrs['tyre'], '?'))), ',', ':') AS attrs
FROM dim.dim_bike_df b
LEFT JOIN (
    SELECT bike_id, max(event_ms) AS last_ms, max(payload['fw']) AS firmware
    FROM ods.ods_lock_event_hi
    WHERE dt = '${hivevar:dt}'
    GROUP BY bike_id
) l ON b.bike_id = l.bike_id
LEFT JOIN (
    SELECT bike_id, split(max(concat(swapped_at, '|', new_battery)), '\\|')[1] AS battery_model
    FROM ods.ods_battery_swap_di
    WHERE dt = '${hivevar:dt}'
    GROUP BY bike_id
) s ON b.bike_id = s.bike_id
LEFT JOIN (
    SELECT bike_id, state,
           row_number() OVER (PARTITION BY bike_id ORDER BY opened_at DESC) AS rn
    FROM ods.ods_workorder_di
    WHERE dt = '${hivevar:dt}'
) w ON b.bike_id = w.bike_id AND w.rn = 1
WHERE b.dt = date_sub('${hivevar:dt}', 1);
