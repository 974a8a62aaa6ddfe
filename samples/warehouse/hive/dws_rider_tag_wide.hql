-- 标签转宽表 (long to wide): one map a rider, then its keys as columns
DROP TABLE IF EXISTS tmp.rider_tag_wide;

CREATE TABLE tmp.rider_tag_wide
STORED AS PARQUET
AS
SELECT m.rider_id,
       m.tags['plan_code']            AS plan_code,
       m.tags['paid_level']           AS paid_level,
       m.tags['commuter'] = 'yes'     AS is_commuter,
       m.tags['night_owl'] = 'yes'    AS is_night_owl,
       size(m.tags)                   AS tag_count
FROM (
    SELECT rider_id,
           str_to_map(concat_ws('&', collect_set(concat(tag_name, '=', tag_val))), '&', '=') AS tags
    FROM dws.dws_rider_tag
    WHERE dt = '${hivevar:dt}'
    GROUP BY rider_id
) m;
