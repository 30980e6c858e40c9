import type { ActivityRow, Approval, ApprovalState, Id, JsonValue, OutboxRow, OutboxState } from '../../host';
import { isTainted } from '../../kit/live.svelte';
import { millis } from '../../kit/time';

/** One line of the inbox: an action with its card, many of one kind as one, or a mail on its way out. */
export type Entry =
  | { kind: 'action'; id: Id; approval: Approval }
  | { kind: 'flood'; id: Id; approvals: Approval[] }
  | { kind: 'mail'; id: Id; mail: OutboxRow };

/** Before the identifier of any of several cards that are looked at together. */
const TOGETHER = 'alike-';
export const togetherId = (id: Id): Id => `${TOGETHER}${id}`;
/** Which card a place in the window names, and whether those like it are looked at with it. */
export function named(id: Id | null): { id: Id | null; together: boolean } {
  const together = id?.startsWith(TOGETHER) ?? false;
  return { id: together && id !== null ? id.slice(TOGETHER.length) : id, together };
}

const sameKind = (one: Approval, other: Approval) => one.tool === other.tool && one.account === other.account;

/** Those that wait and do the same with the same account. Of a few, one with a value that was found is decided alone. */
export function alike(waiting: Approval[], one: Approval | undefined): Approval[] {
  if (!one) return [];
  const all = waiting.filter((other) => sameKind(one, other));
  return one.flood === null ? all.filter((other) => !isTainted(other)) : all;
}

/** What waits in one conversation. */
export interface Talk {
  conversation: Id;
  /** Cards, not lines: many of one kind are one line. */
  count: number;
  entries: Entry[];
}

/** What waits, by conversation, in the order of the inbox; many of one kind are one line, where the first of them stands. */
export function byConversation(waiting: Approval[]): Talk[] {
  const talks = new Map<Id, Talk>();
  const floods: Approval[][] = [];
  for (const one of waiting) {
    const flood = one.flood === null ? undefined : floods.find((all) => all[0] && sameKind(all[0], one));
    if (flood) {
      flood.push(one);
      continue;
    }
    const talk = talks.get(one.conversation) ?? { conversation: one.conversation, count: 0, entries: [] };
    talks.set(one.conversation, talk);
    if (one.flood === null) talk.entries.push(action(one));
    else {
      const approvals = [one];
      floods.push(approvals);
      talk.entries.push({ kind: 'flood', id: togetherId(one.id), approvals });
    }
  }
  return [...talks.values()].map((talk) => ({
    ...talk,
    count: talk.entries.reduce((sum, entry) => sum + (entry.kind === 'flood' ? entry.approvals.length : 1), 0),
  }));
}

export interface Inbox {
  /** Conversation by conversation: tainted ones first, then the one that runs out first. */
  waiting: Approval[];
  /** Approved and on their way, held and queued mail included. */
  going: Entry[];
  /** Outcomes nobody knows, and mail that was refused. */
  look: Entry[];
  /** Written, and approved by nobody. */
  drafts: Entry[];
  earlier: Approval[];
}

type Group = Exclude<keyof Inbox, 'drafts'>;

/** Where an action stands by its state. */
const GROUP_OF: Record<ApprovalState, Group> = {
  pending: 'waiting',
  approved: 'going',
  executing: 'going',
  unknown: 'look',
  needs_person: 'look',
  succeeded: 'earlier',
  failed: 'earlier',
  denied: 'earlier',
  expired: 'earlier',
  superseded: 'earlier',
  cancelled: 'earlier',
};

export function inbox(approvals: Approval[], outbox: OutboxRow[], effects: ActivityRow[] = []): Inbox {
  const newest = (a: Approval, b: Approval) => millis(b.created) - millis(a.created);
  const under = outbox.filter((mail) => ['held', 'queued', 'unknown', 'failed'].includes(mail.state));
  // A mail on its way or in doubt stands here once, as the mail: that is where one can do something about it.
  const told = new Set(approvals.filter((one) => under.some((mail) => ledTo(one, mail, effects))).map((one) => one.id));
  // What is approved and waits is listed in the outbox under its own identifier.
  for (const mail of under) told.add(mail.id);
  const states = (group: Group) => approvals.filter((one) => GROUP_OF[one.state] === group && !told.has(one.id));
  const mails = (...wanted: OutboxState[]) =>
    outbox.filter((mail) => wanted.includes(mail.state)).map((mail): Entry => ({ kind: 'mail', id: mail.id, mail }));
  return {
    waiting: together(
      states('waiting').sort(
        (a, b) => Number(isTainted(b)) - Number(isTainted(a)) || millis(a.expires) - millis(b.expires),
      ),
    ),
    going: [...states('going').sort(newest).map(action), ...mails('held', 'queued')],
    look: [...states('look').sort(newest).map(action), ...mails('unknown', 'failed')],
    drafts: mails('draft'),
    earlier: states('earlier').sort(newest),
  };
}

/** Those of one conversation next to each other, where its first one stands. */
function together(waiting: Approval[]): Approval[] {
  const talks = new Map<Id, Approval[]>();
  for (const one of waiting) talks.set(one.conversation, [...(talks.get(one.conversation) ?? []), one]);
  return [...talks.values()].flat();
}

export function action(approval: Approval): Entry {
  return { kind: 'action', id: approval.id, approval };
}

/** The next one to look at after this one was decided. */
export function nextWaiting(box: Inbox, after: Id | null): Approval | undefined {
  const at = box.waiting.findIndex((one) => one.id === after);
  return box.waiting[at + 1] ?? box.waiting.find((one) => one.id !== after);
}

/** Whether the receipt of an effect names this record. */
export function proves(effect: ActivityRow, record: Id): boolean {
  const receipt = effect.receipt as { rows?: { id?: string }[] } | null;
  return Array.isArray(receipt?.rows) && receipt.rows.some((row) => row.id === record);
}

/** Whether this mail is what an approved action sent: by its receipt, or where there is none by what it says and to whom. */
function ledTo(approval: Approval, mail: OutboxRow, effects: ActivityRow[]): boolean {
  if (!approval.tool.startsWith('email.') || approval.state === 'pending') return false;
  const effect = effects.find((one) => one.approval === approval.id);
  if (effect?.receipt) return proves(effect, mail.id);
  if (approval.state !== 'unknown' || mail.state !== 'unknown') return false;
  const args = approval.args as { draft?: JsonValue; subject?: JsonValue; to?: JsonValue } | null;
  if (args?.draft === mail.id) return true;
  return args?.subject === mail.subject && JSON.stringify(args.to) === JSON.stringify(mail.to);
}
