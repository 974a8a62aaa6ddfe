-- 骑手标签: 两组标签各写各的分区; the habit group comes by dynamic partition
source common/settings.hql;

FROM dws.dws_rider_nd n
JOIN dim.v_rider_now r ON n.rider_id = r.rider_id
INSERT OVERWRITE TABLE dws.dws_rider_tag PARTITION (dt = '${hivevar:dt}', tag_group = 'plan')
    SELECT n.rider_id, 'plan_code', r.plan_code
    WHERE n.dt = '${hivevar:dt}' AND r.plan_code <> 'none'
INSERT OVERWRITE TABLE dws.dws_rider_tag PARTITION (dt = '${hivevar:dt}', tag_group = 'value')
    SELECT n.rider_id, 'paid_level',
           CASE WHEN n.paid_30d >= 200 THEN 'high'
                WHEN n.paid_30d >= 50 THEN 'mid'
                ELSE 'low' END
    WHERE n.dt = '${hivevar:dt}';

INSERT OVERWRITE TABLE dws.dws_rider_tag PARTITION (dt = '${hivevar:dt}', tag_group)
SELECT rider_id, tag_name, tag_val, tag_group
FROM (
    SELECT rider_id, 'commuter' AS tag_name, 'yes' AS tag_val, 'habit' AS tag_group
    FROM dws.dws_rider_day
    WHERE dt > date_sub('${hivevar:dt}', 14)
    GROUP BY rider_id
    HAVING sum(CASE WHEN hour(first_at) BETWEEN 7 AND 9 THEN 1 ELSE 0 END) >= 6
    UNION
    SELECT rider_id, 'night_owl', 'yes', 'habit'
    FROM dws.dws_rider_day
    WHERE dt > date_sub('${hivevar:dt}', 14)
    GROUP BY rider_id
    HAVING sum(night_trips) >= 3
) h;
