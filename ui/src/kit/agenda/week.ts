import { addDays } from '../moment';
import { dayOf, isDate, millis, wallTimeText } from '../time';
import type { EventRow } from '../../host';

/** Days in a week view. */
export const WEEK_DAYS = 7;
/** Minutes in a day, which is also the height of a column. */
export const DAY_MINUTES = 1440;
/** Maximum number of lanes side by side in one column; events that do not fit are folded. */
export const LANES_MAX = 3;
/** Minimum drawn length in minutes, so that short events stay readable and clickable. */
const MINUTES_MIN = 30;

const STARTS = { sunday: 0, monday: 1, saturday: 6 } as const;

export const VIEWS = ['day', 'week', 'month'] as const;
export type View = (typeof VIEWS)[number];

/** The address of a view: the name of the view and any day in it. */
export function viewId(view: View, day: string): string {
  return `${view}-${day}`;
}

/** Parses an address into view and day; null if it is no such address. */
export function viewOf(id: string | null): { view: View; day: string } | null {
  const view = VIEWS.find((one) => id?.startsWith(`${one}-`));
  const day = view ? (id ?? '').slice(view.length + 1) : '';
  return view && isDate(day) && !Number.isNaN(millis(day)) ? { view, day } : null;
}

/** The days of a month view: whole weeks, from the week of the first day to the week of the last. */
export function monthOf(day: string, start: string): string[] {
  const last = addDays(`${monthStep(day, 1).slice(0, 7)}-01`, -1);
  const end = weekOf(last, start).at(-1) ?? last;
  const days: string[] = [];
  for (let one = weekOf(`${day.slice(0, 7)}-01`, start)[0] ?? day; one <= end; one = addDays(one, 1)) days.push(one);
  return days;
}

/** The same day `n` months later, or the last day of that month if it is shorter. */
export function monthStep(day: string, n: number): string {
  const [year = 0, month = 1, of = 1] = day.split('-').map(Number);
  const length = new Date(Date.UTC(year, month - 1 + n + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + n, Math.min(of, length))).toISOString().slice(0, 10);
}

/** The seven days of the week that contains a day. */
export function weekOf(day: string, start: string): string[] {
  const first = start in STARTS ? STARTS[start as keyof typeof STARTS] : STARTS.monday;
  const back = (new Date(Date.parse(`${day}T12:00:00Z`)).getUTCDay() - first + WEEK_DAYS) % WEEK_DAYS;
  return Array.from({ length: WEEK_DAYS }, (_, n) => addDays(day, n - back));
}

/** The first and the last day of an event. */
export function daysOf(event: EventRow): { from: string; to: string } {
  if (event.all_day || isDate(event.start)) {
    // Ends are exclusive.
    return { from: event.start, to: event.end > event.start ? addDays(event.end, -1) : event.start };
  }
  const start = millis(event.start);
  return { from: dayOf(start), to: dayOf(Math.max(start, millis(event.end) - 1)) };
}

/** Groups events by day, in one pass over the events. */
export function byDay(events: readonly EventRow[], days: readonly string[]): Map<string, EventRow[]> {
  const found = new Map<string, EventRow[]>(days.map((day) => [day, []]));
  const [first = '', last = ''] = [days[0], days.at(-1)];
  for (const event of events) {
    const { from, to } = daysOf(event);
    if (to < first || from > last) continue;
    for (let day = from < first ? first : from; day <= to && day <= last; day = addDays(day, 1)) {
      found.get(day)?.push(event);
    }
  }
  return found;
}

/** An item with a time span that `pack` places in a column. */
export interface Timed {
  key: string;
  /** Milliseconds. */
  start: number;
  end: number;
}

export interface Block<T> {
  one: T;
  /** Minutes of the day. */
  from: number;
  to: number;
  lane: number;
  lanes: number;
}

/** Stands for the items of a group that did not fit side by side. */
export interface Fold {
  from: number;
  to: number;
  n: number;
  lane: number;
  lanes: number;
}

/** Minutes since midnight in the person's zone, clamped to one day. */
export function minuteOf(ms: number, day: string): number {
  const there = dayOf(ms);
  if (there < day) return 0;
  if (there > day) return DAY_MINUTES;
  const [hours = 0, minutes = 0] = wallTimeText(ms).split(':').map(Number);
  return hours * 60 + minutes;
}

/** Lays out items side by side. However many there are, only a few are drawn; folds count the rest. */
export function pack<T extends Timed>(things: readonly T[], day: string): { blocks: Block<T>[]; folds: Fold[] } {
  const placed = things
    .map((one) => {
      const from = Math.min(minuteOf(one.start, day), DAY_MINUTES - MINUTES_MIN);
      // An item that ends at midnight belongs to the day before.
      const to = one.end > one.start ? minuteOf(one.end - 1, day) + 1 : from;
      return { one, from, to: Math.min(DAY_MINUTES, Math.max(to, from + MINUTES_MIN)) };
    })
    .sort((a, b) => a.from - b.from || b.to - a.to);
  const blocks: Block<T>[] = [];
  const folds: Fold[] = [];
  let group: Block<T>[] = [];
  let ends: number[] = [];

  const close = () => {
    const crowded = ends.length > LANES_MAX;
    const lanes = Math.min(ends.length, LANES_MAX);
    const shown = crowded ? LANES_MAX - 1 : lanes;
    const left = group.filter((one) => one.lane >= shown);
    for (const one of group) if (one.lane < shown) blocks.push({ ...one, lanes });
    if (left.length > 0) {
      folds.push({
        from: left[0]?.from ?? 0,
        to: left.reduce((most, one) => Math.max(most, one.to), 0),
        n: left.length,
        lane: shown,
        lanes,
      });
    }
    group = [];
    ends = [];
  };

  let until = 0;
  for (const one of placed) {
    if (one.from >= until) close();
    const free = ends.findIndex((end) => end <= one.from);
    // Beyond the shown lanes, any lane will do: items there are folded.
    const lane = free >= 0 ? free : Math.min(ends.length, LANES_MAX);
    ends[lane] = Math.max(ends[lane] ?? 0, one.to);
    group.push({ ...one, lane, lanes: 0 });
    until = Math.max(until, one.to);
  }
  close();
  return { blocks, folds };
}
