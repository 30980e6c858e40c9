import type { ActivityRow, Approval } from '../../host';
import { millis } from '../time';

/** The tool that keeps the text of a rejected mail. */
const KEEPER = 'email.draft';

/** The effect that kept the text of a rejected mail as a draft, if there was one and the draft still stands. */
export function keptDraft(approval: Approval, effects: readonly ActivityRow[]): ActivityRow | undefined {
  if (approval.state !== 'denied') return undefined;
  const { body } = approval.shown;
  if (body === null) return undefined;
  return effects.find(
    (one) =>
      one.tool === KEEPER &&
      one.outcome === 'succeeded' &&
      one.undo !== 'used' &&
      one.conversation === approval.conversation &&
      millis(one.at) >= millis(approval.created) &&
      bodyOf(one)?.trim() === body.trim(),
  );
}

function bodyOf({ args }: ActivityRow): string | null {
  const fields = args !== null && typeof args === 'object' && !Array.isArray(args) ? args : {};
  return typeof fields['body'] === 'string' ? fields['body'] : null;
}
