/* 桩组服务水平
   an hour counts as empty when more bikes left than the dock could hold */
insert /* +shuffle */ overwrite table ads.ads_dock_sla partition (dt = '${var:dt}')
with flow as (
  select h.dock_id, h.hh, h.net_flow,
         sum(h.net_flow) over (partition by h.dock_id order by h.hh) as stock
  from dws.dws_dock_hour h
  where h.dt = '${var:dt}'
)
select f.dock_id,
       max(d.dock_name)                                   as dock_name,
       sum(case when f.stock <= 0 then 60 else 0 end)     as empty_min,
       sum(case when f.stock >= d.slots then 60 else 0 end) as full_min,
       sum(if(f.stock <= 0 or f.stock >= d.slots, 60, 0)) < 120 as sla_ok
from flow f
  inner join /* +broadcast */ dim.v_dock_open d on f.dock_id = d.dock_id
where d.dt = '${var:dt}'
group by f.dock_id;

compute incremental stats ads.ads_dock_sla partition (dt = '${var:dt}');
