import type { Approval } from '../../host';

/** What a card looks like; the state the engine stores, with time taken into account. */
export type CardState =
  'pending' | 'sending' | 'done' | 'failed' | 'unknown' | 'rejected' | 'expired' | 'superseded' | 'cancelled';

export function cardState(approval: Approval, now: number, expires: number): CardState {
  switch (approval.state) {
    case 'pending':
      // The engine refuses it from this moment on, whether it has said so yet or not.
      return now >= expires ? 'expired' : 'pending';
    case 'approved':
    case 'executing':
      return 'sending';
    case 'succeeded':
      return 'done';
    case 'denied':
      return 'rejected';
    case 'failed':
    case 'expired':
    case 'superseded':
    case 'cancelled':
      return approval.state;
    case 'unknown':
    case 'needs_person':
      return 'unknown';
  }
}
