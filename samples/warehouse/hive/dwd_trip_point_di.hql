-- 轨迹点: ext.points is "lat,lon,epoch;lat,lon,epoch;..."; 动态分区 city_code
source common/settings.hql;

INSERT OVERWRITE TABLE dwd.dwd_trip_point_di PARTITION (dt = '${hivevar:dt}', city_code)
SELECT q.trip_id,
       q.seq,
       q.lat,
       q.lon,
       CASE WHEN q.ts > q.prev_ts
            THEN 111320 * sqrt(pow(q.lat - q.prev_lat, 2) + pow(q.lon - q.prev_lon, 2)) / (q.ts - q.prev_ts)
       END AS speed_ms,
       q.city_code
FROM (
    SELECT p.trip_id, p.seq, p.lat, p.lon, p.ts, p.city_code,
           lag(p.lat) OVER (PARTITION BY p.trip_id ORDER BY p.seq) AS prev_lat,
           lag(p.lon) OVER (PARTITION BY p.trip_id ORDER BY p.seq) AS prev_lon,
           lag(p.ts)  OVER (PARTITION BY p.trip_id ORDER BY p.seq) AS prev_ts
    FROM (
        SELECT t.trip_id, t.seq, t.lat, t.lon, t.ts, d.city_code
        FROM (
            SELECT r.trip_id,
                   r.start_dock_id,
                   x.pos                                AS seq,
                   cast(split(x.pt, ',')[0] AS DOUBLE)  AS lat,
                   cast(split(x.pt, ',')[1] AS DOUBLE)  AS lon,
                   cast(split(x.pt, ',')[2] AS BIGINT)  AS ts
            FROM ods.ods_ride_trip_di r
            LATERAL VIEW json_tuple(r.ext, 'points', 'os') j AS points, os
            LATERAL VIEW posexplode(split(j.points, '\;')) x AS pos, pt
            WHERE r.dt = '${hivevar:dt}'
              AND length(x.pt) > 0
        ) t
        JOIN dim.dim_dock_df d ON t.start_dock_id = d.dock_id AND d.dt = '${hivevar:dt}'
    ) p
) q;
