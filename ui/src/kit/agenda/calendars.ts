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

/** Parses the setting with the chosen colours, by calendar. An unreadable setting counts as empty. */
export function looksIn(setting: string): Map<Id, CalendarLook> {
  try {
    const named: unknown = JSON.parse(setting || '{}');
    if (named === null || typeof named !== 'object') return new Map();
    return new Map(Object.entries(named).flatMap(([id, look]) => (isLook(look) ? [[id, look] as const] : [])));
  } catch {
    return new Map();
  }
}

/** Applies the person's choices; a calendar without a chosen colour gets one by its alphabetical position. */
export function calendarsOf(
  collections: readonly CollectionRow[],
  hidden: readonly Id[],
  looks: ReadonlyMap<Id, CalendarLook>,
): Calendar[] {
  return collections
    .filter((one) => one.kind === 'calendar')
    .sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id))
    .map(({ id, name }, place) => ({
      id,
      name,
      look: looks.get(id) ?? LOOKS[place] ?? 'quiet',
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
