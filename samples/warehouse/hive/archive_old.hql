-- 归档: 180 天前的锁事件挪走
CREATE DATABASE IF NOT EXISTS arch COMMENT '冷数据';
CREATE TABLE IF NOT EXISTS arch.lock_event LIKE dwd.dwd_lock_event_di;

ALTER TABLE arch.lock_event EXCHANGE PARTITION (dt = '${hivevar:old_dt}', event_group = 'beat')
    WITH TABLE dwd.dwd_lock_event_di;

INSERT INTO TABLE arch.lock_event PARTITION (dt = '${hivevar:old_dt}', event_group = 'use')
SELECT event_id, bike_id, event_type, event_at, volt_mv, firmware, geo_cell
FROM dwd.dwd_lock_event_di
WHERE dt = '${hivevar:old_dt}' AND event_group = 'use';

ALTER TABLE dwd.dwd_lock_event_di DROP IF EXISTS PARTITION (dt < '${hivevar:old_dt}') PURGE;
ALTER TABLE arch.lock_event ADD COLUMNS (archived_by STRING COMMENT '归档任务');
ALTER TABLE arch.lock_event SET TBLPROPERTIES ('cold' = 'true');
