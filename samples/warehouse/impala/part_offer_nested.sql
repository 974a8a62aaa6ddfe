-- 供应商报价比较
insert overwrite tmp.part_offer (part_no, supplier_id, price, gap_to_best)
select p.part_no,
       s.supplier_id,
       s.price,
       s.price - min(s.price) over (partition by p.part_no) as gap_to_best
from dim.dim_part p
inner join p.suppliers s
where exists (select 1 from p.fits_models m where m.item like 'K%');

select b.bike_id, a.key as attr_name, a.value as attr_val
from dim.dim_bike_df b, b.attrs a
where b.dt = '${var:dt}' and a.key in ('lock_fw', 'tyre');

select m.model_code, m.`spec`.weight_kg, m.`spec`.motor.maker as maker
from dim.dim_bike_model m
where m.`spec`.gears > 3;
