// What the picture tells besides tables and edges: statements as nodes, hubs, owners, failures, reasons in Chinese.
import { expect, test } from './base';

test('statements become nodes between what they read and write, by one switch that moves nothing', async ({ map, page }) => {
  await map.table('dws.city_day');
  await expect(page.locator('.process')).toHaveCount(0);
  const [day, board] = [await map.place('dws.city_day'), await map.place('ads.board')];
  await map.switch('statements').click();
  const insert = page.getByRole('button', { name: 'Statement: dws.city_day → ads.board' });
  await expect(insert).toHaveText('overwrite ×30');
  await map.expectAt('dws.city_day', day);
  await map.expectAt('ads.board', board);
  expect(map.param('statements')).toEqual(['1']);
  await expect(map.edge('dws.city_day', 'ads.board')).toHaveCount(0);
  await insert.click();
  const panel = page.getByRole('complementary', { name: 'Statements behind the edge' });
  await expect(panel.getByRole('heading', { name: '1 statement' })).toBeVisible();
  await expect(panel.locator('pre')).toContainText('INSERT OVERWRITE TABLE ads.board');
  await page.keyboard.press('Escape');
  await map.switch('statements').click();
  await expect(page.locator('.process')).toHaveCount(0);
  await expect(map.edge('dws.city_day', 'ads.board')).toHaveCount(1);
});

test('two sources and one target share one statement; arrows and Enter reach it', async ({ map, page }) => {
  await map.table('dwd.sale', '&statements=1');
  const insert = page.getByRole('button', { name: /^Statement: ods\.(sale|shop|sku), .* → dwd\.sale$/ });
  await expect(insert).toHaveCount(1);
  await map.card('dwd.sale').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.locator('.react-flow__node-process:focus')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary')).toContainText('coalesce(sku.category');
});

test('conditions over hub columns stay hidden, counted, until a switch shows them', async ({ map, page }) => {
  await map.table('ads.kpi', '&indirect=1');
  await expect(page.getByText('1 condition over a hub column is hidden.')).toBeVisible();
  await expect(map.card('dim.calendar')).toHaveCount(0);
  const before = await map.place('ads.kpi');
  await map.switch('hub columns too').click();
  await expect(map.card('dim.calendar')).toBeAttached();
  await map.expectAt('ads.kpi', before);
  expect(map.param('hubs')).toEqual(['1']);
  await map.switch('hub columns too').click();
  await expect(map.card('dim.calendar')).toHaveCount(0);
});

test('a table whose last write failed says so, on the card, in the list and by the lens', async ({ map, page }) => {
  await map.table('dws.city_day', '&lens=status&view=both');
  await expect(map.card('ads.kpi').getByText('failed')).toBeVisible();
  await expect(map.card('ads.kpi').getByText('failed')).toHaveAttribute('title', /^The last query that was to write it failed: 2026-01-23 05:00/);
  await expect(map.card('ads.board').getByText('failed')).toHaveCount(0);
  const legend = page.getByRole('note', { name: 'Legend' });
  await expect(legend.getByText('last write failed')).toBeVisible();
  await expect(page.getByRole('region', { name: 'List' }).locator('tr', { hasText: 'ads.kpi' })).toContainText('failed');
  await map.table('ads.kpi');
  await expect(page.locator('.facts')).toContainText('none went well since');
});

test('the owner is the catalog’s, else who writes the table most; the lens colours by him', async ({ map, page }) => {
  await map.table('dws.city_day', '&lens=owner&view=both');
  const legend = page.getByRole('note', { name: 'Legend' });
  await expect(legend.locator('li', { hasText: 'etl' })).toHaveText(/etl [1-9]/);
  await expect(legend.locator('li', { hasText: 'chen' })).toHaveText('chen 2');
  const rows = page.getByRole('region', { name: 'List' }).locator('tbody tr');
  await expect(rows.filter({ hasText: 'ads.kpi' })).toContainText('etl');
  await expect(rows.filter({ hasText: 'ads.board' })).toContainText('zhou');
  await page.getByPlaceholder('Filter').fill('owner:etl');
  await expect(rows.filter({ hasText: 'ads.board' })).toHaveCount(0);
  await expect(rows.filter({ hasText: 'ads.kpi' })).toHaveCount(1);
});

test('reasons and errors are told in Chinese on the Chinese page', async ({ map, page }) => {
  await page.addInitScript(() => location.protocol === 'http:' && localStorage.setItem('colline.language', 'zh'));
  await map.open('#/table?name=dws.city_day&source=ods.click_log&target=dws.city_day');
  await expect(page.getByRole('complementary').getByText('对目录里没有的表使用了星号；其字段未知。').first()).toBeVisible();
  await expect(page.locator('.line-mark.uncertain').locator('..').locator('title')).toHaveText(/对目录里没有的表使用了星号/);
  await map.open('#/table?name=dws.city_dya');
  await expect(page.getByRole('alert')).toContainText('没有这样的内容。');
  await expect(page.getByRole('alert').getByRole('link', { name: 'dws.city_day' })).toBeVisible();
});

test('a former name leads to the new one, and history tells who renamed it and what the catalog found', async ({ map, page }) => {
  await map.open('#/table?name=ads.board_old&tab=history');
  await expect(page.locator('.changes')).toContainText('renamed');
  await expect(page.locator('.changes')).toContainText('ads.board_old → ads.board · zhou');
  await page.locator('.table-head').getByRole('link', { name: 'ads.board' }).click();
  await expect(map.card('ads.board')).toBeVisible();
  await expect(page.locator('.table-head')).toContainText('Until 2026-01-13 06:00 it was called ads.board_old');
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.locator('.changes')).toContainText('float → double · by the catalog');
});
