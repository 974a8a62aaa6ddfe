-- 每天把视图推到最新快照
alter view dws.v_dock_now (dock_id comment '桩组ID', dock_name, region_name, bikes_now, free_slots) as
select l.dock_id, d.dock_name, d.region_name, l.bikes_now, cast(d.slots - l.bikes_now as bigint)
from dws.dws_dock_live l
join dim.v_dock_open d on l.dock_id = d.dock_id
where d.dt = '${var:dt}';

comment on view dws.v_dock_now is '桩组余量, 每日滚动';

explain select region_name, sum(free_slots) from dws.v_dock_now group by region_name;

show create view dws.v_dock_now;
