-- 季节报表: rollup over season and workday; CTE on CTE
WITH day_kind AS (
    SELECT date_key, season,
           CASE WHEN holiday_name IS NOT NULL THEN 'holiday'
                WHEN is_workday = 1 THEN 'workday'
                ELSE 'weekend' END AS day_kind
    FROM dim.dim_date
),
joined AS (
    SELECT k.season, k.day_kind, c.trips, c.income
    FROM dws.dws_city_day c
    JOIN day_kind k ON c.dt = k.date_key
    WHERE k.date_key LIKE concat(substr('${hivevar:dt}', 1, 4), '-%')
)
SELECT season,
       day_kind,
       grouping__id                    AS gid,
       sum(trips)                      AS trips,
       round(sum(income) / sum(trips), 2) AS income_a_trip
FROM joined
GROUP BY season, day_kind WITH ROLLUP
ORDER BY gid, season, day_kind;
