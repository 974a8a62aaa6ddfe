-- 车锁事件: one scan of the raw events, three groups
FROM (
    SELECT e.event_id,
           e.bike_id,
           lower(e.event_type)                                   AS event_type,
           cast(from_unixtime(cast(e.event_ms / 1000 AS BIGINT)) AS TIMESTAMP) AS event_at,
           cast(e.payload['volt'] AS INT)                        AS volt_mv,
           e.payload['fw']                                       AS firmware,
           concat(cast(round(e.lat, 3) AS STRING), '_', cast(round(e.lon, 3) AS STRING)) AS geo_cell
    FROM ods.ods_lock_event_hi e
    WHERE e.dt = '${hivevar:dt}'
) s
INSERT OVERWRITE TABLE dwd.dwd_lock_event_di PARTITION (dt = '${hivevar:dt}', event_group = 'use')
    SELECT event_id, bike_id, event_type, event_at, volt_mv, firmware, geo_cell
    WHERE event_type IN ('open', 'close')
INSERT OVERWRITE TABLE dwd.dwd_lock_event_di PARTITION (dt = '${hivevar:dt}', event_group = 'alarm')
    SELECT event_id, bike_id, event_type, event_at, volt_mv, firmware, geo_cell
    WHERE event_type IN ('alarm', 'low_power') AND volt_mv IS NOT NULL
INSERT OVERWRITE TABLE dwd.dwd_lock_event_di PARTITION (dt = '${hivevar:dt}', event_group = 'beat')
    SELECT max(event_id), bike_id, 'beat', max(event_at), min(volt_mv), max(firmware), max(geo_cell)
    WHERE event_type = 'beat'
    GROUP BY bike_id;
