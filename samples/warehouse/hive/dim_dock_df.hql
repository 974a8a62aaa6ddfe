-- 桩组维表: near_docks = open docks of the same city within 400 m on foot
SET hivevar:walk_limit = 400;

WITH base AS (
    SELECT dock_id, dock_code, dock_name, city_code, district, lat, lon, slots, labels, status
    FROM dim.dim_dock_df
    WHERE dt = date_sub('${hivevar:dt}', 1)
),
pairs AS (
    SELECT a.dock_id,
           b.dock_id AS other_id,
           cast(111320 * sqrt(pow(a.lat - b.lat, 2)
                + pow((a.lon - b.lon) * cos(radians(a.lat)), 2)) * 1.3 AS INT) AS walk_m
    FROM base a
    JOIN base b ON a.city_code = b.city_code
    WHERE a.dock_id <> b.dock_id
      AND b.status = 'open'
)
INSERT OVERWRITE TABLE dim.dim_dock_df PARTITION (dt = '${hivevar:dt}')
SELECT d.dock_id,
       d.dock_code,
       trim(d.dock_name),
       d.city_code,
       d.district,
       d.lat,
       d.lon,
       d.slots,
       d.labels,
       n.near_docks,
       d.status
FROM base d
LEFT JOIN (
    SELECT dock_id, collect_list(named_struct('dock_id', other_id, 'walk_m', walk_m)) AS near_docks
    FROM pairs
    WHERE walk_m <= ${hivevar:walk_limit}
    GROUP BY dock_id
) n ON d.dock_id = n.dock_id;
