// The stand-in server answers as docs/openapi.yaml says, so that what works against it works against the program.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv/dist/2020';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { analyze, routes } from '../mock/answers.mjs';
import { bakery } from '../mock/bakery.mjs';

const description = parse(readFileSync(fileURLToPath(new URL('../../docs/openapi.yaml', import.meta.url)), 'utf8'), { merge: true, maxAliasCount: -1 });
const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'api', ...description });

const CASES: Record<string, string> = {
  '/search': 'q=城市',
  '/table': 'name=dws.city_day',
  '/columns': 'name=dws.city_day',
  '/graph': 'name=dws.city_day&depth=2&indirect=true',
  '/column-graph': 'name=dws.city_day&column=income&depth=9',
  '/column-edges': 'table=dws.city_day&table=ads.board',
  '/statements': 'table=dws.city_day&table=ads.board&table=dwd.refund',
  '/hop-counts': 'table=dws.city_day',
  '/owners': 'table=dws.city_day&table=ads.kpi',
  '/edge': 'source=dws.city_day&target=ads.board',
  '/who-is-hit': 'name=ods.sale&column=price',
  '/path': 'source=ods.sale&target=ads.board&source_column=price&target_column=income',
  '/impact': 'name=dwd.sale&column=amount',
  '/queries': 'name=dws.city_day',
  '/query': 'id=q_4_0',
  '/history': 'name=ods.sale',
  '/diff': 'name=dws.city_day&from=2026-01-01',
};

const schemaAt = (path: string, method: string) =>
  `api#/paths/${encodeURIComponent(path.replace(/\//g, '~1'))}/${method}/responses/200/content/application~1json/schema`;

describe('the stand-in server', () => {
  const warehouse = bakery();
  for (const [path, handle] of Object.entries(routes))
    it(`answers ${path} as described`, () => {
      const answer = (handle as (w: unknown, q: URLSearchParams) => unknown)(warehouse, new URLSearchParams(CASES[path] ?? ''));
      const check = ajv.getSchema(schemaAt(path, 'get'))!;
      expect(check(answer), JSON.stringify(check.errors?.slice(0, 3))).toBe(true);
    });
  it('answers /analyze as described', () => {
    const check = ajv.getSchema(schemaAt('/analyze', 'post'))!;
    const answer = analyze(warehouse, { sql: 'alter table dwd.sale drop column city' });
    expect(check(answer), JSON.stringify(check.errors?.slice(0, 3))).toBe(true);
  });
});
