-- 应用层 / what the boards read
CREATE TABLE IF NOT EXISTS ads.ads_city_board_day (
    city_name     STRING,
    region_name   STRING,
    trips         BIGINT,
    trips_wow     DECIMAL(10, 4)  COMMENT '周同比',
    income        DECIMAL(18, 2),
    income_ytd    DECIMAL(18, 2),
    rank_in_region INT
)
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads.ads_rider_retention (
    cohort_dt STRING,
    day_no    INT,
    riders    BIGINT,
    stayed    BIGINT,
    rate      DECIMAL(10, 4)
)
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads.ads_funnel_day (
    step_no   INT,
    step_name STRING,
    devices   BIGINT,
    rate      DECIMAL(10, 4)
)
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads.ads_dock_rebalance (
    from_dock_id BIGINT,
    to_dock_id   BIGINT,
    bikes        BIGINT,
    walk_m       INT,
    reason       STRING
)
PARTITIONED BY (dt STRING, hh STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads.ads_bike_retire_list (
    bike_id     BIGINT,
    model_name  STRING,
    age_days    INT,
    income_90d  DECIMAL(18, 2),
    repair_90d  DECIMAL(18, 2),
    verdict     STRING
)
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads.ads_workshop_rank (
    workshop_name STRING,
    city_name     STRING,
    closed        BIGINT,
    mean_hours    DECIMAL(10, 2),
    rank_no       INT,
    quartile      INT
)
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads.ads_part_reorder (
    workshop_id  INT,
    part_no      STRING,
    on_hand      INT,
    daily_use    DECIMAL(10, 2),
    days_left    DECIMAL(10, 1),
    supplier_id  BIGINT,
    order_amount DECIMAL(18, 2)
)
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads.ads_revenue_cube (
    region_name STRING,
    kind        STRING,
    channel     STRING,
    grp         BIGINT          COMMENT 'grouping id',
    trips       BIGINT,
    net_amount  DECIMAL(18, 2)
)
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads.ads_rider_rfm (
    rider_id  BIGINT,
    recency   INT,
    frequency BIGINT,
    monetary  DECIMAL(18, 2),
    r_score   INT,
    f_score   INT,
    m_score   INT,
    segment   STRING
)
PARTITIONED BY (dt STRING)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads.ads_kpi_long (
    kpi_name STRING,
    scope    STRING,
    kpi_val  DECIMAL(20, 4)
)
COMMENT '指标纵表'
PARTITIONED BY (dt STRING)
STORED AS ORC;
