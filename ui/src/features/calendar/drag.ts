import { addDays } from '../../kit/moment';
import { DAY_MINUTES } from '../../kit/agenda/week';

/** What is held while something moves: the whole of it, or one of its ends. */
export type Grip = 'move' | 'start' | 'end';

/** A stretch of a day, in minutes since midnight; the end may lie in the days after. */
export interface Span {
  day: string;
  from: number;
  to: number;
}

/** Things move, and grow, by a quarter of an hour. */
export const STEP_MINUTES = 15;

const snap = (minute: number) => Math.round(minute / STEP_MINUTES) * STEP_MINUTES;
const within = (least: number, minute: number, most: number) => Math.max(least, Math.min(most, minute));

/** Where something is when the pointer is at a minute of a day; `grab` is how far from its start it was taken. */
export function dragged(grip: Grip, was: Span, day: string, minute: number, grab = 0): Span {
  if (grip === 'end') return { ...was, to: within(was.from + STEP_MINUTES, snap(minute), DAY_MINUTES) };
  if (grip === 'start') return { ...was, from: within(0, snap(minute), was.to - STEP_MINUTES) };
  const from = within(0, snap(minute - grab), DAY_MINUTES - STEP_MINUTES);
  return { day, from, to: from + was.to - was.from };
}

/** One step further by the keyboard: days aside, quarters of an hour down; past midnight it is the next day. */
export function stepped(grip: Grip, was: Span, aside: number, down: number): Span {
  const by = down * STEP_MINUTES;
  if (grip === 'end') return { ...was, to: within(was.from + STEP_MINUTES, was.to + by, DAY_MINUTES) };
  if (grip === 'start') return { ...was, from: within(0, was.from + by, was.to - STEP_MINUTES) };
  const from = was.from + by;
  const days = Math.floor(from / DAY_MINUTES);
  const start = from - days * DAY_MINUTES;
  return { day: addDays(was.day, aside + days), from: start, to: start + was.to - was.from };
}

/** A new stretch, drawn from one minute of a day to another, upwards or downwards. */
export function drawn(day: string, anchor: number, minute: number): Span {
  const [low, high] = [Math.min(anchor, minute), Math.max(anchor, minute)];
  const from = within(0, Math.floor(low / STEP_MINUTES) * STEP_MINUTES, DAY_MINUTES - STEP_MINUTES);
  return { day, from, to: within(from + STEP_MINUTES, Math.ceil(high / STEP_MINUTES) * STEP_MINUTES, DAY_MINUTES) };
}

export const isSame = (a: Span, b: Span) => a.day === b.day && a.from === b.from && a.to === b.to;
