-- 流失与回流: 集合运算 (INTERSECT and EXCEPT, left to right)
create view if not exists ads.v_rider_lost as
(select rider_id from dws.dws_rider_day where dt < '2024-06-01'
 except
 select rider_id from dws.dws_rider_day where dt >= '2024-06-01')
intersect
select rider_id from ads.ads_rider_rfm where m_score >= 3;

create table tmp.rider_move as
select 'lost' as move, l.rider_id, cast(null as string) as tag_val from ads.v_rider_lost l
union distinct
select 'tagged', t.rider_id, t.tag_val
from dws.dws_rider_tag t
where t.tag_group = 'value' and t.dt = '${var:dt}';
