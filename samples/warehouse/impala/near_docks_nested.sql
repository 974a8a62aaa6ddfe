-- 邻近桩组: nested collections, read as tables
create table tmp.dock_near
stored as parquet
as
select d.dock_id,
       d.dock_name,
       n.pos          as near_no,
       n.item.dock_id as near_id,
       n.walk_m
from dim.dim_dock_df d, d.near_docks n
where d.dt = '${var:dt}'
  and d.status = 'open';

-- 没有邻近桩组的也留下
select d.dock_id, d.dock_name, v.nears, v.nearest_m
from dim.dim_dock_df d,
     (select count(*) nears, min(walk_m) nearest_m from d.near_docks) v
where d.dt = '${var:dt}';

-- 标签: one row a label
select l.item as label_name, count(distinct d.dock_id) as docks
from dim.dim_dock_df d
cross join d.labels l
where d.dt = '${var:dt}'
group by label_name
having count(distinct d.dock_id) > 10
order by docks desc
limit 50;
