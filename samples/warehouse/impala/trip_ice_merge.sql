-- 行程入湖: late trips correct what was there
merge into ads.ads_trip_ice t
using (
  select trip_id, rider_id, city_code, start_at, ride_min, paid_amount, trip_status
  from dwd.dwd_trip_detail_di
  where dt between '${var:from_dt}' and '${var:dt}'
) s
on t.trip_id = s.trip_id
when matched and s.trip_status = 'cancelled' then delete
when matched and (t.paid_amount <> s.paid_amount or t.ride_min <> s.ride_min) then
  update set ride_min = s.ride_min, paid_amount = s.paid_amount, city_code = s.city_code
when not matched then
  insert (trip_id, rider_id, city_code, start_at, ride_min, paid_amount)
  values (s.trip_id, s.rider_id, s.city_code, s.start_at, s.ride_min, s.paid_amount);

optimize table ads.ads_trip_ice;
alter table ads.ads_trip_ice execute expire_snapshots(now() - interval 7 days);

-- 与昨天的快照比
select n.city_code, count(*) as now_trips, max(o.trips) as old_trips
from ads.ads_trip_ice n
left join (
  select city_code, count(*) trips
  from ads.ads_trip_ice for system_time as of now() - interval 1 day
  group by city_code
) o on n.city_code = o.city_code
group by n.city_code;
