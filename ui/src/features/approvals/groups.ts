import type { ActivityRow, Approval, ApprovalState, Id, JsonValue, OutboxRow, OutboxState } from '../../host';
import { isTainted } from '../../kit/live.svelte';
import { millis } from '../../kit/time';

/** One line of the inbox: an action with its card, or a mail on its way out. */
export type Entry = { kind: 'action'; id: Id; approval: Approval } | { kind: 'mail'; id: Id; mail: OutboxRow };

export interface Inbox {
  /** Tainted ones first, then the one that runs out first. */
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
    waiting: states('waiting').sort(
      (a, b) => Number(isTainted(b)) - Number(isTainted(a)) || millis(a.expires) - millis(b.expires),
    ),
    going: [...states('going').sort(newest).map(action), ...mails('held', 'queued')],
    look: [...states('look').sort(newest).map(action), ...mails('unknown', 'failed')],
    drafts: mails('draft'),
    earlier: states('earlier').sort(newest),
  };
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
