create table dwd.orders (id bigint, paid decimal(12, 2), city_id int) partitioned by (dt string);
create table dim.city (city_id int, city string);
create table dws.income (city string, orders bigint, income decimal(18, 2)) partitioned by (dt string);
