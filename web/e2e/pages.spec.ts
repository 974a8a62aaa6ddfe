// The pages beside the picture, and the list.
import { readFileSync } from 'node:fs';
import { expect, test } from './base';

test('the first page: counts, hot tables, newest changes, lists for cleaning up', async ({ map, page }) => {
  await map.open('#/');
  await expect(page.locator('.counts')).toContainText('85 tables');
  await expect(page.locator('.hot li').first()).toContainText('ads.board');
  await expect(page.locator('.changes li').first()).toContainText('column price has a new type');
  await expect(page.locator('.changes li').first()).toContainText('double → decimal(10,2)');
  await page.getByRole('button', { name: 'Dead columns' }).click();
  await expect(page.getByRole('link', { name: 'dws.city_day.orders' })).toBeVisible();
});

test('search finds names and comments, Chinese included', async ({ map, page }) => {
  await map.open('#/search?q=城市');
  await expect(page.locator('.hits li').first()).toContainText('dws.city_day');
  await page.getByRole('link', { name: /dim\.city 城市维表/ }).click();
  await expect(map.card('dim.city')).toBeVisible();
});

test('the list has the same state as the picture: side, filter, order, lock', async ({ map, page }) => {
  await map.table('dws.city_day', '&view=both');
  const list = page.getByRole('region', { name: 'List' });
  await expect(list.locator('tbody tr')).toHaveCount(5);
  await list.getByRole('button', { name: 'upstream' }).click();
  await expect(list.getByText('7 tables')).toBeVisible();
  await list.getByPlaceholder('Filter').fill('db:ods owner:lin');
  await expect(list.locator('tbody tr')).toHaveCount(2);
  await list.getByPlaceholder('Filter').fill('');
  await list.getByRole('button', { name: 'heat' }).click();
  await expect(list.locator('tbody tr').first()).toContainText('dwd.sale');
  expect([map.param('side'), map.param('sort')]).toEqual([['up'], ['-heat']]);
  await list.getByRole('button', { name: 'Lock dwd.refund in the picture' }).click();
  await expect(page.locator('tr.dim').first()).toBeVisible();
  await expect(map.card('ods.click_log').locator('.card')).toHaveClass(/dim/);
});

test('the list is downloaded as CSV', async ({ map, page }) => {
  await map.open('#/table?name=dim.city&view=list');
  await page.getByRole('region', { name: 'List' }).getByRole('button', { name: 'downstream' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  const lines = readFileSync(await file.path(), 'utf8').trim().split('\r\n');
  expect(file.suggestedFilename()).toBe('dim.city_down.csv');
  expect(lines).toHaveLength(61);
  expect(lines[0]).toBe('namespace,name,level,owner,layer,engine,status,quality,heat,users,last_read,last_written');
});

test('a table tells who wrote it last, when it usually is, and when it failed', async ({ map, page }) => {
  await map.table('dws.city_day');
  const facts = page.locator('.facts');
  await expect(facts).toContainText('by etl');
  await expect(facts).toContainText('02:00–02:29 UTC');
  await expect(facts).toContainText('3 / 7');
  await facts.getByText('last failure').locator('..').getByRole('link').click();
  await expect(page.getByText('ERROR')).toBeVisible();
});

test('columns, impact, queries and history of a table', async ({ map, page }) => {
  await map.table('dwd.sale');
  await page.getByRole('tab', { name: /Columns/ }).click();
  await expect(page.locator('tbody tr').first()).toContainText('amount');
  await expect(page.locator('tbody tr', { hasText: 'memo' })).toContainText('unused');
  await page.getByRole('tab', { name: /Impact/ }).click();
  await expect(page.getByRole('heading', { name: 'Queries of the last 30 days' })).toBeVisible();
  await expect(page.locator('section.block').first()).toContainText('dws.city_day');
  await page.getByRole('tab', { name: 'Queries' }).click();
  const rows = page.locator('tbody tr');
  await expect(rows.first()).toContainText('etl');
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(rows).toHaveCount(100);
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.locator('.changes')).toContainText('column category added');
});

test('a column is traced to the very source', async ({ map, page }) => {
  await map.open('#/column?name=ads.board&column=income');
  const up = page.locator('.trace').first();
  for (const name of ['dws.city_day.income', 'tmp.sale_stage.income', 'dwd.sale.amount', 'ods.sale.price', 'ods.sale.qty']) await expect(up.getByTitle(name, { exact: true })).toBeVisible();
  await up.getByRole('button', { name: /expression/ }).first().click();
  await expect(up.locator('.step-detail code').first()).toHaveText('city_day.income');
  await page.getByRole('link', { name: 'Show in the map' }).click();
  await expect(map.card('ads.board').locator('.column.lit')).toContainText(['income']);
});

test('a query has its sources and targets coloured', async ({ map, page }) => {
  await map.open('#/query?id=q_4_0');
  await expect(page.locator('pre mark.target')).toHaveText('dws.city_day');
  await expect(page.locator('pre mark.source').first()).toHaveText('tmp.sale_stage');
});

test('the playground shows lineage at once, and what an ALTER would break', async ({ map, page }) => {
  await map.open('#/playground');
  await page.getByLabel('SQL text').fill('insert into ads.vip select city from dwd.sale');
  await expect(page.getByText('new edge')).toBeVisible();
  await expect(page.locator('.statement-lineage tbody tr')).toContainText('ads.vip.city');
  await page.getByLabel('SQL text').fill('alter table dwd.sale drop column amount');
  await expect(page.getByText('column dropped')).toBeVisible();
  await expect(page.getByRole('heading', { name: /tables are hit/ })).toBeVisible();
  await page.getByLabel('dialect').selectOption('impala');
  expect(map.param('dialect')).toEqual(['impala']);
});

test('the pipeline’s health', async ({ map, page }) => {
  await map.open('#/health');
  await expect(page.getByRole('heading', { name: /Pipeline health good/ })).toBeVisible();
  await expect(page.locator('.facts')).toContainText('420 ms');
});

test('an unknown table offers the nearest names', async ({ map, page }) => {
  await map.open('#/table?name=dws.city_dya');
  await expect(page.getByRole('alert')).toContainText('There is no table dws.city_dya.');
  await page.getByRole('alert').getByRole('link', { name: 'dws.city_day' }).click();
  await expect(map.card('dws.city_day')).toBeVisible();
});

test('an address that leads nowhere says so, and leads home', async ({ map, page }) => {
  await map.open('#/nowhere?name=x');
  const main = page.getByRole('main');
  await expect(main.getByRole('heading')).toHaveText('There is no such page.');
  await main.getByRole('link').click();
  await expect(main.getByRole('heading', { name: 'Data map' })).toBeVisible();
});

test('odd names stay text: quotes, blanks, Chinese, HTML', async ({ map, page }) => {
  await map.table('ads.odd "names" & <b>标签</b>');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('<b>标签</b>');
  await expect(page.locator('h1 b, h1 img')).toHaveCount(0);
});

test('a server that is gone, or fails, is told in words; trying again works', async ({ map, page }) => {
  await page.route('**/api/v1/graph*', (route) => route.abort());
  await page.goto('/#/table?name=dws.city_day');
  const alert = page.getByRole('alert').first();
  await expect(alert).toContainText('This failed: the lineage of dws.city_day.');
  await expect(alert).toContainText('The server does not answer. Is it running?');
  await page.unroute('**/api/v1/graph*');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(map.card('dws.city_day')).toBeVisible();
  await page.route('**/api/v1/queries*', (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"title":"Unavailable","status":503,"detail":"The store is away.","type":"about:blank","instance":"/"}' }));
  await page.getByRole('tab', { name: 'Queries' }).click();
  await expect(page.getByRole('alert')).toContainText('The store is away.');
});

test('a store that is away for a minute: every page says so, nothing is frozen, and it is there again when it is back', async ({ map, page }) => {
  await map.table('dws.city_day');
  const away = '{"title":"Service Unavailable","status":503,"detail":"The store cannot be reached: connection refused","type":"about:blank","instance":"/"}';
  await page.route('**/api/v1/**', (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body: away }));
  // What is drawn stays, and can be used.
  await map.card('dwd.sale').getByRole('button', { name: 'Show 3 sources of dwd.sale' }).click();
  await expect(page.getByRole('alert').first()).toContainText('The store cannot be reached');
  await expect(map.card('dws.city_day')).toBeVisible();
  for (const hash of ['#/', '#/search?q=city', '#/column?name=dws.city_day&column=income', '#/query?id=q_4_0', '#/health', '#/table?name=dwd.sale&tab=columns', '#/table?name=dwd.sale&tab=history']) {
    await map.open(hash);
    await expect(page.getByRole('alert').first()).toContainText('The store cannot be reached');
  }
  await page.unroute('**/api/v1/**');
  await page.getByRole('alert').last().getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('.changes')).toContainText('column category added');
  await map.table('dws.city_day');
});

test('columns and paths that cannot be read say so in the picture, and come when asked again', async ({ map, page }) => {
  await page.route('**/api/v1/column-graph*', (route) => route.abort());
  await page.route('**/api/v1/columns*', (route) => route.abort());
  await map.table('dws.city_day', '&cols=dws.city_day');
  const alert = page.locator('.failures').getByRole('alert');
  await expect(alert.first()).toContainText('This failed: the columns.');
  await page.unroute('**/api/v1/columns*');
  await alert.first().getByRole('button', { name: 'Try again' }).click();
  await map.card('dws.city_day').getByRole('button', { name: /^income/ }).click();
  await expect(alert.first()).toContainText('This failed: the path of the locked column.');
  await page.unroute('**/api/v1/column-graph*');
  await alert.first().getByRole('button', { name: 'Try again' }).click();
  await expect(alert).toHaveCount(0);
  await expect(map.card('ads.board').locator('.card')).toHaveClass(/lit/);
});

test('waits over 300 ms show progress', async ({ page }) => {
  await page.route('**/api/v1/graph*', async (route) => {
    await new Promise((done) => setTimeout(done, 1500));
    await route.continue();
  });
  await page.goto('/#/table?name=dws.city_day');
  await expect(page.getByText('Loading the lineage…')).toBeVisible();
  await expect(page.getByText('Loading the lineage…')).toHaveCount(0);
});

test('a server that asks for a token gets it, and keeps it for the tab only', async ({ page }) => {
  await page.route('**/api/v1/**', async (route) => {
    if (route.request().headers().authorization === 'Bearer good') return route.continue();
    await route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"title":"Unauthorized","status":401,"detail":"A token is wanted.","type":"about:blank","instance":"/"}' });
  });
  await page.goto('/#/');
  await page.getByLabel('Token').fill('bad');
  await page.getByRole('button', { name: 'Use it' }).click();
  await expect(page.getByRole('alert')).toContainText('does not take this token');
  await page.getByLabel('Token').fill('good');
  await page.getByRole('button', { name: 'Use it' }).click();
  await expect(page.getByRole('heading', { name: 'Data map' })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('good');
});

test('Chinese and English, light and dark, are kept', async ({ map, page }) => {
  await map.open('#/');
  await page.getByRole('button', { name: '中文' }).click();
  await expect(page.getByRole('heading', { name: '数据地图' })).toBeVisible();
  await page.getByRole('button', { name: '深色' }).click();
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(18, 22, 27)');
  await page.reload();
  await expect(page.getByRole('heading', { name: '数据地图' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(18, 22, 27)');
});
