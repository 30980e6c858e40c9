import { createSubscriber } from 'svelte/reactivity';
import type { ClockFace } from '../gen/wire';

/**
 * The one clock of the window. Wall time follows the engine (which may run on a fixed clock); `mono` is the time base of
 * DOM events, for the guards. Tests replace both.
 */
export const clock = {
  /** Milliseconds to add to this machine's clock to get the engine's. */
  offset_ms: 0,
  /** IANA zone the engine thinks in. */
  tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
  /** Twelve or twenty-four hours, as the setting `clock` says. */
  face: '24h' as ClockFace,
  /** `Tue 13 Jan` and 3/4 as the third of April, else `Tue Jan 13`, as the setting `day_first` or the system says. */
  dayFirst: true,
  now(): number {
    return Date.now() + this.offset_ms;
  },
  mono(): number {
    return performance.now();
  },
};

const SECOND_MS = 1000;
const FAST_MS = 100;

function ticking(ms: number): () => void {
  return createSubscriber((update) => {
    const id = setInterval(update, ms);
    return () => clearInterval(id);
  });
}

const second = ticking(SECOND_MS);
const fast = ticking(FAST_MS);

/** Wall time in ms, read again every second while something on screen depends on it. */
export function nowEachSecond(): number {
  second();
  return clock.now();
}

/** Monotonic ms, read again ten times a second: for the seconds of a status line only. */
export function monoTicking(): number {
  fast();
  return clock.mono();
}
