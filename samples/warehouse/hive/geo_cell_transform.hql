-- 轨迹转网格: a Python script does the geometry
ADD FILE /apps/geo/cell.py;
ADD JAR hdfs:///apps/udf/kestrel-udf-1.4.jar;
CREATE TEMPORARY FUNCTION cell_level AS 'com.kestrel.udf.CellLevel';

DROP TABLE IF EXISTS tmp.trip_cell;
CREATE TABLE tmp.trip_cell AS
SELECT TRANSFORM (p.trip_id, p.seq, p.lat, p.lon)
    ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t'
    USING 'python3 cell.py --level 9'
    AS (trip_id STRING, cell STRING, hits INT)
FROM (
    SELECT trip_id, seq, lat, lon
    FROM dwd.dwd_trip_point_di
    WHERE dt = '${hivevar:dt}' AND speed_ms < 12
    DISTRIBUTE BY trip_id SORT BY trip_id, seq
) p;

!echo cells done;
