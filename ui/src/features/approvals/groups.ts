import type { Approval } from '../../host';
import { isTainted } from '../../kit/live.svelte';
import { millis } from '../../kit/time';

export interface Inbox {
  /** Tainted ones first, then the one that runs out first. */
  waiting: Approval[];
  /** Approved and on their way, held ones included. */
  going: Approval[];
  /** Unknown outcomes and failures nobody has dealt with. */
  look: Approval[];
  earlier: Approval[];
}

export function inbox(approvals: Approval[]): Inbox {
  const byTime = (a: Approval, b: Approval) => millis(b.created) - millis(a.created);
  return {
    waiting: approvals
      .filter((one) => one.state === 'pending')
      .sort((a, b) => Number(isTainted(b)) - Number(isTainted(a)) || millis(a.expires) - millis(b.expires)),
    going: approvals.filter((one) => one.state === 'approved' || one.state === 'executing').sort(byTime),
    look: approvals.filter((one) => one.state === 'unknown').sort(byTime),
    earlier: approvals
      .filter((one) => ['succeeded', 'failed', 'denied', 'expired', 'superseded', 'cancelled'].includes(one.state))
      .sort(byTime),
  };
}

/** The next one to look at after this one was decided. */
export function nextWaiting(box: Inbox, after: string | null): Approval | undefined {
  const at = box.waiting.findIndex((one) => one.id === after);
  return box.waiting[at + 1] ?? box.waiting.find((one) => one.id !== after);
}
