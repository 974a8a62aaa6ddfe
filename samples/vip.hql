insert into ads.vip
select u.uid, coalesce(o.paid, 0), case when u.level = 'VIP' then 'Y' else 'N' end
from dwd.member u left join dws.paid o on u.uid = o.uid
