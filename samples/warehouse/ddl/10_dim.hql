-- 维度表 / dimensions
CREATE TABLE IF NOT EXISTS dim.dim_city (
    city_code      STRING  COMMENT '城市编码',
    city_name      STRING  COMMENT '城市名称',
    province_name  STRING  COMMENT '省份',
    region_name    STRING  COMMENT '大区: north, east, south, west',
    utc_offset_min INT     COMMENT 'minutes east of UTC',
    opened_on      DATE    COMMENT '开城日期'
)
COMMENT '城市维表'
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim.dim_date (
    date_key     STRING  COMMENT 'yyyy-MM-dd',
    week_no      INT     COMMENT '年内周序号',
    month_key    STRING  COMMENT 'yyyy-MM',
    season       STRING  COMMENT 'spring, summer, autumn, winter',
    is_workday   TINYINT COMMENT '1 = 工作日',
    holiday_name STRING
)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim.dim_dock_df (
    dock_id     BIGINT         COMMENT '停车桩组ID',
    dock_code   STRING         COMMENT 'printed on the post',
    dock_name   STRING,
    city_code   STRING,
    district    STRING,
    lat         DECIMAL(9, 6),
    lon         DECIMAL(9, 6),
    slots       INT            COMMENT '车位数',
    labels      ARRAY<STRING>  COMMENT '标签: metro, campus, mall ...',
    near_docks  ARRAY<STRUCT<dock_id: BIGINT, walk_m: INT>> COMMENT '步行可达的邻近桩组',
    status      STRING         COMMENT 'open, closed, moved'
)
COMMENT '桩组维表, 每日全量'
PARTITIONED BY (dt STRING COMMENT '快照日期')
STORED AS PARQUET;

CREATE TABLE IF NOT EXISTS dim.dim_bike_df (
    bike_id       BIGINT,
    frame_no      STRING               COMMENT '车架号',
    model_code    STRING,
    battery_model STRING,
    home_city     STRING               COMMENT '归属城市编码',
    put_on        DATE                 COMMENT '投放日期',
    status        STRING               COMMENT 'on_road, in_workshop, lost, retired',
    attrs         MAP<STRING, STRING>  COMMENT 'lock_fw, tyre, colour ...'
)
COMMENT '车辆维表, 每日全量'
PARTITIONED BY (dt STRING)
STORED AS PARQUET;

CREATE TABLE IF NOT EXISTS dim.dim_bike_model (
    model_code    STRING,
    model_name    STRING,
    kind          STRING         COMMENT 'city, e_assist, cargo, kids',
    unlock_fee    DECIMAL(8, 2)  COMMENT '起步价',
    minute_fee    DECIMAL(8, 4)  COMMENT '每分钟价',
    warranty_days INT,
    spec          STRUCT<weight_kg: DECIMAL(5, 2), gears: INT, motor: STRUCT<watt: INT, maker: STRING>>
)
STORED AS ORC
TBLPROPERTIES ('owner' = 'fleet-data');

CREATE TABLE IF NOT EXISTS dim.dim_rider_zip (
    rider_id     BIGINT,
    mobile_hash  STRING  COMMENT '手机号哈希',
    gender       STRING,
    birth_year   INT,
    home_city    STRING,
    plan_code    STRING  COMMENT '会员计划: none, month, season, year',
    signed_up_at TIMESTAMP,
    start_dt     STRING  COMMENT '拉链开始',
    end_dt       STRING  COMMENT '拉链结束, 9999-12-31 = 当前'
)
COMMENT '骑手拉链表 (history of what a rider was when)'
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim.dim_part (
    part_no     STRING,
    part_name   STRING,
    category_l1 STRING,
    category_l2 STRING,
    unit_cost   DECIMAL(10, 2),
    suppliers   ARRAY<STRUCT<supplier_id: BIGINT, lead_days: INT, price: DECIMAL(10, 2)>> COMMENT '供应商报价',
    fits_models ARRAY<STRING> COMMENT '适配车型'
)
COMMENT '配件维表'
STORED AS PARQUET;

CREATE TABLE IF NOT EXISTS dim.dim_workshop (
    workshop_id   INT,
    workshop_name STRING,
    city_code     STRING,
    benches       INT     COMMENT '工位数',
    owner_type    STRING  COMMENT '自营 own / 加盟 franchise',
    opened_on     DATE
)
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim.dim_mechanic_df (
    mechanic_id INT,
    full_name   STRING,
    workshop_id INT,
    grade       STRING                COMMENT '技师等级 A/B/C',
    skills      ARRAY<STRING>,
    hired_on    DATE
)
PARTITIONED BY (dt STRING)
STORED AS ORC;
