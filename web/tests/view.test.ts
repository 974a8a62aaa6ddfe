import { describe, expect, it } from 'vitest';
import { formatPlace, parsePlace } from '../src/state/location';
import { focusedOn, isOpen, readView, toggled, withPin, withToggledHop, writeView } from '../src/state/view';

const of = (text: string) => readView(new URLSearchParams(text));

describe('the address', () => {
  it('holds everything that can be set, and nothing else', () => {
    const text =
      'name=dwd.sale&namespace=m&depth=2&up=ods.a&up=ods.b&down=dws.c&closed=up&show=x.y&cols=dwd.sale&cols=*&pin=dwd.sale&pin=dwd.sale%21city' +
      '&source=a.b&target=c.d&indirect=1&offline=1&temporary=1&lens=heat&group=database&shut=ods&as_of=2026-01-02&diff=2026-01-01..2026-01-02' +
      '&view=both&side=up&q=owner%3Alin&sort=-heat&at=-10%2C20%2C0.75';
    expect(writeView(of(text)).toString()).toBe(text);
  });

  it('is short in the beginning', () => {
    expect(writeView(of('name=dwd.sale')).toString()).toBe('name=dwd.sale');
  });

  it('takes any name: quotes, spaces, Chinese, HTML, paths', () => {
    for (const name of ['ads.odd "names" & <b>标签</b>', 'hdfs://nn/export/a b#c', "d.it's=so&so", '库.表']) {
      const place = parsePlace(formatPlace('table', writeView({ ...of(''), focus: name })));
      expect(place.page).toBe('table');
      expect(readView(place.params).focus).toBe(name);
    }
  });

  it('leaves out what makes no sense', () => {
    const view = of('name=a.b&lens=beauty&view=dream&as_of=yesterday&diff=2026-01-01&at=1,2&depth=99&side=left');
    expect(view).toMatchObject({ lens: 'none', mode: 'graph', asOf: '', diff: null, viewport: null, depth: 1, side: 'down' });
  });
});

describe('what a person does', () => {
  it('locks one thing at a time, more with shift, and releases by picking again', () => {
    const a = { table: 'a.b', column: null };
    const b = { table: 'a.b', column: 'c' };
    expect(withPin([], a, false)).toEqual([a]);
    expect(withPin([a], b, false)).toEqual([b]);
    expect(withPin([a], b, true)).toEqual([a, b]);
    expect(withPin([a, b], a, true)).toEqual([b]);
  });

  it('opens and closes hops; those of the focus are open from the beginning', () => {
    const view = of('name=a.b');
    expect([isOpen(view, 'a.b', 'up'), isOpen(view, 'x.y', 'up')]).toEqual([true, false]);
    const closed = withToggledHop(view, 'a.b', 'up');
    expect([closed.closed, isOpen(closed, 'a.b', 'up'), isOpen(closed, 'a.b', 'down')]).toEqual([['up'], false, true]);
    expect(withToggledHop(view, 'x.y', 'down').down).toEqual(['x.y']);
    expect(toggled(['a', 'b'], 'a')).toEqual(['b']);
  });

  it('moves the focus and keeps the switches', () => {
    const next = focusedOn(of('name=a.b&up=x.y&pin=a.b&indirect=1&lens=heat&at=1,2,1'), 'x.y');
    expect(writeView(next).toString()).toBe('name=x.y&indirect=1&lens=heat');
  });
});
