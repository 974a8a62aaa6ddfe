-- 骑手拉链表: close the rows that changed today, open the new ones
source common/settings.hql;

DROP TABLE IF EXISTS tmp.rider_changed;
CREATE TEMPORARY TABLE tmp.rider_changed AS
SELECT n.rider_id,
       md5(n.mobile)                                   AS mobile_hash,
       n.gender,
       cast(substr(n.birthday, 1, 4) AS INT)           AS birth_year,
       n.home_city,
       nvl(n.plan_code, 'none')                        AS plan_code,
       cast(n.signed_up AS TIMESTAMP)                  AS signed_up_at
FROM ods.ods_rider_df n
LEFT JOIN (
    SELECT rider_id, home_city, plan_code
    FROM dim.dim_rider_zip
    WHERE end_dt = '${hivevar:far_future}'
) o ON n.rider_id = o.rider_id
WHERE n.dt = '${hivevar:dt}'
  AND (o.rider_id IS NULL
       OR NOT (n.home_city <=> o.home_city)
       OR NOT (nvl(n.plan_code, 'none') <=> o.plan_code));

INSERT OVERWRITE TABLE dim.dim_rider_zip
SELECT z.rider_id, z.mobile_hash, z.gender, z.birth_year, z.home_city, z.plan_code,
       z.signed_up_at,
       z.start_dt,
       -- 今天变了的行，昨天收口
       IF(z.end_dt = '${hivevar:far_future}' AND c.rider_id IS NOT NULL,
          cast(date_sub('${hivevar:dt}', 1) AS STRING),
          z.end_dt) AS end_dt
FROM dim.dim_rider_zip z
LEFT JOIN tmp.rider_changed c ON z.rider_id = c.rider_id
UNION ALL
SELECT rider_id, mobile_hash, gender, birth_year, home_city, plan_code,
       signed_up_at, '${hivevar:dt}', '${hivevar:far_future}'
FROM tmp.rider_changed;
