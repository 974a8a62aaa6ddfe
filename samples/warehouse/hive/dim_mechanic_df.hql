-- 技师维表: 技能 = what he was taught, plus every fault he has closed ten times
INSERT OVERWRITE TABLE dim.dim_mechanic_df PARTITION (dt)
SELECT m.mechanic_id,
       max(m.full_name)                          AS full_name,
       max(m.workshop_id)                        AS workshop_id,
       CASE WHEN sum(m.done) >= 500 THEN 'A'
            WHEN sum(m.done) >= 100 THEN 'B'
            ELSE max(m.grade) END                AS grade,
       sort_array(collect_set(m.skill))          AS skills,
       min(m.hired_on)                           AS hired_on,
       '${hivevar:dt}'                           AS dt
FROM (
    SELECT mechanic_id, full_name, workshop_id, grade, skill, hired_on, 0L AS done
    FROM dim.dim_mechanic_df
    LATERAL VIEW OUTER explode(skills) s AS skill
    WHERE dt = date_sub('${hivevar:dt}', 1)

    UNION ALL

    SELECT w.mechanic_id, cast(NULL AS STRING), w.workshop_id, cast(NULL AS STRING),
           concat('fix_', lower(w.fault_code)), cast(NULL AS DATE), count(*) AS done
    FROM dwd.dwd_workorder_di w
    WHERE w.dt BETWEEN date_sub('${hivevar:dt}', 89) AND '${hivevar:dt}'
      AND w.state = 'done'
    GROUP BY w.mechanic_id, w.workshop_id, w.fault_code
    HAVING count(*) >= 10
) m
GROUP BY m.mechanic_id;
