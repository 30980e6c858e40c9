import type { Approval } from '../../host';

/** The look of a card: the stored state, plus expiry. */
export type CardState =
  'pending' | 'sending' | 'done' | 'failed' | 'unknown' | 'rejected' | 'expired' | 'superseded' | 'cancelled';

export function cardState(approval: Approval, now: number, expires: number): CardState {
  switch (approval.state) {
    case 'pending':
      // From this moment the engine refuses the action, even if the stored state does not say so yet.
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
