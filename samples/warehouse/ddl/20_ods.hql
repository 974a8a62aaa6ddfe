-- 贴源层 / as delivered
CREATE EXTERNAL TABLE IF NOT EXISTS ods.ods_ride_trip_di (
    trip_id       STRING  COMMENT '行程号',
    rider_id      BIGINT,
    bike_id       BIGINT,
    start_dock_id BIGINT,
    end_dock_id   BIGINT  COMMENT 'null = 未还在桩上',
    start_at      STRING  COMMENT 'yyyy-MM-dd HH:mm:ss, local time',
    end_at        STRING,
    distance_m    STRING,
    raw_status    STRING  COMMENT '1 进行中 2 完成 3 异常 4 取消',
    promo_code    STRING,
    ext           STRING  COMMENT 'JSON: app_ver, os, points'
)
COMMENT '骑行行程, 日增量'
PARTITIONED BY (dt STRING)
ROW FORMAT DELIMITED FIELDS TERMINATED BY '\001' NULL DEFINED AS ''
STORED AS TEXTFILE
LOCATION '/warehouse/ods/ods_ride_trip_di';

CREATE EXTERNAL TABLE IF NOT EXISTS ods.ods_lock_event_hi (
    event_id   STRING,
    bike_id    BIGINT,
    event_type STRING   COMMENT 'open, close, beat, alarm, low_power',
    event_ms   BIGINT   COMMENT '毫秒时间戳',
    lat        DOUBLE,
    lon        DOUBLE,
    payload    MAP<STRING, STRING>
)
COMMENT '车锁上报, 小时增量'
PARTITIONED BY (dt STRING, hh STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods.ods_rider_df (
    rider_id    BIGINT,
    mobile      STRING,
    gender      STRING,
    birthday    STRING,
    home_city   STRING,
    plan_code   STRING,
    signed_up   STRING,
    updated_at  STRING
)
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods.ods_payment_di (
    pay_id     STRING,
    trip_id    STRING,
    rider_id   BIGINT,
    channel    STRING          COMMENT 'wallet, card, plan, voucher',
    amount     DECIMAL(12, 2)  COMMENT '应付',
    discount   DECIMAL(12, 2),
    paid_at    STRING,
    pay_status STRING
)
COMMENT '支付流水'
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods.ods_refund_di (
    refund_id STRING,
    pay_id    STRING,
    amount    DECIMAL(12, 2),
    reason    STRING,
    done_at   STRING
)
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods.ods_workorder_di (
    order_no    STRING  COMMENT '工单号',
    bike_id     BIGINT,
    workshop_id INT,
    mechanic_id INT,
    source_type STRING  COMMENT 'rider_report, inspection, lock_alarm',
    fault_codes STRING  COMMENT '故障码, 逗号分隔',
    opened_at   STRING,
    closed_at   STRING,
    labour_min  INT,
    state       STRING  COMMENT 'new, doing, waiting_part, done, scrapped'
)
COMMENT '维修工单'
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods.ods_workorder_part_di (
    order_no  STRING,
    part_no   STRING,
    quantity  INT,
    unit_cost DECIMAL(10, 2)
)
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods.ods_battery_swap_di (
    swap_id     STRING,
    bike_id     BIGINT,
    worker_id   INT,
    old_battery STRING,
    new_battery STRING,
    soc_before  INT     COMMENT '换电前电量 %',
    swapped_at  STRING
)
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE EXTERNAL TABLE IF NOT EXISTS ods.ods_app_click_hi (
    line STRING COMMENT '一行一个 JSON'
)
PARTITIONED BY (dt STRING, hh STRING)
STORED AS TEXTFILE
LOCATION '/warehouse/ods/ods_app_click_hi';

CREATE TABLE IF NOT EXISTS ods.ods_weather_hour_di (
    city_code STRING,
    hour_no   INT,
    temp_c    DECIMAL(4, 1),
    rain_mm   DECIMAL(5, 1),
    wind_ms   DECIMAL(4, 1),
    sky       STRING
)
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods.ods_complaint_di (
    ticket_id STRING,
    rider_id  BIGINT,
    bike_id   BIGINT,
    topic     STRING,
    words     STRING  COMMENT '骑手原话',
    score     INT     COMMENT '满意度 1-5',
    opened_at STRING
)
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods.ods_part_stock_df (
    workshop_id INT,
    part_no     STRING,
    on_hand     INT,
    on_order    INT
)
PARTITIONED BY (dt STRING)
STORED AS ORC;
