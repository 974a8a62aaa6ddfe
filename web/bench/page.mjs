// Measures the page with a picture of 150 tables of 20 columns and 3,000 column edges, in headless Chromium: the time to
// the first picture, frames a second while dragging and zooming, and what the scripts weigh. Ends with one JSON line.
//
//   node bench/page.mjs        CHROMIUM names the browser, else /usr/bin/chromium
import { chromium } from '@playwright/test';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { big } from '../mock/big.mjs';
import { start } from '../mock/server.mjs';

const RUNS = 5;
const SECONDS = 3;
const DIST = fileURLToPath(new URL('../dist/assets/', import.meta.url));
const warehouse = big();
const names = [...warehouse.tables.keys()].filter((name) => name !== 'dws.core');
const view = (more) => `#/table?${new URLSearchParams([['name', 'dws.core'], ['depth', '4'], ...names.map((name) => ['show', name]), ...more])}`;

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const weight = (ending) => readdirSync(DIST).filter((name) => name.endsWith(ending)).reduce((sum, name) => sum + gzipSync(readFileSync(DIST + name), { level: 9 }).length, 0);

// Says when the first cards were painted: the frame after they came.
function watch() {
  const seen = () => {
    if (document.querySelectorAll('.react-flow__node').length === 0 || document.querySelectorAll('.react-flow__edge').length === 0) return requestAnimationFrame(seen);
    requestAnimationFrame(() => setTimeout(() => (window.firstPicture = performance.now())));
  };
  requestAnimationFrame(seen);
}

// Drags, or turns the wheel, in every frame for a while; gives frames a second.
function move([kind, seconds]) {
  const pane = document.querySelector('.react-flow__pane');
  const box = pane.getBoundingClientRect();
  const centre = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
  const mouse = (type, target, at) => target.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, view: window, button: 0, buttons: 1, ...at }));
  return new Promise((done) => {
    const begin = performance.now();
    let frames = 0;
    if (kind === 'drag') mouse('mousedown', pane, centre);
    const frame = () => {
      const passed = performance.now() - begin;
      if (passed > seconds * 1000) {
        if (kind === 'drag') mouse('mouseup', window, centre);
        return done((frames * 1000) / passed);
      }
      frames += 1;
      const turn = (passed / 1000) * Math.PI;
      if (kind === 'drag') mouse('mousemove', window, { clientX: centre.clientX + 300 * Math.sin(turn), clientY: centre.clientY + 200 * Math.sin(turn * 0.7) });
      else pane.dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, deltaY: 6 * Math.cos(turn * 2), ...centre }));
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

async function open(browser, base, hash) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(watch);
  await page.goto(base + hash);
  await page.waitForFunction(() => window.firstPicture !== undefined, undefined, { timeout: 30_000 });
  return { page, first: await page.evaluate(() => window.firstPicture) };
}

const server = await start(warehouse);
const base = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
const firsts = [];
const wholes = [];
for (let run = 0; run < RUNS; run++) {
  const closed = await open(browser, base, view([]));
  firsts.push(closed.first);
  await closed.page.close();
  const opened = await open(browser, base, view([['cols', '*']]));
  wholes.push(opened.first);
  await opened.page.close();
}

async function rates(more, button) {
  const { page } = await open(browser, base, view(more));
  await page.waitForTimeout(1500);
  await page.getByRole('button', { name: button }).click();
  await page.waitForTimeout(1000);
  const count = (selector) => page.locator(selector).count();
  const lines = await page.evaluate(() => [...document.querySelectorAll('.line.columns .line-drawn')].reduce((sum, path) => sum + (path.getAttribute('d').match(/M/g) ?? []).length, 0));
  const found = { cards: await count('.react-flow__node'), edges: await count('.react-flow__edge'), lines };
  found.drag = await page.evaluate(move, ['drag', SECONDS]);
  found.zoom = await page.evaluate(move, ['wheel', SECONDS]);
  await page.close();
  return found;
}

const near = await rates([['cols', '*']], 'Back to the focus');
const whole = await rates([], 'The whole picture');
await browser.close();
server.close();

const round = (n) => Math.round(n * 10) / 10;
console.log(
  JSON.stringify({
    bench: 'page',
    tables_drawn: whole.cards,
    table_edges_drawn: whole.edges,
    column_edges_near: near.lines,
    first_picture_ms: Math.round(median(firsts)),
    first_picture_all_columns_ms: Math.round(median(wholes)),
    whole_drag_fps: round(whole.drag),
    whole_zoom_fps: round(whole.zoom),
    near_drag_fps: round(near.drag),
    near_zoom_fps: round(near.zoom),
    scripts_gz_kb: round(weight('.js') / 1000),
    styles_gz_kb: round(weight('.css') / 1000),
  }),
);
process.exit(0);
