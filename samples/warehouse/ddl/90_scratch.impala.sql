-- 临时库中由 Impala 长期使用的表
CREATE TABLE IF NOT EXISTS tmp.part_offer (
    part_no     STRING,
    supplier_id BIGINT,
    price       DECIMAL(10,2),
    gap_to_best DECIMAL(12,2)
)
STORED AS PARQUET;
