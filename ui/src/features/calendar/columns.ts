import type { EventRow } from '../../host';
import { agendaOfDay, type Slot } from '../../kit/agenda/agenda';
import { barsOf, barsOn, isLong, type Bar } from '../../kit/agenda/bars';
import { ghostOn, type Ghost } from '../../kit/agenda/proposed';
import { byDay, pack, type Block, type Fold } from '../../kit/agenda/week';
import { dateText } from '../../kit/time';
import { t } from '../../kit/strings';
import '../../kit/strings/en/today';

/** A block on the clock: an event, or the place a waiting action would put one. */
export interface Thing {
  key: string;
  start: number;
  end: number;
  slot: Slot | null;
  ghost: Ghost | null;
}

export interface Column {
  day: string;
  /** The bars that begin here, or go on here from before the visible days. */
  bars: Bar[];
  /** How many rows of bars lie over this day, and how many of its bars have no room. */
  rows: number;
  hidden: number;
  wholeGhosts: Ghost[];
  blocks: Block<Thing>[];
  folds: Fold[];
}

/** How many rows of bars the head of several days shows; the view of one day shows all. */
export const BARS_MAX = 3;

export function columnsOf(events: readonly EventRow[], ghosts: readonly Ghost[], days: readonly string[]): Column[] {
  const bars = barsOf(events.filter(isLong), days);
  const found = byDay(
    events.filter((one) => !isLong(one)),
    days,
  );
  const most = days.length > 1 ? BARS_MAX : Infinity;
  return days.map((day, at) => {
    const agenda = agendaOfDay(found.get(day) ?? []);
    const here = ghosts.filter((one) => ghostOn(one, day));
    const things: Thing[] = [
      ...agenda.slots.map((slot) => ({ key: slot.key, start: slot.start, end: slot.end, slot, ghost: null })),
      ...here
        .filter((one) => !one.allDay)
        .map((ghost) => ({ key: ghost.key, start: ghost.start, end: ghost.end, slot: null, ghost })),
    ];
    const over = barsOn(bars, at);
    const shown = over.filter((one) => one.lane < most);
    return {
      day,
      bars: shown.filter((one) => one.from === at),
      rows: Math.max(0, ...shown.map((one) => one.lane + 1)),
      hidden: over.length - shown.length,
      wholeGhosts: here.filter((one) => one.allDay),
      ...pack(things, day),
    };
  });
}

/** What would happen to the event if the waiting action is approved, in words. */
export function ghostSay(ghost: Ghost): string {
  if (!ghost.moves) return t('today.ghost_new');
  return ghost.before ? t('today.ghost_from', { from: dateText(ghost.before.start) }) : t('today.ghost_moves');
}
