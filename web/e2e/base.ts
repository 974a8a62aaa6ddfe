// What all tests of the page share: a server, and the words for what a person does.
import { test as plain, expect, type Locator, type Page } from '@playwright/test';
import { bakery } from '../mock/bakery.mjs';
import { start } from '../mock/server.mjs';
import { makeStore, serve } from './live';

export { expect };

export class Map {
  constructor(readonly page: Page) {}

  async open(hash: string): Promise<void> {
    await this.page.goto(`/${hash}`);
  }

  async table(name: string, more = ''): Promise<void> {
    await this.open(`#/table?name=${encodeURIComponent(name)}${more}`);
    await expect(this.card(name)).toBeVisible();
  }

  card(name: string): Locator {
    return this.page.locator('.react-flow__node-table', { has: this.page.locator(`button.card-name[title^="${name.replace(/"/g, '\\"')}"]`) });
  }

  edge(source: string, target: string): Locator {
    return this.page.getByRole('group', { name: `From ${source} to ${target}`, exact: true });
  }

  cards(): Locator {
    return this.page.locator('.react-flow__node-table');
  }

  names(): Promise<string[]> {
    return this.page.locator('.card-name').evaluateAll((list) => list.map((one) => (one.getAttribute('title') ?? '').split('\n')[0]!).sort());
  }

  // Zooms out until everything is in sight: what is out of sight is not in the page.
  async whole(): Promise<void> {
    await this.page.getByRole('button', { name: 'The whole picture' }).click();
  }

  async expectAt(name: string, place: { x: number; y: number }): Promise<void> {
    const now = await this.place(name);
    expect(Math.abs(now.x - place.x) + Math.abs(now.y - place.y)).toBeLessThanOrEqual(3);
  }

  // Where a card is on the screen, rounded.
  async place(name: string): Promise<{ x: number; y: number }> {
    const box = (await this.card(name).boundingBox())!;
    return { x: Math.round(box.x), y: Math.round(box.y) };
  }

  switch(label: string): Locator {
    return this.page.getByRole('switch', { name: label });
  }

  param(name: string): string[] {
    const hash = new URL(this.page.url()).hash;
    return new URLSearchParams(hash.slice(hash.indexOf('?') + 1)).getAll(name);
  }
}

const withServer = plain.extend<{ map: Map; faults: string[] }, { server: string }>({
  server: [
    async ({}, use) => {
      const server = await start(bakery());
      const address = server.address();
      await use(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`);
      server.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server),
  // No page may log an error, nor break its content security policy.
  faults: [
    async ({ page }, use) => {
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (message) => message.type() === 'error' && !/the server responded with a status of|Failed to load resource/.test(message.text()) && faults.push(message.text()));
      await use(faults);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
  map: async ({ page }, use) => use(new Map(page)),
});

// Over the stand-in server, whose warehouse has every oddity.
export const test = withServer;

// Over the program itself, with a store that `make` makes in a folder.
export const over = (make: (folder: string) => string) =>
  withServer.extend<object, { server: string }>({
    server: [
      async ({}, use) => {
        const { address, stop } = await serve(make);
        await use(address);
        await stop();
      },
      { scope: 'worker' },
    ],
  });

export const live = over(makeStore);
