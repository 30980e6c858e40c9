import type { EventRow } from '../../host';
import { agendaOfDay } from '../../kit/agenda/agenda';
import { barsOf, barsOn, isLong, type Bar } from '../../kit/agenda/bars';
import { ghostOn, type Ghost } from '../../kit/agenda/proposed';
import { byDay, daysOf, WEEK_DAYS } from '../../kit/agenda/week';

/** One day of the month, and what of it has room. */
export interface MonthDay {
  day: string;
  /** Its place in the week. */
  at: number;
  /** The bars over several days that have room, in this many rows. */
  bars: Bar[];
  rows: number;
  /** The other events that have room, and on how many lines each may be. */
  singles: EventRow[];
  lines: 1 | 2 | 3;
  ghosts: Ghost[];
  /** How many events the day has, and how many of them have no room. */
  n: number;
  hidden: number;
}

/** Lines of text that a day has room for at least; the last one counts the events without one. */
export const LINES_MIN = 4;

/** Heights in rem: the names of the days with the hint below the weeks; the number of a day; a line with its gap. */
const AROUND = 5;
const NUMBER = 1.875;
const LINE = 1.625;

/** How many lines of a day have room in a view of this height in pixels that shows so many weeks. */
export function linesIn(height: number, weeks: number): number {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  return Math.max(LINES_MIN, Math.floor(((height / rem - AROUND) / weeks - NUMBER) / LINE));
}

/** Whether an event is drawn as one bar over its days. */
export function isOver(event: EventRow): boolean {
  const { from, to } = daysOf(event);
  return isLong(event) && to > from;
}

/** The days in whole weeks, each with what of it has room in `lines` lines. */
export function weeksOf(
  events: readonly EventRow[],
  ghosts: readonly Ghost[],
  days: readonly string[],
  lines: number,
): MonthDay[][] {
  return Array.from({ length: days.length / WEEK_DAYS }, (_, n) =>
    weekOf(events, ghosts, days.slice(n * WEEK_DAYS, (n + 1) * WEEK_DAYS), lines),
  );
}

function weekOf(events: readonly EventRow[], ghosts: readonly Ghost[], days: readonly string[], lines: number) {
  const bars = barsOf(events.filter(isOver), days);
  const found = byDay(
    events.filter((one) => !isOver(one)),
    days,
  );
  return days.map((day, at): MonthDay => {
    const agenda = agendaOfDay(found.get(day) ?? []);
    const all = [...agenda.allDay, ...agenda.slots.map((slot) => slot.event)];
    const proposed = ghosts.filter((ghost) => ghostOn(ghost, day));
    const over = barsOn(bars, at);
    // Half the lines at most: a bar of another week must not push out the events of this day.
    const shown = over.filter((one) => one.lane < Math.floor(lines / 2));
    const rows = Math.max(0, ...shown.map((one) => one.lane + 1));
    const room = roomFor(all.length, proposed.length + rows, lines);
    return {
      ...{ day, at, rows, bars: shown, ghosts: proposed, lines: room.lines },
      singles: all.slice(0, room.shown),
      n: all.length + over.length,
      hidden: all.length + over.length - Math.min(all.length, room.shown) - shown.length,
    };
  });
}

/** How many events of a day are shown, and on how many lines each: few events get the room for their whole title. */
function roomFor(events: number, others: number, lines: number): { shown: number; lines: 1 | 2 | 3 } {
  const room = Math.max(1, lines - others);
  const shown = events <= room ? events : Math.max(1, room - 1);
  const all = shown + others;
  return { shown, lines: all === 1 ? 3 : all * 2 <= lines ? 2 : 1 };
}
