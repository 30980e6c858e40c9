import type { AccountRow, CollectionRow, EventRow, Id } from '../../host';

/** What a calendar can look like: a colour with a line of its own, so that nobody has to tell colours apart. */
export const LOOKS = ['1', '2', '3', '4', 'quiet'] as const;
export type CalendarLook = (typeof LOOKS)[number];

export interface Calendar {
  id: Id;
  name: string;
  look: CalendarLook;
  /** The person wants to see it. */
  shown: boolean;
}

/** Calendars of one account, by name. */
export interface CalendarGroup {
  /** Empty for this computer. */
  account: string;
  calendars: Calendar[];
}

const HERE = 'local';

const isLook = (text: unknown): text is CalendarLook => LOOKS.includes(text as CalendarLook);

/** The colours a setting names, by calendar. A setting that cannot be read names none. */
export function looksIn(setting: string): Map<Id, CalendarLook> {
  try {
    const named: unknown = JSON.parse(setting || '{}');
    if (named === null || typeof named !== 'object') return new Map();
    return new Map(Object.entries(named).flatMap(([id, look]) => (isLook(look) ? [[id, look] as const] : [])));
  } catch {
    return new Map();
  }
}

/** The calendars as the person wants them; one without a chosen colour has the next of those there are, by its name. */
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

/** The same by account: this computer first. */
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

/** How events look, and which are seen. Events name their calendar; of two of one name the first one counts. */
export function lookOf(calendars: readonly Calendar[]) {
  const byName = new Map([...calendars].reverse().map((one) => [one.name, one]));
  return {
    isShown: (event: EventRow): boolean => byName.get(event.calendar)?.shown ?? true,
    colour: (event: EventRow): string => classOf(byName.get(event.calendar)?.look ?? 'quiet'),
  };
}

/** The class that draws a look. */
export const classOf = (look: CalendarLook): string => (look === 'quiet' ? 'cal-cq' : `cal-c${look}`);
