import { addDays, daysBetween } from '../../kit/moment';
import { DAY_MINUTES } from '../../kit/agenda/week';

/** The held part of a block: the whole, or one end. */
export type Grip = 'move' | 'start' | 'end';

/** A stretch of a day, in minutes since midnight. `to` may lie beyond midnight. */
export interface Span {
  day: string;
  from: number;
  to: number;
  /** For whole-day spans, the number of days from `day` on; the minutes mean nothing then. */
  days?: number;
}

/** A point in the grid: a minute of a day, or the day as a whole. */
export interface Place {
  day: string;
  minute: number;
  whole: boolean;
}

/** Blocks move and resize in steps of a quarter of an hour. */
export const STEP_MINUTES = 15;

const snap = (minute: number) => Math.round(minute / STEP_MINUTES) * STEP_MINUTES;
/** A whole-day event that becomes a timed one lasts an hour, and starts at 9 unless the pointer says where. */
const HOUR_MINUTES = 60;
const FIRST_MINUTE = 9 * HOUR_MINUTES;
const within = (least: number, minute: number, most: number) => Math.max(least, Math.min(most, minute));

/** The new span when the pointer is at a minute of a day. `grab` is where it was picked up, from its start. */
export function dragged(grip: Grip, was: Span, day: string, minute: number, grab = 0): Span {
  if (grip === 'end') return { ...was, to: within(was.from + STEP_MINUTES, snap(minute), DAY_MINUTES) };
  if (grip === 'start') return { ...was, from: within(0, snap(minute), was.to - STEP_MINUTES) };
  const from = within(0, snap(minute - grab), DAY_MINUTES - STEP_MINUTES);
  return { day, from, to: from + was.to - was.from };
}

export const wholeDays = (day: string, days = 1): Span => ({ day, from: 0, to: 0, days });

/** How many days a span lies over as a bar: whole days, or a time at least as long as a day; 0 for one on the clock. */
export const barDays = (span: Span): number =>
  span.days ?? (span.to - span.from >= DAY_MINUTES ? Math.ceil(span.to / DAY_MINUTES) : 0);

/** The distance from the start at which a block is picked up: in days for bars, else in minutes. */
export const grabbed = (was: Span, at: Place): number =>
  barDays(was) > 0 ? daysBetween(was.day, at.day) : at.minute - was.from;

/** The new span when the pointer is at `at`: on the clock, or among the whole-day events. */
export function moved(was: Span, at: Place, grab: number): Span {
  const long = !was.days && barDays(was) > 0;
  // A bar with times keeps them among the days, and begins at the pointer on the clock.
  if (long) return at.whole ? { ...was, day: addDays(at.day, -grab) } : dragged('move', was, at.day, at.minute);
  if (at.whole) return was.days ? wholeDays(addDays(at.day, -grab), was.days) : wholeDays(at.day);
  if (was.days) return dragged('move', { day: at.day, from: 0, to: HOUR_MINUTES }, at.day, at.minute);
  return dragged('move', was, at.day, at.minute, grab);
}

/** Turns a whole-day span into a timed one, and a timed span into a whole day. */
export const turned = (was: Span): Span =>
  was.days
    ? { day: was.day, from: FIRST_MINUTE, to: FIRST_MINUTE + HOUR_MINUTES }
    : wholeDays(was.day, Math.max(1, barDays(was)));

/** The span after one arrow key: sideways by days, up or down by quarters of an hour; past midnight is the next day. */
export function stepped(grip: Grip, was: Span, aside: number, down: number): Span {
  if (was.days) {
    if (grip === 'move') return wholeDays(addDays(was.day, aside), was.days);
    return wholeDays(was.day, Math.max(1, was.days + aside));
  }
  const by = down * STEP_MINUTES;
  if (grip === 'end') {
    // Only a bar ends on another day than its block; no key cuts an end that lies beyond midnight already.
    const [turn, most] = barDays(was) > 0 ? [aside * DAY_MINUTES, Infinity] : [0, Math.max(DAY_MINUTES, was.to)];
    return { ...was, to: within(was.from + STEP_MINUTES, was.to + by + turn, most) };
  }
  if (grip === 'start') return { ...was, from: within(0, was.from + by, was.to - STEP_MINUTES) };
  const from = was.from + by;
  const days = Math.floor(from / DAY_MINUTES);
  const start = from - days * DAY_MINUTES;
  return { day: addDays(was.day, aside + days), from: start, to: start + was.to - was.from };
}

/** A new span drawn from one minute to another, upwards or downwards. */
export function drawn(day: string, anchor: number, minute: number): Span {
  const [low, high] = [Math.min(anchor, minute), Math.max(anchor, minute)];
  const from = within(0, Math.floor(low / STEP_MINUTES) * STEP_MINUTES, DAY_MINUTES - STEP_MINUTES);
  return { day, from, to: within(from + STEP_MINUTES, Math.ceil(high / STEP_MINUTES) * STEP_MINUTES, DAY_MINUTES) };
}

/** A new whole-day span drawn from one day to another, forwards or backwards. */
export function drawnDays(anchor: string, day: string): Span {
  const by = daysBetween(anchor, day);
  return wholeDays(by < 0 ? day : anchor, Math.abs(by) + 1);
}

export const isSame = (a: Span, b: Span) =>
  a.day === b.day && a.from === b.from && a.to === b.to && (a.days ?? 0) === (b.days ?? 0);
