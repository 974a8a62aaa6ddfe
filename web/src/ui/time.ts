// Moments, spans of time and numbers as people read them. Times of the warehouse are UTC, as in its logs.

const pad = (n: number): string => String(n).padStart(2, '0');

export function moment(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '—';
  const at = new Date(ms);
  return `${at.getUTCFullYear()}-${pad(at.getUTCMonth() + 1)}-${pad(at.getUTCDate())} ${pad(at.getUTCHours())}:${pad(at.getUTCMinutes())}`;
}

export function ago(ms: number | null | undefined, now: number, locale: string): string {
  if (ms === null || ms === undefined) return '—';
  const seconds = Math.round((ms - now) / 1000);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [
    ['year', 31_536_000],
    ['month', 2_592_000],
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ];
  for (const [unit, size] of steps) if (Math.abs(seconds) >= size) return format.format(Math.round(seconds / size), unit);
  return format.format(Math.round(seconds), 'second');
}

export const minuteOfDay = (minute: number): string => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;

export function duration(ms: number | null): string {
  if (ms === null) return '—';
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

export const number = (value: number | null | undefined, locale: string): string =>
  value === null || value === undefined ? '—' : value.toLocaleString(locale, { maximumFractionDigits: value < 10 ? 1 : 0 });

export function bytes(value: number | null): string {
  if (value === null) return '—';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let size = value;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size.toFixed(unit === 0 ? 0 : 1)} ${units[unit]}`;
}
