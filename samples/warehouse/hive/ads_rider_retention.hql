-- 留存: riders first seen on cohort_dt who came back on day N
WITH first_seen AS (
    SELECT rider_id, min(dt) AS cohort_dt
    FROM dws.dws_rider_day
    GROUP BY rider_id
),
cohort AS (
    SELECT cohort_dt, count(*) AS riders
    FROM first_seen
    WHERE cohort_dt >= date_sub('${hivevar:dt}', 30)
    GROUP BY cohort_dt
),
back AS (
    SELECT f.cohort_dt,
           datediff(a.dt, f.cohort_dt)  AS day_no,
           count(DISTINCT a.rider_id)   AS stayed
    FROM first_seen f
    JOIN dws.dws_rider_day a ON f.rider_id = a.rider_id
    WHERE a.dt > f.cohort_dt
      AND datediff(a.dt, f.cohort_dt) IN (1, 3, 7, 14, 30)
    GROUP BY f.cohort_dt, datediff(a.dt, f.cohort_dt)
)
INSERT OVERWRITE TABLE ads.ads_rider_retention PARTITION (dt = '${hivevar:dt}')
SELECT c.cohort_dt, b.day_no, c.riders, b.stayed,
       cast(b.stayed / c.riders AS DECIMAL(10, 4)) AS rate
FROM cohort c
JOIN back b ON c.cohort_dt = b.cohort_dt;
