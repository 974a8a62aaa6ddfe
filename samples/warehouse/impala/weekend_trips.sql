-- 周末骑行画像
select "周末" as day_type, city_code, trips, riders, trips / riders as trips_a_rider
from (
  select v.city_code, count(*) as trips, ndv(v.rider_id) as riders
  from dwd.v_trip_valid v
  left semi join dim.dim_date k on k.date_key = v.dt and k.is_workday = 0
  where v.dt between '${var:from_dt}' and '${var:dt}'
    and extract(v.start_at, 'hour') between 9 and 20
  group by v.city_code
) w
union all
select "工作日", city_code, trips, riders, trips / riders
from (
  select v.city_code, count(*) as trips, ndv(v.rider_id) as riders
  from dwd.v_trip_valid v
  where v.dt in (select date_key from dim.dim_date where is_workday = 1)
  group by v.city_code
) d
order by day_type, trips desc nulls last
limit 200 offset 0;
