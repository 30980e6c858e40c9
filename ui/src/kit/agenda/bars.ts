import type { EventRow } from '../../host';
import { t } from '../strings';
import '../strings/en/today';
import { dateText, isDate, millis, timeText } from '../time';
import { keyOf } from './agenda';
import { daysOf } from './week';

const DAY_MS = 86_400_000;

/** An event as a bar over the visible days. */
export interface Bar {
  event: EventRow;
  key: string;
  /** Index of the first visible day that it covers. */
  from: number;
  /** How many visible days it covers. */
  days: number;
  /** The row it lies in, counted from 0: bars of one day lie in different rows. */
  lane: number;
}

export const isWhole = (event: EventRow): boolean => event.all_day || isDate(event.start);

/** Whether an event lies over its days and not at its hours: whole days, or at least as long as a day. */
export const isLong = (event: EventRow): boolean => isWhole(event) || millis(event.end) - millis(event.start) >= DAY_MS;

/** Places events as bars, each over all of its visible days and in the first row that is free there. */
export function barsOf(events: readonly EventRow[], days: readonly string[]): Bar[] {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const seen = events.flatMap((event) => {
    const { from, to } = daysOf(event);
    if (to < first || from > last) return [];
    const start = from < first ? 0 : days.indexOf(from);
    return [{ event, key: keyOf(event), from: start, days: (to > last ? days.length : days.indexOf(to) + 1) - start }];
  });
  /** The first day that is free, by row. */
  const free: number[] = [];
  return seen
    .sort((a, b) => a.from - b.from || b.days - a.days)
    .map((one) => {
      const found = free.findIndex((day) => day <= one.from);
      const lane = found < 0 ? free.length : found;
      free[lane] = one.from + one.days;
      return { ...one, lane };
    });
}

/** The bars over one of the visible days. */
export const barsOn = (bars: readonly Bar[], day: number): Bar[] =>
  bars.filter((one) => one.from <= day && day < one.from + one.days);

/** `10:00–11:00`, `all day`, `Tue 13 Jan – Thu 15 Jan`, `Tue 13 Jan, 10:00 – Thu 15 Jan, 12:00` */
export function whenOf(event: EventRow): string {
  const { from, to } = daysOf(event);
  if (isWhole(event)) return from === to ? t('today.all_day') : `${dateText(from)} – ${dateText(to)}`;
  if (from === to) return `${timeText(event.start)}–${timeText(event.end)}`;
  return `${dateText(event.start)}, ${timeText(event.start)} – ${dateText(event.end)}, ${timeText(event.end)}`;
}
