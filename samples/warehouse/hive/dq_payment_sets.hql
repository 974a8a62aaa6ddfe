-- 支付与行程对账: 集合运算
CREATE TABLE IF NOT EXISTS tmp.payment_gap (trip_id STRING, side STRING);

TRUNCATE TABLE tmp.payment_gap;

INSERT INTO TABLE tmp.payment_gap
SELECT g.trip_id, 'paid, no trip'
FROM (
    SELECT trip_id FROM dwd.dwd_payment_di WHERE dt = '${hivevar:dt}'
    EXCEPT
    SELECT trip_id FROM dwd.dwd_trip_detail_di WHERE dt = '${hivevar:dt}'
) g;

INSERT INTO TABLE tmp.payment_gap
SELECT g.trip_id, 'trip, not paid'
FROM (
    (SELECT trip_id FROM dwd.v_trip_valid WHERE dt = '${hivevar:dt}' AND plan_code = 'none'
     MINUS
     SELECT trip_id FROM dwd.dwd_payment_di WHERE dt = '${hivevar:dt}')
    INTERSECT
    SELECT trip_id FROM ods.ods_ride_trip_di WHERE dt = '${hivevar:dt}'
) g;

SELECT side, count(*) FROM tmp.payment_gap GROUP BY side;
