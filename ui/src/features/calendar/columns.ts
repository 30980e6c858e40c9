import type { EventRow } from '../../host';
import { agendaOfDay, type Slot } from '../../kit/agenda/agenda';
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
  /** Events that last the whole day. */
  whole: EventRow[];
  wholeGhosts: Ghost[];
  blocks: Block<Thing>[];
  folds: Fold[];
}

export function columnsOf(events: readonly EventRow[], ghosts: readonly Ghost[], days: readonly string[]): Column[] {
  const found = byDay(events, days);
  return days.map((day) => {
    const agenda = agendaOfDay(found.get(day) ?? []);
    const here = ghosts.filter((one) => ghostOn(one, day));
    const things: Thing[] = [
      ...agenda.slots.map((slot) => ({ key: slot.key, start: slot.start, end: slot.end, slot, ghost: null })),
      ...here
        .filter((one) => !one.allDay)
        .map((ghost) => ({ key: ghost.key, start: ghost.start, end: ghost.end, slot: null, ghost })),
    ];
    return { day, whole: agenda.allDay, wholeGhosts: here.filter((one) => one.allDay), ...pack(things, day) };
  });
}

/** What would happen to the event if the waiting action is approved, in words. */
export function ghostSay(ghost: Ghost): string {
  if (!ghost.moves) return t('today.ghost_new');
  return ghost.before ? t('today.ghost_from', { from: dateText(ghost.before.start) }) : t('today.ghost_moves');
}
