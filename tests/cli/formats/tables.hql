create table ods.orders (id bigint, uid bigint, amount decimal(10,2), status string, addr struct<city:string,zip:string>) partitioned by (ds string);
create table dwd.member (uid bigint, level string comment 'of the club, "gold" or other');
create table ads.paid (uid bigint, city string, total decimal(20,2), rank int, vip string) partitioned by (ds string);
create view dwd.v_gold as select uid from dwd.member where level = 'gold';
