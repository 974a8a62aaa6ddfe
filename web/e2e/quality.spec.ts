// What a failed check shows: a badge, the way of the bad data, who is hit and whom to tell; and groups.
import type { Page } from '@playwright/test';
import { expect, test } from './base';

const badge = (page: Page, name: string) => page.getByRole('button', { name: `A check of ${name} failed: show it and who is hit` });
const panelOf = (page: Page, name: string) => page.getByRole('complementary', { name: `Checks of ${name}` });

test('a failed check is a badge on its card; picked, a thin red trail leads along the affected column only', async ({ map, page }) => {
  await map.table('dwd.sale', '&depth=2');
  await expect(badge(page, 'ods.sale')).toBeVisible();
  await expect(page.locator('.quality')).toHaveCount(1);
  const before = await map.place('dwd.sale');
  await badge(page, 'ods.sale').click();
  await expect(panelOf(page, 'ods.sale')).toBeVisible();
  await map.expectAt('dwd.sale', before);
  const trail = (source: string, target: string) => map.edge(source, target).locator('.line.trail');
  await expect(trail('ods.sale', 'dwd.sale')).toHaveCount(1);
  await expect(trail('dwd.sale', 'dws.city_day')).toHaveCount(1); // through a temporary table
  await expect(map.card('dws.city_day').locator('.card.hit')).toContainText('income');
  await expect(trail('ods.shop', 'dwd.sale')).toHaveCount(0);
  await expect(map.card('dwd.refund').locator('.card.hit')).toHaveCount(0); // made of another column
  await expect(page.getByRole('note', { name: 'Legend' })).toContainText('the way of the bad data');
  const colour = await trail('ods.sale', 'dwd.sale').locator('.line-drawn').first().evaluate((line) => [getComputedStyle(line).stroke, getComputedStyle(line).strokeWidth]);
  expect(colour).toEqual(['rgb(179, 38, 30)', '1.4px']);
  expect(map.param('check')).toEqual(['ods.sale']);
  await page.keyboard.press('Escape');
  await expect(panelOf(page, 'ods.sale')).toHaveCount(0);
  await expect(page.locator('.line.trail')).toHaveCount(0);
});

test('with columns open the trail joins the very columns', async ({ map, page }) => {
  await map.table('dwd.sale', '&check=ods.sale&cols=dwd.sale&cols=ods.sale');
  await expect(map.edge('ods.sale', 'dwd.sale').locator('.line-drawn.trail')).toHaveCount(1);
  await expect(map.card('dwd.sale').locator('.column.hit')).toHaveText(/^amount/);
  await expect(map.card('ods.sale').locator('.column.hit')).toHaveText(/^price/);
});

test('who is hit: tables, columns, owners and readers, to write to and to copy', async ({ map, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await map.table('dwd.sale', '&check=ods.sale');
  const panel = panelOf(page, 'ods.sale');
  await expect(panel.getByRole('button', { name: /failed.*price.*not_negative.*3 of 1,204 rows/ })).toHaveAttribute('aria-pressed', 'true');
  const hit = panel.getByRole('region', { name: 'Who is hit' });
  const rows = hit.locator('tbody tr');
  await expect(rows.first()).toContainText('ods.sale');
  await expect(rows.first().locator('td').first()).toHaveText('0');
  await expect(rows.filter({ hasText: 'dws.city_day' })).toContainText('chen');
  await expect(rows.filter({ hasText: 'ads.board' }).filter({ hasText: 'income' })).toContainText('zhou');
  await expect(rows.filter({ hasText: 'dwd.refund' })).toHaveCount(0);
  const notify = hit.getByRole('link', { name: 'Write to 1 owner…' });
  const mail = decodeURIComponent((await notify.getAttribute('href'))!);
  expect(mail).toMatch(/^mailto:post@bakery\.example\?subject=Bad data in ods\.sale\.price&body=The check not_negative of ods\.sale\.price failed at 2026-01-23 05:30/);
  expect(mail).toContain('dws.city_day (income, avg_ticket)');
  await hit.getByRole('button', { name: 'Copy the list' }).click();
  await expect(hit.getByText('Copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('ads.city_mail\tbody\tpost@bakery.example\t');
  // one that passed hits nobody
  await panel.getByRole('button', { name: /passed.*unique/ }).click();
  await expect(panel.getByText('This check passed: nobody is hit.')).toBeVisible();
  expect(map.param('check')).toEqual(['ods.sale!id!unique']);
  await page.reload();
  await expect(panel.getByRole('button', { name: /passed.*unique/ })).toHaveAttribute('aria-pressed', 'true');
});

test('a check of the whole table leads along its edges; by the keyboard', async ({ map, page }) => {
  await map.table('dwd.sale');
  await map.card('ods.sku').focus();
  await page.keyboard.press('q');
  const panel = panelOf(page, 'ods.sku');
  await expect(panel.getByText('31 % fewer rows than a week ago')).toBeVisible();
  await expect(map.edge('ods.sku', 'dwd.sale').locator('.line.trail')).toHaveCount(1);
  await expect(map.edge('ods.sale', 'dwd.sale').locator('.line.trail')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
});

test('the lens of quality colours by the worst check, with its legend', async ({ map, page }) => {
  await map.table('dwd.sale');
  await page.getByLabel('lens').selectOption('quality');
  const legend = page.getByRole('note', { name: 'Legend' });
  await expect(legend.locator('.legend-title')).toHaveText('quality');
  for (const text of ['a check failed 1', 'a check warns 1', /not checked \d+/]) await expect(legend.locator('li', { hasText: text })).toBeVisible();
  expect(await map.card('ods.sale').locator('.card').evaluate((card) => card.style.getPropertyValue('--tint'))).toBe('var(--status-failed)');
  expect(map.param('lens')).toEqual(['quality']);
});

test('the list beside the picture marks and filters what failed', async ({ map, page }) => {
  await map.table('dws.city_day', '&view=both&side=up');
  const list = page.getByRole('region', { name: 'List' });
  await list.getByPlaceholder('Filter').fill('quality:fail');
  await expect(list.locator('tbody tr')).toHaveCount(1);
  await list.getByRole('button', { name: 'A check of ods.sale failed: show it and who is hit' }).click();
  await expect(panelOf(page, 'ods.sale')).toBeVisible();
  expect(map.param('check')).toEqual(['ods.sale']);
});

test('the page of a table has its checks, which lead into the map', async ({ map, page }) => {
  await map.open('#/table?name=ods.sale');
  await page.getByRole('tab', { name: 'Checks 1' }).click();
  await expect(page.locator('.checks li')).toHaveCount(2);
  await expect(page.getByRole('region', { name: 'Who is hit' }).locator('tbody tr').first()).toContainText('ods.sale');
  await page.getByRole('button', { name: /passed.*unique/ }).click();
  await expect(page.getByText('nobody is hit')).toBeVisible();
  await page.getByRole('button', { name: /failed.*price/ }).click();
  await page.getByRole('link', { name: 'Show in the map' }).click();
  await expect(map.edge('ods.sale', 'dwd.sale').locator('.line.trail')).toHaveCount(1);
  await map.open('#/table?name=dwd.click&tab=checks');
  await expect(page.getByText('No check of it is known.')).toBeVisible();
});

test('in a narrow window the legend of a trail stands beside the controls', async ({ map, page }) => {
  await page.setViewportSize({ width: 1000, height: 700 });
  await map.table('dwd.sale', '&check=ods.sale&lens=quality&indirect=1');
  const legend = (await page.getByRole('note', { name: 'Legend' }).boundingBox())!;
  const controls = (await page.locator('.controls').boundingBox())!;
  expect(legend.x + legend.width).toBeLessThan(controls.x);
});

test('the first page names what failed, and leads to its trail', async ({ map, page }) => {
  await map.open('#/');
  await page.getByRole('link', { name: 'ods.sale.price' }).click();
  await expect(map.edge('ods.sale', 'dwd.sale').locator('.line.trail')).toHaveCount(1);
  await expect(panelOf(page, 'ods.sale')).toBeVisible();
});

test('tables are grouped by owner or by project, and a group closes', async ({ map, page }) => {
  await map.table('dws.city_day');
  await page.getByRole('combobox', { name: /^group/ }).selectOption('owner');
  const zhou = page.locator('.react-flow__node.frame', { hasText: 'zhou' });
  await expect(zhou.first()).toBeAttached();
  await zhou.getByRole('button', { name: /zhou/ }).first().click();
  await expect(map.card('ads.board')).toHaveCount(0);
  await expect(page.locator('.group.shut')).toContainText('zhou');
  expect([map.param('group'), map.param('shut')]).toEqual([['owner'], ['zhou']]);
  await page.reload();
  await expect(page.locator('.group.shut')).toContainText('zhou');
  await page.getByRole('combobox', { name: /^group/ }).selectOption('project');
  await expect(page.locator('.group.shut')).toHaveCount(0);
  await expect(map.card('ads.board')).toBeAttached();
  await expect(page.locator('.react-flow__node.frame', { hasText: 'ads' }).first()).toBeAttached();
  await page.getByRole('combobox', { name: /^group/ }).selectOption('');
  await expect(page.locator('.react-flow__node.frame')).toHaveCount(0);
});
