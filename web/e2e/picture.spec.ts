// The picture: what is drawn, opened, locked, switched.
import { expect, Map, test } from './base';

test('opens with the table and one hop each way', async ({ map }) => {
  await map.table('dws.city_day');
  await expect(map.cards()).toHaveCount(9);
  expect(await map.names()).toEqual(['ads.board', 'ads.city_mail', 'ads.kpi', 'ads.odd "names" & <b>标签</b>', 'dwd.refund', 'dwd.sale', 'dws.city_day', 'hdfs://nn/export/city', 'ods.click_log']);
});

test('a badge says how many more there are, and loads that hop only', async ({ map, page }) => {
  await map.table('dws.city_day');
  const badge = map.card('dwd.sale').getByRole('button', { name: 'Show 3 sources of dwd.sale' });
  await expect(badge).toHaveText('+3');
  const before = await map.place('dws.city_day');
  await badge.click();
  expect(map.param('up')).toEqual(['dwd.sale']);
  await map.expectAt('dws.city_day', before);
  await map.whole();
  for (const name of ['ods.sale', 'ods.shop', 'ods.sku']) await expect(map.card(name)).toBeAttached();
  await expect(map.cards()).toHaveCount(12);
  await map.card('dwd.sale').getByRole('button', { name: 'Hide the sources of dwd.sale' }).click();
  await expect(map.cards()).toHaveCount(9);
  await page.goBack();
  await expect(map.cards()).toHaveCount(12);
});

test('siblings of a hub stack into a list sorted by heat, to pick from', async ({ map, page }) => {
  await map.table('dim.city');
  await expect(page.locator('.stack')).toHaveCount(3);
  await expect(page.getByRole('button', { name: '16 more tables in dm' })).toBeVisible();
  await page.getByRole('button', { name: '16 more tables in dm' }).click();
  const list = page.getByRole('dialog').locator('.stack-list').getByRole('listitem');
  await expect(list).toHaveCount(16);
  await expect(list.first()).toContainText('dm.city_part_12');
  await page.getByRole('dialog').getByRole('checkbox').nth(1).check();
  await page.keyboard.press('Escape');
  await expect(map.card('dm.city_part_15')).toBeAttached();
  await expect(page.getByRole('button', { name: '15 more tables in dm' })).toBeAttached();
});

test('columns are closed, open with used ones first, and are searched within the table', async ({ map, page }) => {
  await map.table('dwd.sale');
  const card = map.card('dwd.sale');
  await expect(card.locator('.column')).toHaveCount(0);
  await card.getByRole('button', { name: '10 columns of dwd.sale' }).click();
  await expect(card.locator('.column')).toHaveCount(10);
  await expect(card.locator('.column').first()).toContainText('amount');
  await card.getByRole('searchbox').fill('城市');
  await expect(card.locator('.column')).toHaveCount(1);
  await expect(card.locator('.column')).toContainText('city');
  await page.goto('/#/table?name=dwd.wide&cols=dwd.wide');
  const wide = map.card('dwd.wide');
  await expect(wide.getByRole('button', { name: '286 more' })).toBeVisible();
  await wide.getByRole('searchbox').fill('f299');
  await expect(wide.locator('.column')).toHaveText(['f299double']);
});

test('opening columns moves neither the card nor the view', async ({ map }) => {
  await map.table('dws.city_day');
  const [sale, day] = [await map.place('dwd.sale'), await map.place('dws.city_day')];
  await map.card('dws.city_day').getByRole('button', { name: '6 columns of dws.city_day' }).click();
  await expect(map.card('dws.city_day').locator('.column')).toHaveCount(6);
  await map.expectAt('dwd.sale', sale);
  await map.expectAt('dws.city_day', day);
});

test('a picked column shows its path only, several can be pinned, Esc releases', async ({ map, page }) => {
  await map.table('dws.city_day', '&cols=dws.city_day&cols=ads.board');
  const day = map.card('dws.city_day');
  const before = await map.place('dwd.refund');
  await day.getByRole('button', { name: 'refund' }).click();
  await expect(page.getByRole('button', { name: /Release/ })).toBeVisible();
  await map.expectAt('dwd.refund', before);
  await expect(map.card('dwd.refund').locator('.card')).toHaveClass(/lit/);
  await expect(map.card('ads.board').locator('.card')).toHaveClass(/dim/);
  await expect(map.edge('dwd.refund', 'dws.city_day').locator('.line')).toHaveClass(/lit/);
  await expect(map.edge('dws.city_day', 'ads.board').locator('.line')).toHaveClass(/dim/);
  await day.getByRole('button', { name: /^income/ }).click({ modifiers: ['Shift'] });
  await expect(page.getByRole('complementary', { name: 'Path' })).toBeVisible();
  await map.whole();
  await expect(map.card('ads.board').locator('.card')).toHaveClass(/lit/);
  await expect(map.card('ads.board').locator('.column.lit')).toHaveText([/income/, /growth/]);
  expect(map.param('pin')).toEqual(['dws.city_day!refund', 'dws.city_day!income']);
  await expect(page.getByRole('button', { name: /Release/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('.card.dim')).toHaveCount(0);
  expect(map.param('pin')).toEqual([]);
});

test('a path that goes on beyond the picture says so, and is drawn when asked', async ({ map, page }) => {
  await map.table('ads.board', '&cols=ads.board');
  await map.card('ads.board').getByRole('button', { name: /^income/ }).click();
  await expect(page.getByText('The locked path leads through 3 tables that are not drawn.')).toBeVisible();
  await page.getByRole('button', { name: 'Draw the whole path' }).click();
  await map.whole();
  await expect(map.card('ods.sale')).toBeAttached();
  await expect(page.getByText(/tables that are not drawn/)).toHaveCount(0);
});

test('a picked table locks its path and dims the rest', async ({ map }) => {
  await map.table('dws.city_day');
  await map.card('dwd.refund').locator('.card-name').click();
  await expect(map.card('ods.click_log').locator('.card')).toHaveClass(/dim/);
  await expect(map.card('ads.kpi').locator('.card')).toHaveClass(/lit/);
});

test('indirect edges are dotted, and off until switched on; the view stays', async ({ map }) => {
  await map.table('ads.board');
  await expect(map.card('dim.city')).toHaveCount(0);
  const before = await map.place('ads.board');
  await map.switch('indirect').click();
  await expect(map.card('dim.city')).toBeAttached();
  const line = map.edge('dim.city', 'ads.board').locator('.line-drawn');
  await expect(line).toHaveCSS('stroke-dasharray', /1px, 5px/);
  await map.expectAt('ads.board', before);
  await map.switch('indirect').click();
  await expect(map.card('dim.city')).toHaveCount(0);
});

test('temporary tables are collapsed into the path; a switch shows them', async ({ map }) => {
  await map.table('dws.city_day');
  await expect(map.card('tmp.sale_stage')).toHaveCount(0);
  await expect(map.edge('dwd.sale', 'dws.city_day').locator('title')).toHaveText('⋯ tmp.sale_stage');
  await map.switch('temporary tables').click();
  await expect(map.card('tmp.sale_stage')).toBeAttached();
  await expect(map.card('dwd.sale')).toHaveCount(0);
});

test('dropped tables are hidden; a switch shows them', async ({ map }) => {
  await map.table('dws.city_day');
  await expect(map.card('ads.city_fax')).toHaveCount(0);
  await map.switch('dropped tables').click();
  await map.whole();
  await expect(map.card('ads.city_fax').getByText('dropped')).toBeVisible();
  await map.switch('dropped tables').click();
  await expect(map.card('ads.city_fax')).toHaveCount(0);
  await map.table('dws.city_day', '&as_of=2026-01-05');
  await expect(map.card('ads.board_old').getByText('dropped')).toBeAttached();
});

test('an uncertain edge is marked, with the reason; a script-only one looks so', async ({ map, page }) => {
  await map.table('dws.city_day');
  const edge = map.edge('ods.click_log', 'dws.city_day');
  await expect(edge.locator('title')).toHaveText(/its star stays open/);
  await expect(edge.locator('.line-mark.uncertain')).toBeVisible();
  await expect(edge.locator('.line')).toHaveClass(/seen-script/);
  await edge.locator('.line-hit').click();
  const panel = page.getByRole('complementary');
  await expect(panel.getByText('only in a script').first()).toBeVisible();
  await expect(panel.getByText(/its star stays open/).first()).toBeVisible();
  await expect(panel.getByText('etl/city_from_log.hql')).toBeVisible();
});

test('an edge tells its statements, with the expression highlighted in the SQL', async ({ map, page }) => {
  await map.table('dws.city_day');
  await map.edge('dwd.refund', 'dws.city_day').locator('.line-hit').dispatchEvent('click');
  const panel = page.getByRole('complementary');
  await expect(panel.getByRole('heading', { name: 'dwd.refund → dws.city_day' })).toBeVisible();
  await expect(panel.getByText('31 times').first()).toBeVisible();
  await expect(panel.getByText('etl (30), lin (1)')).toBeVisible();
  await expect(panel.getByText('2026-01-23 00:00').first()).toBeVisible();
  await expect(panel.locator('mark.strong')).toHaveText('sum(refund.amount)');
  expect([map.param('source'), map.param('target')]).toEqual([['dwd.refund'], ['dws.city_day']]);
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
});

test('the expression is composed across the hops between two pinned columns', async ({ map, page }) => {
  await map.table('dws.city_day', '&pin=ods.sale!price&pin=ads.board!income');
  const panel = page.getByRole('complementary', { name: 'Path' });
  await expect(panel.getByText('4 hops from ods.sale.price to ads.board.income')).toBeVisible();
  await expect(panel.locator('.composed code')).toContainText('sum(sum(cast(sale.price * sale.qty AS decimal(12,2))))');
});

test('evidence is told apart: confirmed by the engine’s log', async ({ map, page }) => {
  await map.table('ads.board', '&source=dws.city_day&target=ads.board');
  await expect(page.getByRole('complementary').getByText('confirmed by the engine’s log').first()).toBeVisible();
});

test('lenses colour the cards, one at a time, with a legend', async ({ map, page }) => {
  await map.table('dws.city_day');
  const legend = page.getByRole('note', { name: 'Legend' });
  for (const [lens, label] of [['heat', 'up to 1,000'], ['freshness', 'older'], ['engine', 'impala'], ['database', 'dwd'], ['layer', 'ods']] as const) {
    await page.getByLabel('lens').selectOption(lens);
    await expect(legend.getByText(label).first()).toBeVisible();
    await expect(legend.locator('.legend-title')).toHaveText(lens);
    expect(await map.card('dwd.sale').locator('.card').evaluate((card) => getComputedStyle(card).getPropertyValue('--tint'))).not.toBe('');
  }
});

test('tables are grouped by database, and a group closes', async ({ map, page }) => {
  await map.table('dws.city_day');
  await page.getByRole('combobox', { name: /^group/ }).selectOption('database');
  const group = page.locator('.react-flow__node.frame', { hasText: 'dwd' });
  await expect(group.getByText('2 tables')).toBeVisible();
  await group.getByRole('button', { name: /dwd/ }).click();
  await expect(map.card('dwd.sale')).toHaveCount(0);
  await expect(page.locator('.group.shut')).toContainText('dwd');
  await page.locator('.group.shut button').click();
  await expect(map.card('dwd.sale')).toBeAttached();
});

test('as of a date; and the difference of two: added green, gone dashed grey', async ({ map, page }) => {
  await map.table('dwd.sale', '&as_of=2026-01-10');
  await expect(page.getByText('As it was at the end of 2026-01-10.')).toBeVisible();
  await expect(map.card('dws.sku_month')).toHaveCount(0);
  await map.table('dwd.sale', '&diff=2026-01-10..2026-01-23');
  await expect(map.edge('dwd.sale', 'dws.sku_month').locator('.line')).toHaveClass(/change-added/);
  await expect(map.edge('dwd.sale', 'dws.sku_month').locator('.line-drawn')).toHaveCSS('stroke', 'rgb(19, 104, 48)');
  await map.table('dws.city_day', '&diff=2026-01-10..2026-01-23');
  await expect(map.edge('dws.city_day', 'ads.board_old').locator('.line-drawn')).toHaveCSS('stroke-dasharray', /7px, 5px/);
});

test('everything is in the address: a second window shows the same', async ({ map, page, context }) => {
  await map.table('dws.city_day');
  await map.card('dwd.sale').getByRole('button', { name: /Show 3 sources/ }).click();
  await map.card('dws.city_day').getByRole('button', { name: '6 columns of dws.city_day' }).click();
  await map.card('dws.city_day').getByRole('button', { name: /^income/ }).click();
  await page.getByLabel('lens').selectOption('layer');
  await page.mouse.move(700, 800);
  await page.mouse.wheel(0, 240);
  const transform = (one: typeof page) => one.locator('.react-flow__viewport').evaluate((element) => getComputedStyle(element).transform);
  const scale = (text: string) => Number(text.slice(7).split(',')[0]);
  await expect.poll(async () => Math.abs(Number(map.param('at')[0]?.split(',')[2]) - scale(await transform(page)))).toBeLessThan(0.01);
  const other = await context.newPage();
  await other.goto(page.url());
  const there = new Map(other);
  await expect(there.card('dws.city_day').locator('.column.lit').first()).toBeVisible();
  await there.expectAt('dws.city_day', await map.place('dws.city_day'));
  await expect(other.locator('.column.lit')).toHaveCount(await page.locator('.column.lit').count());
  expect(scale(await transform(other))).toBeCloseTo(scale(await transform(page)), 2);
  await there.whole();
  await expect(there.cards()).toHaveCount(12);
});

test('a saved view comes back', async ({ map, page }) => {
  await map.table('dws.city_day', '&lens=heat');
  await page.getByRole('button', { name: /^More/ }).click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  await page.getByLabel('Name of the view').fill('my heat');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await map.open('#/');
  await page.getByRole('link', { name: 'my heat' }).click();
  await expect(map.card('dws.city_day')).toBeVisible();
  expect(map.param('lens')).toEqual(['heat']);
});

test('the picture is downloaded as SVG and as PNG', async ({ map, page }) => {
  await map.table('dws.city_day');
  const take = async (label: string) => {
    await page.getByRole('button', { name: /More/ }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: label }).click()]);
    const { readFileSync } = await import('node:fs');
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
  };
  const svg = await take('Download as SVG');
  expect(svg.name).toBe('dws.city_day.svg');
  const text = svg.bytes.toString();
  for (const part of ['city_day', 'click_log', '&lt;b&gt;标签']) expect(text).toContain(part);
  expect(await page.evaluate((source) => new DOMParser().parseFromString(source, 'image/svg+xml').querySelector('parsererror') === null, text)).toBe(true);
  const png = await take('Download as PNG');
  expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(png.bytes.length).toBeGreaterThan(10_000);
});

test('the focus moves by double click', async ({ map }) => {
  await map.table('dws.city_day');
  await map.card('dwd.sale').locator('.card-name').dblclick();
  await expect(map.card('dws.sku_month')).toBeAttached();
  expect(map.param('name')).toEqual(['dwd.sale']);
});
