insert into ads.b select a.x, upper(a.y) as u from ods.a a join ods.c c on a.x = c.x where c.z > 1;
create view ads.v as select u from ads.b;
explain select u from ads.b;
select u from ads.v;
