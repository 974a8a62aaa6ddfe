-- 风险分衰减、退役车辆清除
update h
set h.risk_score = h.risk_score * 0.9,
    h.battery_soc = s.battery_soc
from dws.dws_bike_health h
join dwd.dwd_bike_state_acid s on h.bike_id = s.bike_id
where s.status = 'on_road' and h.checked_at < now() - interval 1 day;

delete h from dws.dws_bike_health h join dim.dim_bike_df d on h.bike_id = d.bike_id
where d.status = 'retired' and d.dt = '${var:dt}';

delete from dws.dws_bike_health where checked_at < now() - interval 90 days;

compute stats dws.dws_bike_health;
