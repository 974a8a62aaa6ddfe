-- 看板指标
insert into ads.ads_kpi_long (kpi_name, `scope`, kpi_val) partition (dt = '${var:dt}')
values ('target_trips', 'all', cast(120000 as decimal(20,4))),
       ('target_income', 'all', cast(380000.5 as decimal(20,4)));

insert into ads.ads_kpi_long (kpi_val, kpi_name, `scope`)
partition (dt)
select cast(sum(bikes_now) as decimal(20,4)), 'bikes_docked', region_name, '${var:dt}'
from dws.v_dock_now
group by region_name;

insert into ads.ads_kpi_long partition (dt = '${var:dt}')
select concat('sla_', lower(c.region_name)), c.city_name,
       cast(avg(cast(s.sla_ok as int)) as decimal(20,4))
from ads.ads_dock_sla s
join dim.dim_dock_df d using (dock_id)
join dim.dim_city c on c.city_code = d.city_code
where s.dt = '${var:dt}' and d.dt = s.dt
group by c.region_name, c.city_name;
