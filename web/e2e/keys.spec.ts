// Everything by the keyboard, and what assistive technology is told.
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './base';

test('/ leads to the search, arrows and Enter to a hit', async ({ map, page }) => {
  await map.open('#/');
  await expect(page.getByRole('heading', { name: 'Hot tables' })).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('收入');
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/(column|table)/);
});

test('arrows walk the graph, e expands, f focuses, c opens columns, Enter locks, Esc releases', async ({ map, page }) => {
  await map.table('dws.city_day');
  await map.card('dws.city_day').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(map.card('dwd.refund').or(map.card('dwd.sale')).or(map.card('ods.click_log')).and(page.locator(':focus'))).toHaveCount(1);
  await map.card('dwd.sale').focus();
  await page.keyboard.press('e');
  await map.whole();
  await expect(map.card('ods.sale')).toBeAttached();
  await map.card('dwd.sale').focus();
  await page.keyboard.press('c');
  await expect(map.card('dwd.sale').locator('.column').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.locator('.card.dim').first()).toBeAttached();
  await page.keyboard.press('Escape');
  await expect(page.locator('.card.dim')).toHaveCount(0);
  await page.keyboard.press('i');
  expect(map.param('indirect')).toEqual(['1']);
  await map.card('dwd.sale').focus();
  await page.keyboard.press('f');
  await expect.poll(() => map.param('name')).toEqual(['dwd.sale']);
});

test('an edge is reached and opened by the keyboard', async ({ map, page }) => {
  await map.table('dws.city_day');
  await map.edge('dwd.refund', 'dws.city_day').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: 'Statements behind the edge' })).toBeVisible();
});

test('? lists the keys', async ({ map, page }) => {
  await map.table('dws.city_day');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('lock its path');
});

const PAGES: Record<string, string> = {
  home: '#/',
  picture: '#/table?name=dws.city_day&cols=dws.city_day&lens=layer&indirect=1',
  statements: '#/table?name=dws.city_day&statements=1&lens=status&indirect=1',
  list: '#/table?name=dws.city_day&view=both',
  edge: '#/table?name=dws.city_day&source=dwd.refund&target=dws.city_day',
  columns: '#/table?name=dwd.sale&tab=columns',
  impact: '#/table?name=dwd.sale&tab=impact',
  queries: '#/table?name=dwd.sale&tab=queries',
  history: '#/table?name=dwd.sale&tab=history',
  checks: '#/table?name=ods.sale&tab=checks',
  trail: '#/table?name=dwd.sale&check=ods.sale&lens=quality&group=project',
  column: '#/column?name=dws.city_day&column=income',
  query: '#/query?id=q_4_0',
  search: '#/search?q=city',
  playground: '#/playground?sql=insert+into+ads.vip+select+city+from+dwd.sale',
  health: '#/health',
  unknown: '#/table?name=dws.city_dya',
};

for (const [name, hash] of Object.entries(PAGES))
  test(`${name} is accessible, light and dark`, async ({ map, page }) => {
    await map.open(hash);
    await expect(page.locator('main h1, main [role=alert]').first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    if (hash.includes('table?') && !hash.includes('tab=') && name !== 'unknown') await expect(page.locator('.card').first()).toBeVisible();
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await expect(page.locator('html')).toHaveAttribute('data-theme', scheme);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).slice(0, 3).join('; ')}`)).toEqual([]);
    }
  });
