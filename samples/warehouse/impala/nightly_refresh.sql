-- Hive 跑完之后: make the new partitions seen, and count them
invalidate metadata ads.ads_rider_rfm;
refresh dwd.dwd_trip_detail_di;
refresh dws.dws_rider_day partition (dt='${var:dt}');
refresh dws.dws_dock_hour;
compute incremental stats dwd.dwd_trip_detail_di partition (dt='${var:dt}');
compute stats dim.dim_city;
compute stats dim.dim_dock_df (dock_id, city_code, slots);
drop incremental stats dws.dws_rider_day partition (dt='${var:old_dt}');
show table stats dwd.dwd_trip_detail_di;
show partitions dws.dws_rider_day;
describe formatted ads.ads_rider_rfm;
