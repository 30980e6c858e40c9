import type { AccountRow, CollectionRow, EventRow, Id } from '../../host';

/** The look of a calendar: a colour and a line style, so that nobody has to tell colours apart. */
export const LOOKS = ['1', '2', '3', '4', 'quiet'] as const;
export type CalendarLook = (typeof LOOKS)[number];

export interface Calendar {
  id: Id;
  name: string;
  look: CalendarLook;
  /** Whether the person wants to see it. */
  shown: boolean;
}

/** The calendars of one account, sorted by name. */
export interface CalendarGroup {
  /** Label of the account; empty for this computer. */
  account: string;
  calendars: Calendar[];
}

const HERE = 'local';

const isLook = (text: unknown): text is CalendarLook => LOOKS.includes(text as CalendarLook);

/** Parses the setting with the colours of calendars. An unreadable setting counts as empty. */
export function looksIn(setting: string): Map<Id, CalendarLook> {
  try {
    const named: unknown = JSON.parse(setting || '{}');
    if (named === null || typeof named !== 'object') return new Map();
    return new Map(Object.entries(named).flatMap(([id, look]) => (isLook(look) ? [[id, look] as const] : [])));
  } catch {
    return new Map();
  }
}

/**
 * Gives every calendar without a colour the first one that no other calendar has, or the quiet one if none is left.
 * Calendars that have a colour keep it, whatever is connected or removed beside them.
 */
export function withLooks(
  collections: readonly CollectionRow[],
  looks: ReadonlyMap<Id, CalendarLook>,
): Map<Id, CalendarLook> {
  const calendars = sorted(collections);
  const all = new Map(looks);
  const used = new Set(calendars.flatMap(({ id }) => looks.get(id) ?? []));
  for (const { id } of calendars.filter((one) => !looks.has(one.id))) {
    const look = LOOKS.find((one) => !used.has(one)) ?? 'quiet';
    used.add(look);
    all.set(id, look);
  }
  return all;
}

const sorted = (collections: readonly CollectionRow[]) =>
  collections
    .filter((one) => one.kind === 'calendar')
    .sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));

/** Returns the calendars by name, each with its colour and whether it is shown. */
export function calendarsOf(
  collections: readonly CollectionRow[],
  hidden: readonly Id[],
  looks: ReadonlyMap<Id, CalendarLook>,
): Calendar[] {
  const all = withLooks(collections, looks);
  return sorted(collections).map(({ id, name }) => ({
    id,
    name,
    look: all.get(id) ?? 'quiet',
    shown: !hidden.includes(id),
  }));
}

/** Groups calendars by account, this computer first. */
export function grouped(
  calendars: readonly Calendar[],
  collections: readonly CollectionRow[],
  accounts: readonly AccountRow[],
): CalendarGroup[] {
  const order = [HERE, ...accounts.map((row) => row.id).filter((id) => id !== HERE)];
  return order.flatMap((account): CalendarGroup[] => {
    const own = new Set(collections.filter((one) => one.account === account).map((one) => one.id));
    const here = calendars.filter((one) => own.has(one.id));
    const label = account === HERE ? '' : (accounts.find((row) => row.id === account)?.label ?? '');
    return here.length === 0 ? [] : [{ account: label, calendars: here }];
  });
}

/**
 * Tells how each event looks and whether it is shown. Events carry only a calendar name: the first calendar of that
 * name counts.
 */
export function lookOf(calendars: readonly Calendar[]) {
  const byName = new Map([...calendars].reverse().map((one) => [one.name, one]));
  return {
    isShown: (event: EventRow): boolean => byName.get(event.calendar)?.shown ?? true,
    colour: (event: EventRow): string => classOf(byName.get(event.calendar)?.look ?? 'quiet'),
  };
}

/** The CSS class that draws a look. */
export const classOf = (look: CalendarLook): string => (look === 'quiet' ? 'cal-cq' : `cal-c${look}`);
