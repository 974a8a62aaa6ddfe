-- RFM 分层
INSERT OVERWRITE TABLE ads.ads_rider_rfm PARTITION (dt = '${hivevar:dt}')
SELECT x.rider_id, x.recency, x.frequency, x.monetary, x.r_score, x.f_score, x.m_score,
       CASE
           WHEN x.r_score >= 4 AND x.f_score >= 4 AND x.m_score >= 4 THEN '核心骑手'
           WHEN x.r_score >= 4 AND x.f_score <= 2 THEN '新骑手'
           WHEN x.r_score <= 2 AND x.m_score >= 4 THEN '要挽回'
           ELSE '一般'
       END AS segment
FROM (
    SELECT b.*,
           ntile(5) OVER (ORDER BY b.recency DESC)  AS r_score,
           ntile(5) OVER (ORDER BY b.frequency)     AS f_score,
           ntile(5) OVER (ORDER BY b.monetary)      AS m_score
    FROM (
        SELECT rider_id,
               datediff('${hivevar:dt}', last_trip_dt) AS recency,
               trips_30d                               AS frequency,
               paid_30d                                AS monetary
        FROM dws.dws_rider_nd
        WHERE dt = '${hivevar:dt}'
    ) b
) x;
