import { createSubscriber } from 'svelte/reactivity';
import type { ClockFace } from '../gen/wire';

/**
 * The one clock of the window. Wall time follows the engine (which may run on a fixed clock); `mono` is the time base of
 * DOM events, for the guards. Tests replace both.
 */
export const clock = {
  /** Milliseconds to add to the system clock to get the engine's time. */
  offset_ms: 0,
  /** The engine's IANA zone. */
  tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
  /** Twelve or twenty-four hours, from the setting `clock`. */
  face: '24h' as ClockFace,
  /**
   * Whether the day comes before the month (`Tue 13 Jan`, and 3/4 is the third of April), from the setting `day_first`
   * or the system.
   */
  dayFirst: true,
  now(): number {
    return Date.now() + this.offset_ms;
  },
  mono(): number {
    return performance.now();
  },
};

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const FAST_MS = 100;

function ticking(ms: number): () => void {
  return createSubscriber((update) => {
    const id = setInterval(update, ms);
    return () => clearInterval(id);
  });
}

/** Ticks each second as well, because a minute of the engine's clock can end at any of them, but tells only of minutes. */
const minute = createSubscriber((update) => {
  let last = minuteNow();
  const id = setInterval(() => {
    const now = minuteNow();
    if (now !== last) update();
    last = now;
  }, SECOND_MS);
  return () => clearInterval(id);
});

const minuteNow = () => Math.floor(clock.now() / MINUTE_MS);

const second = ticking(SECOND_MS);
const fast = ticking(FAST_MS);

/** Wall time in ms; updates every second while something on screen depends on it. */
export function nowEachSecond(): number {
  second();
  return clock.now();
}

/** Wall time in ms; updates with each new minute. For what a list derives from all of its rows. */
export function nowEachMinute(): number {
  minute();
  return clock.now();
}

/** Monotonic ms; updates ten times a second. For the seconds of a status line only. */
export function monoTicking(): number {
  fast();
  return clock.mono();
}
