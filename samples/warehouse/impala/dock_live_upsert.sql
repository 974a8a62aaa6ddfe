-- 桩组实时余量: every five minutes, from the last lock events
-- run: impala-shell --var=dt=2024-06-30 --var=hh=08 -f dock_live_upsert.sql
use dws;
set mem_limit=4g;

refresh ods.ods_lock_event_hi partition (dt='${var:dt}', hh='${var:hh}');

upsert into dws_dock_live (dock_id, bikes_now, broken_now, last_seen)
select s.dock_id,
       cast(count(*) as int)                                        as bikes_now,
       cast(sum(if(s.fault_count > 0, 1, 0)) as int)                as broken_now,
       max(s.updated_at)
from dwd.dwd_bike_state_acid s
where s.dock_id is not null
  and s.status in ('on_road', 'to_collect')
group by s.dock_id;

-- 一小时没有消息的桩组归零
update dws_dock_live
set bikes_now = 0, broken_now = 0
where last_seen < now() - interval 1 hour;
