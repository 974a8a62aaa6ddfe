-- App 行为: 30 分钟无操作切会话 / a new session after thirty idle minutes
WITH parsed AS (
    SELECT j.device_id,
           cast(j.rider_id AS BIGINT)       AS rider_id,
           j.page,
           j.action,
           cast(j.ts AS BIGINT)             AS ts
    FROM ods.ods_app_click_hi c
    LATERAL VIEW json_tuple(c.line, 'did', 'uid', 'page', 'act', 'ts') j
        AS device_id, rider_id, page, action, ts
    WHERE c.dt = '${hivevar:dt}'
      AND c.hh BETWEEN '00' AND '23'
),
gap AS (
    SELECT p.*,
           p.ts - lag(p.ts, 1, p.ts) OVER (PARTITION BY p.device_id ORDER BY p.ts) AS idle_s,
           lead(p.ts) OVER (PARTITION BY p.device_id ORDER BY p.ts)                AS next_ts
    FROM parsed p
)
INSERT OVERWRITE TABLE dwd.dwd_app_event_di PARTITION (dt = '${hivevar:dt}')
SELECT device_id,
       rider_id,
       sum(IF(idle_s > 1800, 1, 0)) OVER (PARTITION BY device_id ORDER BY ts
           ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS session_no,
       page,
       action,
       cast(from_unixtime(ts) AS TIMESTAMP)                  AS event_at,
       cast(least(next_ts - ts, 1800) AS INT)                AS stay_s
FROM gap;
