use ads;
-- who paid what
with o as (
  select uid, addr.city as city, sum(amount) as total
  from ods.orders
  where ds = '2024-03-15' and status = 'paid'
  group by uid, addr.city
)
insert overwrite table paid partition (ds = '2024-03-15')
select o.uid, o.city, o.total,
       rank() over (partition by o.city order by o.total desc),
       case when m.level = 'gold' then 'Y' else 'N' end
from o left join dwd.member m on o.uid = m.uid;
insert overwrite directory '/export/gold' select count(*) as n, concat("a,", 'b') as two from dwd.v_gold;
select uid from from dwd.member;
