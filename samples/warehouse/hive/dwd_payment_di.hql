-- 支付明细: good rows to the fact, the rest to the reject table with its reason
FROM (
    SELECT p.pay_id, p.trip_id, p.rider_id, p.channel, p.amount, p.discount, p.paid_at, p.pay_status,
           nvl(r.refunded, 0) AS refunded
    FROM ods.ods_payment_di p
    LEFT JOIN (
        SELECT pay_id, sum(amount) AS refunded
        FROM ods.ods_refund_di
        WHERE dt >= '${hivevar:dt}'
        GROUP BY pay_id
    ) r ON p.pay_id = r.pay_id
    WHERE p.dt = '${hivevar:dt}'
) src
INSERT OVERWRITE TABLE dwd.dwd_payment_di PARTITION (dt = '${hivevar:dt}')
SELECT src.pay_id,
       src.trip_id,
       src.rider_id,
       src.channel,
       src.amount,
       nvl(src.discount, 0),
       src.refunded,
       src.amount - nvl(src.discount, 0) - src.refunded,
       cast(src.paid_at AS TIMESTAMP)
WHERE src.amount >= 0 AND src.trip_id IS NOT NULL AND src.pay_status = 'OK'
INSERT OVERWRITE TABLE dwd.dwd_payment_reject_di PARTITION (dt = '${hivevar:dt}')
SELECT src.pay_id,
       CASE WHEN src.amount < 0 THEN 'negative'
            WHEN src.trip_id IS NULL THEN 'no trip'
            ELSE concat('status ', nvl(src.pay_status, '?')) END,
       concat_ws('|', src.pay_id, src.trip_id, src.channel, cast(src.amount AS STRING))
WHERE src.amount < 0 OR src.trip_id IS NULL OR NOT (src.pay_status <=> 'OK');
