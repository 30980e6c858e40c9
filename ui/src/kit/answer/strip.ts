import type { Found } from '../../host';
import { dayOf, isDate, millis } from '../time';

/** One segment of the strip; `from` and `length` are fractions of its whole length. */
export interface Stretch {
  from: number;
  length: number;
  /** What takes the time; null if it is free. */
  busy: string | null;
  start: number;
  end: number;
}

/** The free and busy time of one day, as side-by-side segments. */
export interface Strip {
  start: number;
  end: number;
  stretches: Stretch[];
}

const HOUR_MS = 3_600_000;
const MIN_MS = 4 * HOUR_MS;

/** Builds the strip, if all the time is on one day and there is something to draw. */
export function stripOf(found: Found): Strip | null {
  if (found.rows.kind !== 'free') return null;
  const free = found.rows.list.map((one) => ({ start: millis(one.start), end: millis(one.end), busy: null }));
  const timed = (found.busy ?? []).filter((one) => !isDate(one.start));
  const busy = timed.map((one) => ({ start: millis(one.start), end: millis(one.end), busy: one.summary }));
  const all = [...busy, ...free];
  const first = Math.min(...all.map((one) => one.start));
  const last = Math.max(...all.map((one) => one.end));
  const sameDay = all.length > 0 && dayOf(first) === dayOf(last - 1);
  if (!sameDay || !(last > first)) return null;
  const start = Math.floor(first / HOUR_MS) * HOUR_MS;
  const end = Math.max(start + MIN_MS, Math.ceil(last / HOUR_MS) * HOUR_MS);
  const stretches = all.map((one) => ({
    ...one,
    from: (one.start - start) / (end - start),
    length: (one.end - one.start) / (end - start),
  }));
  return { start, end, stretches };
}
