// The page over the program itself, with the sample warehouse and its day of logs in the store.
import { execFileSync } from 'node:child_process';
import { expect, live as test } from './base';
import { makeStore, serve } from './live';

test('a hot table, its picture, and the next hop', async ({ map, page }) => {
  await map.open('#/');
  await page.locator('.hot').getByTitle('dws.dws_city_day', { exact: true }).click();
  await expect(map.card('dws.dws_city_day')).toBeVisible();
  await expect(map.card('ads.ads_city_board_day')).toBeVisible();
  await map.card('ads.ads_city_board_day').getByRole('button', { name: 'Show the one source of ads.ads_city_board_day' }).click();
  await map.whole();
  await expect(map.card('dim.dim_city')).toBeAttached();
});

test('a badge promises exactly what its hop brings, temporary tables beside it or not', async ({ map, page }) => {
  await map.table('dws.dws_city_day');
  const badge = map.card('dwd.dwd_trip_detail_di').locator('.hop-down');
  await expect(badge).toHaveText('+10'); // of 17 neighbours 4 are temporary, 3 are drawn
  await map.whole();
  const before = await map.names();
  await map.card('dwd.dwd_trip_detail_di').locator('.hop-down').click();
  await expect(badge).toHaveText('−');
  await map.whole();
  await expect.poll(async () => (await map.names()).length).toBe(before.length + 10);
  // Reads nothing but temporary tables' writers: nothing is promised that would not come.
  await map.table('dws.dws_rider_tag');
  await expect(page.locator('.card.is-focus .hop-down')).toHaveCount(0);
});

test('the statement behind an edge, as the engine confirmed it, with its expression in the SQL', async ({ map, page }) => {
  await map.table('dws.dws_city_day', '&source=dwd.dwd_trip_detail_di&target=dws.dws_city_day');
  const panel = page.getByRole('complementary');
  await expect(panel.getByText('confirmed by the engine’s log').first()).toBeVisible();
  await expect(panel.getByText('etl (1)')).toBeVisible();
  await panel.locator('tr', { hasText: 'income' }).getByRole('button').click();
  await expect(panel.locator('mark.strong')).toHaveText('sum(v.paid_amount)');
});

test('a column traced to the apps that delivered it, and the expression composed over four hops', async ({ map, page }) => {
  await map.open('#/column?name=ads.ads_city_board_day&column=income');
  const up = page.locator('.trace').first();
  for (const name of ['dws.dws_city_day.income', 'dwd.dwd_payment_di.net_amount', 'ods.ods_payment_di.discount', 'ods.ods_refund_di.amount']) await expect(up.getByTitle(name, { exact: true })).toBeVisible();
  await map.table('ads.ads_city_board_day', '&pin=ods.ods_payment_di!discount&pin=ads.ads_city_board_day!income');
  await expect(page.getByRole('complementary')).toContainText('4 hops from ods.ods_payment_di.discount to ads.ads_city_board_day.income');
  // Names that subqueries give are followed: `refunded` is a sum, `paid_amount` another one.
  await expect(page.locator('.composed code')).toHaveText('income = sum(nvl(sum(p.amount - nvl(p.discount, 0) - nvl(sum(amount), 0)), 0))');
});

test('temporary tables, indirect edges, all columns, dates: every switch is answered', async ({ map, page }) => {
  await map.table('dws.dws_city_day');
  await map.switch('temporary tables').click();
  await expect(map.card('tmp.city_watch')).toBeAttached();
  await map.switch('indirect').click();
  await map.switch('all columns').click();
  await map.whole();
  await expect(page.locator('.line.columns').first()).toBeAttached();
  await map.table('dws.dws_city_day', '&as_of=2024-06-30');
  await expect(page.getByText('As it was at the end of 2024-06-30.')).toBeVisible();
  await map.table('dws.dws_city_day', '&diff=2024-06-29..2024-07-01');
  await expect(page.locator('.line.change-added').first()).toBeAttached();
});

test('search by a Chinese comment; impact with its queries; a query with its marks', async ({ map, page }) => {
  await map.open('#/search?q=行程明细');
  await page.locator('.hits a').first().click();
  await expect(map.card('dwd.dwd_trip_detail_di')).toBeVisible();
  await page.getByRole('tab', { name: /Impact/ }).click();
  await expect(page.locator('section.block').nth(0)).toContainText('dws.dws_city_day');
  await page.locator('section.block').nth(1).locator('tbody a').first().click();
  await expect(page.locator('pre mark').first()).toBeVisible();
});

test('the playground analyses against the store', async ({ map, page }) => {
  await map.open('#/playground');
  await page.getByLabel('SQL text').fill('insert into ads.mine select city_code, income from dws.dws_city_day');
  await expect(page.locator('.statement-lineage')).toContainText('dws.dws_city_day.income');
  await expect(page.getByText('new edge').first()).toBeVisible();
  await page.getByLabel('SQL text').fill('alter table dws.dws_city_day change income income string');
  await expect(page.getByRole('heading', { name: /hit/ })).toBeVisible();
  await page.getByLabel('SQL text').fill('insert into ads.mine select from');
  await expect(page.locator('.statement-lineage .failure')).toContainText('Line 1');
});

test('an unknown table offers names like it, over the program too', async ({ map, page }) => {
  await map.open('#/table?name=dws.dws_city_dya');
  await page.getByRole('alert').getByRole('link', { name: 'dws.dws_city_day' }).click();
  await expect(map.card('dws.dws_city_day')).toBeVisible();
});

const PAGES: Record<string, string> = {
  home: '#/',
  picture: '#/table?name=dws.dws_city_day&lens=layer',
  columns: '#/table?name=dws.dws_city_day&tab=columns',
  impact: '#/table?name=dwd.dwd_trip_detail_di&tab=impact',
  queries: '#/table?name=dwd.dwd_trip_detail_di&tab=queries',
  history: '#/table?name=dwd.dwd_trip_detail_di&tab=history',
  list: '#/table?name=dwd.dwd_trip_detail_di&view=both&lens=heat',
  edge: '#/table?name=dws.dws_city_day&source=dwd.dwd_trip_detail_di&target=dws.dws_city_day',
  path: '#/table?name=ads.ads_city_board_day&depth=3&pin=ods.ods_payment_di!discount&pin=ads.ads_city_board_day!income',
  opened: '#/table?name=dws.dws_city_day&cols=dws.dws_city_day&cols=ads.ads_city_board_day&pin=dws.dws_city_day!income',
  diff: '#/table?name=dws.dws_city_day&diff=2024-06-29..2024-07-01&group=database',
  column: '#/column?name=ads.ads_city_board_day&column=income',
  search: '#/search?q=city',
  playground: '#/playground?sql=insert+into+ads.mine+select+city_code,+income+from+dws.dws_city_day',
  health: '#/health',
  statements: '#/table?name=dwd.dwd_trip_detail_di&statements=1&lens=owner',
  failed: '#/table?name=dws.dws_rider_tag&lens=status&indirect=1',
  grouped: '#/table?name=dwd.dwd_trip_detail_di&group=database&lens=freshness&depth=2',
  checks: '#/table?name=ods.ods_payment_di&tab=checks',
  trail: '#/table?name=dwd.dwd_payment_di&check=ods.ods_payment_di&lens=quality',
  owners: '#/table?name=dwd.dwd_trip_detail_di&group=owner',
  unknown: '#/table?name=dws.dws_city_dya',
};

// Pictures of every page in both languages, light and dark, for people to look at: web/artifacts.
for (const language of ['en', 'zh'] as const)
  test(`pictures of every page, ${language}`, async ({ page, baseURL }) => {
    test.setTimeout(150_000);
    await page.addInitScript((one) => location.protocol === 'http:' && localStorage.setItem('colline.language', one), language);
    const write = (await (await page.request.get(`${baseURL}/api/v1/queries?name=dws.dws_city_day&role=write`)).json()).items[0].query_id as string;
    for (const [name, hash] of Object.entries({ ...PAGES, query: `#/query?id=${encodeURIComponent(write)}` })) {
      await page.goto('about:blank');
      await page.goto(`/${hash}`);
      await expect(page.locator('main h1, main [role=alert]').first()).toBeVisible();
      if (/table\?(?!.*tab=)/.test(hash) && name !== 'unknown') await expect(page.locator('.card').first()).toBeVisible();
      await page.waitForLoadState('networkidle');
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        await expect(page.locator('html')).toHaveAttribute('data-theme', scheme);
        await page.screenshot({ path: `artifacts/${name}-${language}-${scheme}.png` });
      }
    }
  });

test('a store of a newer version: what is wrong and what to do stands on the page', async ({ page }) => {
  const { address, stop } = await serve((folder) => {
    const store = makeStore(folder);
    execFileSync('python3', ['-c', "import sqlite3, sys\ndb = sqlite3.connect(sys.argv[1])\ndb.execute(\"update number set value = 99 where name = 'schema_version'\")\ndb.commit()", store]);
    return store;
  });
  for (const hash of ['#/', '#/table?name=dws.dws_city_day', '#/search?q=city', '#/health']) {
    await page.goto(`${address}/${hash}`);
    await expect(page.getByRole('alert').first()).toContainText(/newer than this program, which knows versions up to \d+: use the newer program/);
  }
  await stop();
});
