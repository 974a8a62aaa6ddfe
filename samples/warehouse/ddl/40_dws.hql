-- 汇总层 / added up
CREATE TABLE IF NOT EXISTS dws.dws_rider_day (
    rider_id    BIGINT,
    city_code   STRING,
    trips       BIGINT,
    ride_min    BIGINT,
    distance_m  BIGINT,
    paid_amount DECIMAL(18, 2),
    first_at    TIMESTAMP,
    last_at     TIMESTAMP,
    night_trips BIGINT  COMMENT '22点后'
)
PARTITIONED BY (dt STRING)
STORED AS PARQUET;

CREATE TABLE IF NOT EXISTS dws.dws_rider_nd (
    rider_id       BIGINT,
    trips_7d       BIGINT,
    trips_30d      BIGINT,
    paid_7d        DECIMAL(18, 2),
    paid_30d       DECIMAL(18, 2),
    active_days    BIGINT,
    last_trip_dt   STRING,
    favourite_dock BIGINT
)
COMMENT '骑手近7/30日'
PARTITIONED BY (dt STRING)
STORED AS PARQUET;

CREATE TABLE IF NOT EXISTS dws.dws_bike_day (
    bike_id     BIGINT,
    model_code  STRING,
    city_code   STRING,
    trips       BIGINT,
    ride_min    BIGINT,
    income      DECIMAL(18, 2),
    alarms      BIGINT,
    swaps       BIGINT,
    repair_cost DECIMAL(18, 2)
)
PARTITIONED BY (dt STRING)
STORED AS PARQUET;

CREATE TABLE IF NOT EXISTS dws.dws_dock_hour (
    dock_id    BIGINT,
    city_code  STRING,
    out_trips  BIGINT,
    in_trips   BIGINT,
    net_flow   BIGINT,
    rain_mm    DECIMAL(5, 1)
)
PARTITIONED BY (dt STRING, hh STRING)
STORED AS PARQUET;

CREATE TABLE IF NOT EXISTS dws.dws_city_day (
    city_code    STRING,
    trips        BIGINT,
    riders       BIGINT,
    bikes_used   BIGINT,
    income       DECIMAL(18, 2),
    new_riders   BIGINT,
    avg_ride_min DECIMAL(10, 2),
    p90_ride_min DOUBLE
)
PARTITIONED BY (dt STRING)
STORED AS PARQUET;

CREATE TABLE IF NOT EXISTS dws.dws_workshop_day (
    workshop_id  INT,
    opened       BIGINT,
    closed       BIGINT,
    waiting_part BIGINT,
    labour_min   BIGINT,
    part_cost    DECIMAL(18, 2),
    mean_hours   DECIMAL(10, 2)
)
PARTITIONED BY (dt STRING)
STORED AS PARQUET;

CREATE TABLE IF NOT EXISTS dws.dws_part_month (
    part_no    STRING,
    used       BIGINT,
    cost       DECIMAL(18, 2),
    orders     BIGINT,
    top_models ARRAY<STRING>
)
PARTITIONED BY (month_key STRING)
STORED AS PARQUET;

CREATE TABLE IF NOT EXISTS dws.dws_promo_day (
    promo_code  STRING,
    city_code   STRING,
    riders      BIGINT,
    trips       BIGINT,
    discount    DECIMAL(18, 2),
    paid_amount DECIMAL(18, 2)
)
PARTITIONED BY (dt STRING)
STORED AS PARQUET;

CREATE TABLE IF NOT EXISTS dws.dws_rider_tag (
    rider_id BIGINT,
    tag_name STRING,
    tag_val  STRING
)
COMMENT '骑手标签, 纵表'
PARTITIONED BY (dt STRING, tag_group STRING)
STORED AS PARQUET;
