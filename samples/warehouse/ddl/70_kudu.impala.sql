-- Kudu 与 Iceberg 表，由 Impala 建 / tables that only Impala makes
CREATE TABLE IF NOT EXISTS dws.dws_dock_live (
    dock_id    BIGINT NOT NULL COMMENT '桩组ID',
    bikes_now  INT NULL DEFAULT 0,
    broken_now INT NULL,
    last_seen  TIMESTAMP NULL,
    PRIMARY KEY (dock_id)
)
PARTITION BY HASH (dock_id) PARTITIONS 4
COMMENT '桩组实时余量'
STORED AS KUDU
TBLPROPERTIES ('kudu.num_tablet_replicas' = '3');

CREATE TABLE IF NOT EXISTS dws.dws_bike_health (
    bike_id     BIGINT NOT NULL,
    city_code   STRING NOT NULL ENCODING DICT_ENCODING,
    battery_soc INT,
    volt_mv     INT,
    risk_score  DOUBLE,
    checked_at  TIMESTAMP,
    PRIMARY KEY (bike_id, city_code)
)
PARTITION BY HASH (bike_id) PARTITIONS 8
STORED AS KUDU;

CREATE TABLE IF NOT EXISTS ads.ads_trip_ice (
    trip_id     STRING,
    rider_id    BIGINT,
    city_code   STRING,
    start_at    TIMESTAMP,
    ride_min    INT,
    paid_amount DECIMAL(12,2)
)
PARTITIONED BY SPEC (day(start_at), bucket(16, rider_id))
STORED AS ICEBERG
TBLPROPERTIES ('format-version' = '2');

CREATE TABLE IF NOT EXISTS ads.ads_dock_sla (
    dock_id    BIGINT,
    dock_name  STRING,
    empty_min  BIGINT COMMENT '无车分钟数',
    full_min   BIGINT COMMENT '满桩分钟数',
    sla_ok     BOOLEAN
)
PARTITIONED BY (dt STRING)
SORT BY (dock_id)
COMMENT '桩组服务水平'
STORED AS PARQUET;
