// The warehouse of a chain of bakeries, invented: layers, a hub, a wide table, odd names, temporary and dropped tables.
import { DAY, NOW, Warehouse } from './model.mjs';

const copy = (source, ...columns) => columns.map((column) => [column, [`${source}.${column}`], `${source.split('.')[1]}.${column}`, 'identity']);

export function bakery() {
  const w = new Warehouse();
  w.table('ods.sale', ['id bigint 流水号', 'shop_id bigint 门店', 'sku_id bigint', 'qty int 数量', 'price decimal(10,2) 单价', 'paid_at timestamp 支付时间', 'memo string'],
    { comment: '销售流水', owner: 'lin', heat: 120.4, users: 5 });
  w.table('ods.shop', ['id bigint', 'name string 店名', 'city string 城市', 'opened date'], { comment: '门店', owner: 'lin', heat: 44, users: 3 });
  w.table('ods.sku', ['id bigint', 'name string', 'category string 品类', 'cost decimal(10,2) 成本'], { comment: '商品', heat: 31 });
  w.table('ods.refund', ['id bigint', 'sale_id bigint', 'amount decimal(10,2)'], { comment: '退款', heat: 6.2, last_written: NOW - 9 * DAY });
  w.table('ods.click_log', ['line string', 'dt string'], { comment: '点击日志 raw', heat: 2, last_written: NOW - 40 * DAY, owner: 'wu' });
  w.table('dwd.sale', ['id bigint', 'shop_id bigint', 'city string 城市', 'sku_id bigint', 'category string', 'qty int', 'amount decimal(12,2) 实付金额', 'paid_at timestamp', 'memo string', 'dt string 日期'],
    { comment: '销售明细', owner: 'lin', heat: 311.6, users: 9 });
  w.table('dwd.refund', ['id bigint', 'sale_id bigint', 'shop_id bigint', 'amount decimal(10,2)'], { comment: '退款明细', heat: 18, owner: 'chen' });
  w.table('dwd.v_sale_open', ['id bigint', 'shop_id bigint', 'amount decimal(12,2)'], { kind: 'view', heat: 12, comment: 'sales not refunded', engine: 'impala' });
  w.table('tmp.sale_stage', ['shop_id bigint', 'city string', 'income decimal(14,2)', 'orders bigint'], { temporary: true, kind: 'temporary', heat: 1 });
  w.table('dws.city_day', ['city string 城市', 'income decimal(14,2) 收入', 'orders bigint 订单数', 'refund decimal(14,2)', 'avg_ticket double', 'dt string'],
    { comment: '城市日汇总', owner: 'chen', heat: 640, users: 14 });
  w.table('dws.shop_day', ['shop_id bigint', 'income decimal(14,2)', 'orders bigint', 'dt string'], { comment: '门店日汇总', owner: 'chen', heat: 210, users: 6 });
  w.table('dws.sku_month', ['sku_id bigint', 'qty bigint', 'margin decimal(14,2) 毛利', 'month string'], { heat: 33, engine: 'impala' });
  w.table('ads.board', ['city string', 'income decimal(14,2) 收入', 'growth double 增长', 'dt string'], { comment: '经营看板', owner: 'zhou', heat: 1520, users: 31, engine: 'impala' });
  w.table('ads.shop_rank', ['shop_id bigint', 'income decimal(14,2)', 'rk int 排名'], { comment: '门店排名', owner: 'zhou', heat: 88 });
  w.table('ads.city_mail', ['city string', 'body string'], { owner: 'post@bakery.example', heat: 3, last_written: NOW - 3 * DAY });
  w.table('ads.kpi', ['name string', 'value double', 'dt string'], { comment: '指标长表', heat: 75, engine: 'impala' });
  w.table('hdfs://nn/export/city', ['city string', 'income string'], { kind: 'path', heat: 1, database: null, layer: null });
  w.table('ads.board_old', ['city string', 'income decimal(14,2)'], { status: 'offline', heat: 0, last_written: NOW - 50 * DAY, comment: 'dropped' });
  w.table('ads.city_fax', ['city string'], { status: 'offline', heat: 0, comment: 'dropped, its statement still holds' });
  w.table('dwd.click', ['uid string', 'page string', 'at timestamp'], { heat: 9, comment: '点击' });
  w.table('ads.odd "names" & <b>标签</b>', ['city string', 'note string'], { heat: 4, comment: '<img src=x onerror=alert(1)>' });
  w.table('dim.city', ['city string 城市', 'province string 省', 'tier int'], { comment: '城市维表', heat: 95, owner: 'wu', users: 8 });
  w.table('dim.calendar', ['dt string 日期', 'holiday boolean'], { comment: '日历', heat: 40 });
  w.table('dwd.wide', Array.from({ length: 300 }, (_, i) => `f${String(i).padStart(3, '0')} double 特征${i}`), { comment: '宽表', heat: 21 });
  w.table('ml.score', ['shop_id bigint', 'score double'], { heat: 14, engine: 'impala', owner: 'ma' });

  w.statement('dwd.sale', [...copy('ods.sale', 'id', 'shop_id', 'sku_id', 'qty', 'paid_at', 'memo'), ['city', ['ods.shop.city'], 'shop.city', 'identity'],
    ['category', ['ods.sku.category'], "coalesce(sku.category, '其他')", 'transformation'], ['amount', ['ods.sale.price', 'ods.sale.qty'], 'cast(sale.price * sale.qty AS decimal(12,2))', 'transformation']],
    { conditions: [['filter', ['ods.sale.paid_at'], 'sale.paid_at IS NOT NULL'], ['join', ['ods.sku.id', 'ods.shop.id'], 'sale.sku_id = sku.id']] });
  w.statement('dwd.refund', [...copy('ods.refund', 'id', 'sale_id', 'amount'), ['shop_id', ['dwd.sale.shop_id'], 'sale.shop_id', 'identity']], { runs: 12 });
  w.statement('dwd.v_sale_open', [...copy('dwd.sale', 'id', 'shop_id', 'amount')], { mode: 'create', engine: 'impala', runs: 1, conditions: [['filter', ['dwd.refund.sale_id'], 'refund.sale_id IS NULL']] });
  w.statement('tmp.sale_stage', [...copy('dwd.sale', 'shop_id', 'city'), ['income', ['dwd.sale.amount'], 'sum(sale.amount)', 'aggregation'], ['orders', ['dwd.sale.id'], 'count(sale.id)', 'aggregation']], { mode: 'create' });
  w.statement('dws.city_day', [['city', ['tmp.sale_stage.city'], 'sale_stage.city', 'identity'], ['income', ['tmp.sale_stage.income'], 'sum(sale_stage.income)', 'aggregation'],
    ['orders', ['tmp.sale_stage.orders'], 'sum(sale_stage.orders)', 'aggregation'], ['refund', ['dwd.refund.amount'], 'sum(refund.amount)', 'aggregation'],
    ['avg_ticket', ['tmp.sale_stage.income', 'tmp.sale_stage.orders'], 'sum(sale_stage.income) / sum(sale_stage.orders)', 'aggregation']],
    { runs: 31, users: [{ user: 'etl', runs: 30 }, { user: 'lin', runs: 1 }], conditions: [['group_by', ['tmp.sale_stage.city'], 'sale_stage.city']] });
  w.statement('dws.city_day', [['city', ['ods.click_log.line'], "get_json_object(line, '$.city')", 'transformation']],
    { evidence: 'script', runs: 0, users: [], first: NOW - 20 * DAY, last: null, script: 'etl/city_from_log.hql', mode: 'append', uncertain: [{ code: 'open-star', message: 'the columns of ods.click_log are not known: its star stays open' }] });
  w.statement('dws.shop_day', [...copy('dwd.v_sale_open', 'shop_id'), ['income', ['dwd.v_sale_open.amount'], 'sum(v_sale_open.amount)', 'aggregation'], ['orders', ['dwd.v_sale_open.id'], 'count(v_sale_open.id)', 'aggregation']], { evidence: 'engine_confirmed', engine: 'impala' });
  w.statement('dws.sku_month', [...copy('dwd.sale', 'sku_id', 'qty'), ['margin', ['dwd.sale.amount', 'ods.sku.cost'], 'sum(sale.amount - sku.cost)', 'aggregation']], { engine: 'impala', first: NOW - 5 * DAY, runs: 5 });
  w.statement('ads.board', [...copy('dws.city_day', 'city', 'income'), ['growth', ['dws.city_day.income'], 'city_day.income / lag(city_day.income) OVER (PARTITION BY city ORDER BY dt) - 1', 'transformation']],
    { engine: 'impala', evidence: 'engine_confirmed', mode: 'overwrite', conditions: [['window', ['dws.city_day.dt'], 'dt'], ['filter', ['dim.city.tier'], 'city.tier <= 2']] });
  w.statement('ads.city_mail', [['city', ['dws.city_day.city'], 'city_day.city', 'identity'], ['body', ['dws.city_day.income'], "concat('收入 ', city_day.income)", 'transformation']], { state: 'superseded', runs: 4 });
  w.statement('ads.kpi', [['value', ['dws.city_day.income'], 'sum(city_day.income)', 'aggregation']],
    { engine: 'impala', conditions: [['filter', ['dim.calendar.dt'], 'city_day.dt IN (SELECT dt FROM calendar)']] });
  w.statement('ads.kpi', [['value', ['dws.shop_day.orders'], 'sum(shop_day.orders)', 'aggregation']], { engine: 'impala' });
  w.statement('hdfs://nn/export/city', copy('dws.city_day', 'city', 'income'), { mode: 'overwrite' });
  w.statement('ads.board_old', copy('dws.city_day', 'city', 'income'), { first: NOW - 80 * DAY, last: NOW - 50 * DAY, until: NOW - 10 * DAY });
  w.statement('ads.odd "names" & <b>标签</b>', [['city', ['dws.city_day.city'], 'city_day.city', 'identity']]);
  w.statement('ads.city_fax', copy('dws.city_day', 'city'));
  w.statement('ads.shop_rank', [...copy('dws.shop_day', 'shop_id', 'income'), ['rk', ['dws.shop_day.income'], 'rank() OVER (ORDER BY shop_day.income DESC)', 'transformation']]);
  w.statement('dwd.click', [['uid', ['ods.click_log.line'], "get_json_object(line, '$.uid')", 'transformation'], ['page', ['ods.click_log.line'], "get_json_object(line, '$.page')", 'transformation']]);
  w.statement('dwd.wide', Array.from({ length: 40 }, (_, i) => [`f${String(i).padStart(3, '0')}`, ['dwd.sale.amount'], `sum(if(sale.qty > ${i}, sale.amount, 0))`, 'aggregation']));
  w.statement('ml.score', [['shop_id', ['dwd.sale.shop_id'], 'sale.shop_id', 'identity'], ['score', ['dwd.wide.f000', 'dwd.wide.f001'], 'predict(f000, f001)', 'transformation']], { engine: 'impala' });

  // a hub: the city dimension is read by many marts
  for (let i = 0; i < 60; i++) {
    const database = i % 3 === 0 ? 'dm' : i % 3 === 1 ? 'rpt' : 'ads';
    const name = `${database}.city_part_${String(i).padStart(2, '0')}`;
    w.table(name, ['city string', 'province string', 'v double'], { heat: 60 - i, last_written: NOW - (i % 45) * DAY, owner: i % 2 ? 'wu' : 'zhou' });
    w.statement(name, [...copy('dim.city', 'city', 'province'), ['v', ['dim.city.tier'], 'max(city.tier)', 'aggregation']], { runs: 60 - i });
  }
  w.renamed = { 'ads.board_old': { name: 'ads.board', time: NOW - 10 * DAY } };
  w.failed = { 'ads.kpi': { time: NOW - 3600_000, user: 'etl', query_id: 'q_10_2', status: 'ERROR' } };
  w.checks = [
    { table: 'ods.sale', column: 'price', check: 'not_negative', status: 'fail', time: NOW - 1800_000, message: '3 of 1,204 rows are below zero', source: 'nightly checks' },
    { table: 'ods.sku', column: null, check: 'row_count', status: 'warn', time: NOW - 1700_000, message: '31 % fewer rows than a week ago', source: 'nightly checks' },
    { table: 'ods.sale', column: 'id', check: 'unique', status: 'pass', time: NOW - 1600_000, message: null, source: 'nightly checks' },
    { table: 'dws.city_day', column: 'city', check: 'not_null', status: 'pass', time: NOW - 1500_000, message: null, source: null },
  ];
  w.changes = [
    { time: NOW - 3600_000, type: 'column_retyped', name: 'ods.sale', column: 'price', before: 'double', after: 'decimal(10,2)', user: 'lin', query_id: 'q_0_0' },
    { time: NOW - 2 * DAY, type: 'column_added', name: 'dwd.sale', column: 'category', before: null, after: 'string', user: 'lin', query_id: 'q_0_1' },
    { time: NOW - 5 * DAY, type: 'table_created', name: 'dws.sku_month', column: null, before: null, after: null, user: 'chen', query_id: 'q_7_0' },
    { time: NOW - 10 * DAY, type: 'table_renamed', name: 'ads.board_old', column: null, before: 'ads.board_old', after: 'ads.board', user: 'zhou', query_id: null },
    { time: NOW - 11 * DAY, type: 'column_retyped', name: 'ads.board', column: 'growth', before: 'float', after: 'double', user: null, query_id: null },
  ];
  return w;
}
