import { addDays, daysBetween } from '../../kit/moment';
import { DAY_MINUTES } from '../../kit/agenda/week';

/** What is held while something moves: the whole of it, or one of its ends. */
export type Grip = 'move' | 'start' | 'end';

/** A stretch of a day, in minutes since midnight; the end may lie in the days after. */
export interface Span {
  day: string;
  from: number;
  to: number;
  /** So many whole days from `day` on; the minutes say nothing then. */
  days?: number;
}

/** A place of the grid: a minute of a day, or the day as a whole. */
export interface Place {
  day: string;
  minute: number;
  whole: boolean;
}

/** Things move, and grow, by a quarter of an hour. */
export const STEP_MINUTES = 15;

const snap = (minute: number) => Math.round(minute / STEP_MINUTES) * STEP_MINUTES;
/** What was whole days is as long as this by the clock, and begins at this minute where no place says when. */
const HOUR_MINUTES = 60;
const FIRST_MINUTE = 9 * HOUR_MINUTES;
const within = (least: number, minute: number, most: number) => Math.max(least, Math.min(most, minute));

/** Where something is when the pointer is at a minute of a day; `grab` is how far from its start it was taken. */
export function dragged(grip: Grip, was: Span, day: string, minute: number, grab = 0): Span {
  if (grip === 'end') return { ...was, to: within(was.from + STEP_MINUTES, snap(minute), DAY_MINUTES) };
  if (grip === 'start') return { ...was, from: within(0, snap(minute), was.to - STEP_MINUTES) };
  const from = within(0, snap(minute - grab), DAY_MINUTES - STEP_MINUTES);
  return { day, from, to: from + was.to - was.from };
}

export const wholeDays = (day: string, days = 1): Span => ({ day, from: 0, to: 0, days });

/** How far from the start of something it is taken: in days when it lasts whole ones, else in minutes. */
export const grabbed = (was: Span, at: Place): number =>
  was.days ? daysBetween(was.day, at.day) : at.minute - was.from;

/** Where something that is moved is when the pointer is at a place: by the clock, or among what lasts whole days. */
export function moved(was: Span, at: Place, grab: number): Span {
  if (at.whole) return was.days ? wholeDays(addDays(at.day, -grab), was.days) : wholeDays(at.day);
  if (was.days) return dragged('move', { day: at.day, from: 0, to: HOUR_MINUTES }, at.day, at.minute);
  return dragged('move', was, at.day, at.minute, grab);
}

/** The same thing by the clock where it lasted whole days, and the other way round. */
export const turned = (was: Span): Span =>
  was.days ? { day: was.day, from: FIRST_MINUTE, to: FIRST_MINUTE + HOUR_MINUTES } : wholeDays(was.day);

/** One step further by the keyboard: days aside, quarters of an hour down; past midnight it is the next day. */
export function stepped(grip: Grip, was: Span, aside: number, down: number): Span {
  if (was.days) {
    if (grip === 'move') return wholeDays(addDays(was.day, aside), was.days);
    return wholeDays(was.day, Math.max(1, was.days + aside));
  }
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

/** New whole days, drawn from one to another, forwards or backwards. */
export function drawnDays(anchor: string, day: string): Span {
  const by = daysBetween(anchor, day);
  return wholeDays(by < 0 ? day : anchor, Math.abs(by) + 1);
}

export const isSame = (a: Span, b: Span) =>
  a.day === b.day && a.from === b.from && a.to === b.to && (a.days ?? 0) === (b.days ?? 0);
