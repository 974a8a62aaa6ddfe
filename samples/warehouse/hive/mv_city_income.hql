-- 物化视图: the finance board asks this every minute
CREATE MATERIALIZED VIEW IF NOT EXISTS ads.mv_city_income
DISABLE REWRITE
COMMENT '城市月收入'
STORED AS ORC
AS
SELECT city_code, substr(dt, 1, 7) AS month_key, sum(income) AS income, sum(trips) AS trips
FROM dws.dws_city_day
GROUP BY city_code, substr(dt, 1, 7);

ALTER MATERIALIZED VIEW ads.mv_city_income REBUILD;
