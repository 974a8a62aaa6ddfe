-- Impala 侧视图 / views for the live boards
CREATE VIEW IF NOT EXISTS dws.v_dock_now (dock_id COMMENT '桩组ID', dock_name, region_name, bikes_now, free_slots)
COMMENT '现在有多少车'
AS
SELECT l.dock_id, d.dock_name, d.region_name, l.bikes_now, d.slots - l.bikes_now
FROM dws.dws_dock_live l
JOIN dim.v_dock_open d ON l.dock_id = d.dock_id
WHERE d.dt = '2024-06-30';

CREATE VIEW IF NOT EXISTS ads.v_rider_value AS
SELECT r.rider_id,
       r.segment,
       CASE WHEN r.m_score >= 4 THEN 'gold' WHEN r.m_score = 3 THEN 'silver' ELSE 'plain' END AS badge,
       n.plan_code
FROM ads.ads_rider_rfm r
LEFT JOIN dim.v_rider_now n ON r.rider_id = n.rider_id;
