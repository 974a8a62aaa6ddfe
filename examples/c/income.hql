insert overwrite table dws.income partition (dt = '2024-06-30')
select c.city, count(*), sum(o.paid)
from dwd.orders o join dim.city c on o.city_id = c.city_id
where o.dt = '2024-06-30'
group by c.city;
