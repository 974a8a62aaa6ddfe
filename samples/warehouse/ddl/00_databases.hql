-- 赤隼单车数仓：分层库 / one database a layer
CREATE DATABASE IF NOT EXISTS ods COMMENT '贴源层: as delivered by the apps and the locks';
CREATE DATABASE IF NOT EXISTS dwd COMMENT '明细层: cleaned facts, one row an event';
CREATE DATABASE IF NOT EXISTS dws COMMENT '汇总层: facts added up by rider, bike, dock, city';
CREATE DATABASE IF NOT EXISTS ads COMMENT '应用层: what the boards and the apps read';
CREATE DATABASE IF NOT EXISTS dim COMMENT '维度层: what the facts are about';
CREATE DATABASE IF NOT EXISTS tmp COMMENT 'scratch, emptied every Sunday';
