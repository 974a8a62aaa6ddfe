-- 公共设置: sourced by the nightly scripts, never run alone
SET hive.exec.dynamic.partition = true;
SET hive.exec.dynamic.partition.mode = nonstrict;
SET hive.exec.max.dynamic.partitions = 4000;
SET hive.auto.convert.join = true;
SET hivevar:far_future = 9999-12-31;
SET hivevar:night_from = 22;
