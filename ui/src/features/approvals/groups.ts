import type { ActivityRow, Approval, ApprovalState, Id, JsonValue, OutboxRow, OutboxState } from '../../host';
import { isTainted } from '../../kit/live.svelte';
import { millis } from '../../kit/time';

/** One line of the inbox: a single action, a flood of similar ones, or a mail on its way out. */
export type Entry =
  | { kind: 'action'; id: Id; approval: Approval }
  | { kind: 'flood'; id: Id; approvals: Approval[] }
  | { kind: 'mail'; id: Id; mail: OutboxRow };

/** The id prefix of an address that shows several similar cards together. */
const TOGETHER = 'alike-';
export const togetherId = (id: Id): Id => `${TOGETHER}${id}`;
/** Splits an address into the id of the card and whether similar cards are shown with it. */
export function named(id: Id | null): { id: Id | null; together: boolean } {
  const together = id?.startsWith(TOGETHER) ?? false;
  return { id: together && id !== null ? id.slice(TOGETHER.length) : id, together };
}

const sameKind = (one: Approval, other: Approval) => one.tool === other.tool && one.account === other.account;

/** The waiting actions with the same tool and account. Outside a flood, a tainted action is decided alone. */
export function alike(waiting: Approval[], one: Approval | undefined): Approval[] {
  if (!one) return [];
  const all = waiting.filter((other) => sameKind(one, other));
  return one.flood === null ? all.filter((other) => !isTainted(other)) : all;
}

/** The waiting actions of one conversation. */
export interface Talk {
  conversation: Id;
  /** Counts cards, not lines: a flood is one line with many cards. */
  count: number;
  entries: Entry[];
}

/** The waiting actions by conversation, in inbox order. A flood becomes one line at the place of its first action. */
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
  /** Grouped by conversation; tainted actions first, then the one that expires first. */
  waiting: Approval[];
  /** Approved and on their way, including held and queued mail. */
  going: Entry[];
  /** Actions and mail with an unknown outcome, and mail that was refused. */
  look: Entry[];
  /** Drafts that nobody has approved yet. */
  drafts: Entry[];
  earlier: Approval[];
}

type Group = Exclude<keyof Inbox, 'drafts'>;

/** The inbox group of each state. */
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
  // A mail that is on its way or in doubt appears once, as the mail: only there can the person act on it.
  const told = new Set(approvals.filter((one) => under.some((mail) => ledTo(one, mail, effects))).map((one) => one.id));
  // An approved mail that still waits is in the outbox under the id of its approval.
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

/** Moves the actions of one conversation next to each other, at the place of the first one. */
function together(waiting: Approval[]): Approval[] {
  const talks = new Map<Id, Approval[]>();
  for (const one of waiting) talks.set(one.conversation, [...(talks.get(one.conversation) ?? []), one]);
  return [...talks.values()].flat();
}

export function action(approval: Approval): Entry {
  return { kind: 'action', id: approval.id, approval };
}

/** The action to show after this one was decided. */
export function nextWaiting(box: Inbox, after: Id | null): Approval | undefined {
  const at = box.waiting.findIndex((one) => one.id === after);
  return box.waiting[at + 1] ?? box.waiting.find((one) => one.id !== after);
}

/** Whether the receipt of an effect names this record. */
export function proves(effect: ActivityRow, record: Id): boolean {
  const receipt = effect.receipt as { rows?: { id?: string }[] } | null;
  return Array.isArray(receipt?.rows) && receipt.rows.some((row) => row.id === record);
}

/** Whether this action sent this mail: by its receipt or, if both are unknown, by draft or subject and recipients. */
function ledTo(approval: Approval, mail: OutboxRow, effects: ActivityRow[]): boolean {
  if (!approval.tool.startsWith('email.') || approval.state === 'pending') return false;
  const effect = effects.find((one) => one.approval === approval.id);
  if (effect?.receipt) return proves(effect, mail.id);
  if (approval.state !== 'unknown' || mail.state !== 'unknown') return false;
  const args = approval.args as { draft?: JsonValue; subject?: JsonValue; to?: JsonValue } | null;
  if (args?.draft === mail.id) return true;
  return args?.subject === mail.subject && JSON.stringify(args.to) === JSON.stringify(mail.to);
}
