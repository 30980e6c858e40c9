import { host, show, type AccountRow, type CollectionRow, type EventRow, type GuestRow } from '../../host';
import { ownAddresses } from '../owner';
import { t } from '../strings';
import '../strings/en/today';

/** What decides about the actions that an event offers. */
export interface Known {
  calendars: CollectionRow[];
  accounts: AccountRow[];
  /** The person's own addresses, in lower case. */
  own: string[];
}

export async function loadKnown(): Promise<Known> {
  const [collections, accounts, own] = await Promise.all([
    show(host, 'collections'),
    show(host, 'accounts'),
    ownAddresses(),
  ]);
  return { calendars: collections.filter((one) => one.kind === 'calendar'), accounts, own };
}

/**
 * Why an event cannot be changed; null if it can. Events carry only a calendar name: of several calendars with that name,
 * one that can be changed is enough to let the engine decide.
 */
export function fixedText(event: EventRow, { calendars, accounts }: Known): string | null {
  const named = calendars.filter((one) => one.name === event.calendar);
  if (named.length === 0 || named.some((one) => one.writable)) return null;
  const isSubscribed = named.every((one) => accounts.find((row) => row.id === one.account)?.kind === 'ics');
  return t(isSubscribed ? 'today.subscribed' : 'today.read_only', { name: event.calendar });
}

/** Who invites to an event, unless that is the person. */
export function inviterOf(event: EventRow, { own }: Known): GuestRow | null {
  const { organizer } = event;
  return organizer && !own.includes(organizer.email.toLowerCase()) ? organizer : null;
}

/** The person's own reply to somebody else's invitation; null if there is none to answer. */
export function ownReply(event: EventRow, known: Known): string | null {
  if (inviterOf(event, known) === null) return null;
  const { own } = known;
  return event.guests.find((guest) => own.includes(guest.email.toLowerCase()))?.status ?? null;
}
