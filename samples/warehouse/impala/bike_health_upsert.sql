-- 车辆健康分: battery, alarms and the trend of the voltage
with beat as (
  select e.bike_id, e.volt_mv, e.event_at,
         row_number() over (partition by e.bike_id order by e.event_at desc) as rn,
         e.volt_mv - avg(e.volt_mv) over (partition by e.bike_id order by e.event_at
           rows between 6 preceding and 1 preceding) as drift_mv
  from dwd.dwd_lock_event_di e
  where e.dt = '${var:dt}' and e.event_group in ('beat', 'alarm')
),
alarm as (
  select bike_id, count(*) as alarms
  from dwd.dwd_lock_event_di
  where dt = '${var:dt}' and event_group = 'alarm'
  group by bike_id
)
upsert into table dws.dws_bike_health (bike_id, city_code, battery_soc, volt_mv, risk_score, checked_at)
select b.bike_id,
       d.home_city,
       cast(greatest(0, least(100, (b.volt_mv - 33000) div 90)) as int),
       b.volt_mv,
       coalesce(a.alarms, 0) * 0.5 - coalesce(b.drift_mv, 0) / 1000.0 as risk_score,
       b.event_at
from beat b
join [broadcast] dim.dim_bike_df d on b.bike_id = d.bike_id
left outer join alarm a on a.bike_id = b.bike_id
where b.rn = 1
  and d.dt = '${var:dt}';
