-- 明细层 / cleaned facts
CREATE TABLE IF NOT EXISTS dwd.dwd_trip_detail_di (
    trip_id       STRING,
    rider_id      BIGINT,
    bike_id       BIGINT,
    model_code    STRING,
    start_dock_id BIGINT,
    end_dock_id   BIGINT,
    city_code     STRING,
    start_at      TIMESTAMP,
    end_at        TIMESTAMP,
    ride_min      INT             COMMENT '骑行分钟, 向上取整',
    distance_m    INT,
    due_amount    DECIMAL(12, 2)  COMMENT '应付',
    paid_amount   DECIMAL(12, 2)  COMMENT '实付',
    plan_code     STRING,
    promo_code    STRING,
    trip_status   STRING,
    app_ver       STRING
)
COMMENT '行程明细宽表'
PARTITIONED BY (dt STRING)
STORED AS PARQUET
TBLPROPERTIES ('parquet.compression' = 'SNAPPY');

CREATE TABLE IF NOT EXISTS dwd.dwd_trip_point_di (
    trip_id  STRING,
    seq      INT,
    lat      DOUBLE,
    lon      DOUBLE,
    speed_ms DOUBLE
)
COMMENT '行程轨迹点'
PARTITIONED BY (dt STRING, city_code STRING)
STORED AS PARQUET;

CREATE TABLE IF NOT EXISTS dwd.dwd_lock_event_di (
    event_id   STRING,
    bike_id    BIGINT,
    event_type STRING,
    event_at   TIMESTAMP,
    volt_mv    INT,
    firmware   STRING,
    geo_cell   STRING
)
PARTITIONED BY (dt STRING, event_group STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd.dwd_payment_di (
    pay_id      STRING,
    trip_id     STRING,
    rider_id    BIGINT,
    channel     STRING,
    amount      DECIMAL(12, 2),
    discount    DECIMAL(12, 2),
    refunded    DECIMAL(12, 2),
    net_amount  DECIMAL(12, 2),
    paid_at     TIMESTAMP
)
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd.dwd_payment_reject_di (
    pay_id  STRING,
    reason  STRING,
    raw_row STRING
)
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd.dwd_workorder_di (
    order_no     STRING,
    bike_id      BIGINT,
    workshop_id  INT,
    mechanic_id  INT,
    source_type  STRING,
    fault_code   STRING  COMMENT '一行一个故障码',
    fault_seq    INT,
    opened_at    TIMESTAMP,
    closed_at    TIMESTAMP,
    repair_hours DECIMAL(8, 2),
    labour_min   INT,
    state        STRING
)
COMMENT '工单明细, 按故障码炸开'
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd.dwd_workorder_part_di (
    order_no    STRING,
    part_no     STRING,
    category_l1 STRING,
    quantity    INT,
    cost        DECIMAL(12, 2)
)
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd.dwd_app_event_di (
    device_id  STRING,
    rider_id   BIGINT,
    session_no BIGINT,
    page       STRING,
    action     STRING,
    event_at   TIMESTAMP,
    stay_s     INT
)
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd.dwd_battery_swap_di (
    swap_id       STRING,
    bike_id       BIGINT,
    worker_id     INT,
    soc_before    INT,
    hours_between DECIMAL(8, 2)  COMMENT '距上次换电小时数',
    swapped_at    TIMESTAMP
)
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd.dwd_bike_state_acid (
    bike_id     BIGINT,
    status      STRING,
    dock_id     BIGINT,
    battery_soc INT,
    fault_count INT,
    updated_at  TIMESTAMP
)
COMMENT '车辆当前状态, ACID'
CLUSTERED BY (bike_id) INTO 8 BUCKETS
STORED AS ORC
TBLPROPERTIES ('transactional' = 'true');
