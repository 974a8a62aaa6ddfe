-- 热点时段: per city the five hours with the most departures
create table if not exists tmp.city_hot_hours
partitioned by (city_code)
comment '每城最忙的五个小时'
stored as parquet
as
select hh, out_trips, share, hour_rank, city_code
from (
  select h.city_code, h.hh, h.out_trips,
         h.out_trips / sum(h.out_trips) over (partition by h.city_code)       as share,
         row_number() over (partition by h.city_code order by h.out_trips desc) as hour_rank
  from (
    select straight_join city_code, hh, sum(out_trips) as out_trips
    from dws.dws_dock_hour
    where dt between '${var:from_dt}' and '${var:dt}'
    group by 1, 2
  ) h
) r
where hour_rank <= 5;
