-- 计费口径: one macro, used by three reports
CREATE TEMPORARY MACRO fee(minutes INT, unlock DECIMAL(8, 2), per_min DECIMAL(8, 4))
    unlock + per_min * minutes;

CREATE TABLE IF NOT EXISTS tmp.fee_gap (
    model_code STRING, city_code STRING, trips BIGINT, expected DECIMAL(18, 2), charged DECIMAL(18, 2)
);

INSERT OVERWRITE TABLE tmp.fee_gap
SELECT t.model_code,
       t.city_code,
       count(*)                                              AS trips,
       sum(fee(t.ride_min, m.unlock_fee, m.minute_fee))      AS expected,
       sum(t.due_amount)                                     AS charged
FROM dwd.v_trip_valid t, dim.dim_bike_model m
WHERE t.model_code = m.model_code
  AND t.dt = '${hivevar:dt}'
GROUP BY t.model_code, t.city_code
HAVING abs(sum(t.due_amount) - sum(fee(t.ride_min, m.unlock_fee, m.minute_fee))) > 1;

DROP TEMPORARY MACRO IF EXISTS fee;
