// What is too much for a picture: a hub that 20,000 tables read, a table of 5,000 columns. Over the program itself.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, over } from './base';
import { PROGRAM } from './live';

const READERS = 20_000;
const COLUMNS = 5_000;
const READ = 60; // of the readers are read themselves, the last of them most

const ODD = 'odd "n" & <b>表</b> 1';

const reader = (index: number): string => `mart.reader_${String(index).padStart(5, '0')}`;
const column = (index: number): string => `c${String(index).padStart(4, '0')}`;

const query = (number: number, table: string) => ({
  v: 1, query_id: `q${number}`, revision: 1, generation: 0, namespace: 'n', engine: 'impala', user: 'lin', database: 'default', status: 'OK', operation_type: 'SELECT',
  input_tables: [table], output_tables: [], sql: `select * from ${table}`, event_time: 1769000000000 + number * 1000, processing_time: 1769000000000 + number * 1000 + 5,
  sources: [{ source: 'hive-hook', host: 'h', kinds: ['QUERY'] }], is_valid: true,
});

function makeLarge(folder: string): string {
  const file = (name: string, lines: string[]) => (writeFileSync(join(folder, name), lines.join('\n') + '\n'), join(folder, name));
  const store = join(folder, 'large.db');
  const columns = Array.from({ length: COLUMNS }, (_, index) => `${column(index)} ${index % 3 ? 'string' : 'decimal(18,2)'} comment '特征 ${index}'`);
  const ddl = file('all.hql', ['create table hub.big (k bigint, v double, ds string);', `create table wide.t (${columns.join(', ')});`]);
  const scripts = Array.from({ length: READERS }, (_, index) => JSON.stringify({ id: `r${index}`, sql: `insert into ${reader(index)} select k, v from hub.big` }));
  const every = Array.from({ length: COLUMNS / 2 }, (_, index) => column(index * 2)).join(', ');
  const odd = JSON.stringify({ id: 'odd', sql: `insert into ads.\`${ODD}\` select c0000 as \`列 <i>\` from wide.t` });
  const input = [...scripts, odd, JSON.stringify({ id: 'w', sql: `insert into wide.copy select ${every} from wide.t` })].join('\n') + '\n';
  const documents = file('documents.jsonl', [execFileSync(PROGRAM, ['lineage', '--batch', '-d', 'hive'], { input, maxBuffer: 1 << 28, stdio: ['pipe', 'pipe', 'ignore'] }).toString().trim()]);
  let number = 0;
  const events = Array.from({ length: READ }, (_, index) => Array.from({ length: index + 1 }, () => JSON.stringify(query(number++, reader(index * 300))))).flat();
  const load = (...words: string[]) => execFileSync(PROGRAM, ['load', '--store', store, '--namespace', 'n', ...words], { stdio: 'ignore' });
  load('--catalog', ddl, '--from', file('events.jsonl', events));
  load('--documents', documents);
  return store;
}

const test = over(makeLarge);
test.describe.configure({ mode: 'serial' });

test('a hub of 20,000 readers: counted before anything is opened, the hottest drawn, the others in a stack', async ({ map, page }) => {
  await map.table('hub.big');
  await expect(page.locator('.facts')).toContainText('20,000 / 20,000');
  await expect(map.cards()).toHaveCount(13);
  await expect(map.card(reader(59 * 300))).toBeVisible();
  const stack = page.getByRole('button', { name: '19,988 more tables in mart' });
  await stack.click();
  const list = page.getByRole('dialog').locator('.stack-list');
  await expect(list.getByRole('listitem').first()).toContainText(`${reader(47 * 300)}48`);
  expect(await list.getByRole('listitem').count()).toBeLessThan(80);
  // Scrolling to the end brings the next page; looking for a name all of them.
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(list.getByRole('listitem').first()).not.toContainText(reader(47 * 300));
  await page.getByPlaceholder('Find a table').fill('reader_19999');
  await expect(list.getByRole('listitem')).toHaveCount(1, { timeout: 30_000 });
  await list.getByRole('checkbox').check();
  await page.keyboard.press('Escape');
  await expect(map.card(reader(19_999))).toBeAttached();
  await expect(map.cards()).toHaveCount(14);
});

test('the hub’s list is cut and says so; its impact is counted, hottest first', async ({ map, page }) => {
  await map.open('#/table?name=hub.big&view=list');
  await expect(page.getByText('18,000 more are too many for a list')).toBeVisible();
  await expect(page.getByRole('region', { name: 'List' }).locator('tbody tr').first()).toContainText(reader(59 * 300));
  await map.open('#/table?name=hub.big&tab=impact');
  await expect(page.locator('section.block').first()).toContainText('20,000 in all');
  await expect(page.locator('section.block').first().locator('tbody tr').first()).toContainText(reader(59 * 300));
});

test('a table of 5,000 columns: closed, used ones first, searched, drawn where they can be seen', async ({ map, page }) => {
  await map.table('wide.t');
  const card = map.card('wide.t');
  await card.getByRole('button', { name: '5,000 columns of wide.t' }).click();
  await expect(card.locator('.column')).toHaveCount(15);
  await expect(card.getByRole('button', { name: '4,986 more' })).toBeVisible();
  await card.getByRole('searchbox').fill('4999');
  await expect(card.locator('.column')).toHaveText([/^c4999string/]);
  await map.open('#/table?name=wide.t&tab=columns');
  await expect(page.getByText('5,000 in all')).toBeVisible();
  const table = page.getByRole('table', { name: 'Columns' });
  await expect(table).toHaveAttribute('aria-rowcount', '5001');
  expect(await table.locator('tbody tr').count()).toBeLessThan(100);
  await page.locator('.scroll.long').evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(table.getByRole('link', { name: 'c4999' })).toBeVisible();
  expect(await table.locator('tbody tr').count()).toBeLessThan(100);
});

test('all columns of wide tables open to what a card can show, and lines to the rest end at its last row', async ({ map, page }) => {
  await map.table('wide.t', '&cols=*');
  const card = map.card('wide.t');
  await expect(card.locator('.column')).toHaveCount(31, { timeout: 20_000 });
  await expect(card.getByRole('button', { name: '4,970 more' })).toBeAttached();
  await expect(map.edge('wide.t', 'wide.copy').locator('.line.columns')).toBeAttached();
});

test('names with quotes, blanks, Chinese and HTML stay names, from the store to the page', async ({ map, page }) => {
  await map.open(`#/search?q=${encodeURIComponent('<b>表')}`);
  await page.locator('.hits a').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`ads.${ODD}`);
  await expect(page.locator('h1 b')).toHaveCount(0);
  const card = map.card(`ads.${ODD}`);
  await expect(card).toBeVisible();
  await card.getByRole('button', { name: `The one column of ads.${ODD}` }).click();
  await expect(card.locator('.column')).toHaveText(/^列 <i>/);
  await card.locator('.column').click();
  await expect(page.getByRole('button', { name: /Release/ })).toBeVisible();
  await expect(map.card('wide.t').locator('.card')).toHaveClass(/lit/);
  await page.getByRole('tab', { name: /Columns/ }).click();
  await page.getByRole('link', { name: '列 <i>' }).click();
  await expect(page.locator('.trace').first()).toContainText('wide.t.c0000');
});
