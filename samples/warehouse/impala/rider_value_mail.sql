-- 营销名单: through the view to rfm, nd and the history table
create table tmp.rider_mail stored as textfile as
select v.rider_id, v.badge, v.segment, n.favourite_dock,
       concat(d.dock_name, ' (', d.district, ')') as dock_label,
       (select max(income) from dws.dws_city_day where dt = '${var:dt}') as top_city_income
from ads.v_rider_value v
join dws.dws_rider_nd n on n.rider_id = v.rider_id
left anti join (
  select rider_id from ods.ods_complaint_di where dt >= '${var:from_dt}' and score <= 2
) c on c.rider_id = v.rider_id
left join dim.dim_dock_df d on d.dock_id = n.favourite_dock and d.dt = n.dt
where n.dt = '${var:dt}'
  and v.badge != 'plain'
  and v.plan_code is distinct from 'year';
