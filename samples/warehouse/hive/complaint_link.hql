-- 投诉关联最近一次行程和工单 (scalar subquery in the select list)
CREATE TABLE IF NOT EXISTS tmp.complaint_link AS
SELECT c.ticket_id,
       c.topic,
       t.trip_id,
       t.ride_min,
       w.order_no,
       c.score - (SELECT avg(score) FROM ods.ods_complaint_di WHERE dt = '${hivevar:dt}') AS score_vs_mean
FROM ods.ods_complaint_di c
LEFT JOIN (
    SELECT rider_id, bike_id, trip_id, ride_min,
           row_number() OVER (PARTITION BY rider_id, bike_id ORDER BY start_at DESC) AS rn
    FROM dwd.dwd_trip_detail_di
    WHERE dt >= date_sub('${hivevar:dt}', 3)
) t ON c.rider_id = t.rider_id AND c.bike_id = t.bike_id AND t.rn = 1
LEFT JOIN ods.ods_workorder_di w
    ON c.bike_id = w.bike_id AND w.dt = '${hivevar:dt}' AND w.source_type = 'rider_report'
WHERE c.dt = '${hivevar:dt}'
  AND c.bike_id IN (SELECT bike_id FROM dim.dim_bike_df WHERE dt = '${hivevar:dt}' AND status <> 'lost');
