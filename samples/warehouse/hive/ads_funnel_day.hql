-- 漏斗: 打开地图 -> 扫码 -> 开锁 -> 还车 -> 支付
WITH steps AS (
    SELECT device_id,
           max(CASE WHEN page = 'map' THEN 1 ELSE 0 END)                       AS s1,
           max(CASE WHEN page = 'scan' THEN 1 ELSE 0 END)                      AS s2,
           max(CASE WHEN page = 'scan' AND action = 'unlock' THEN 1 ELSE 0 END) AS s3,
           max(CASE WHEN action = 'return' THEN 1 ELSE 0 END)                  AS s4,
           max(CASE WHEN page = 'pay' AND action = 'done' THEN 1 ELSE 0 END)   AS s5
    FROM dwd.dwd_app_event_di
    WHERE dt = '${hivevar:dt}'
    GROUP BY device_id
),
counted AS (
    SELECT 1 AS step_no, 'map' AS step_name, sum(s1) AS devices FROM steps
    UNION ALL
    SELECT 2, 'scan', sum(s1 * s2) FROM steps
    UNION ALL
    SELECT 3, 'unlock', sum(s1 * s2 * s3) FROM steps
    UNION ALL
    SELECT 4, 'return', sum(s1 * s2 * s3 * s4) FROM steps
    UNION ALL
    SELECT 5, 'pay', sum(s1 * s2 * s3 * s4 * s5) FROM steps
)
INSERT OVERWRITE TABLE ads.ads_funnel_day PARTITION (dt = '${hivevar:dt}')
SELECT step_no,
       step_name,
       devices,
       cast(devices / first_value(devices) OVER (ORDER BY step_no) AS DECIMAL(10, 4)) AS rate
FROM counted;
