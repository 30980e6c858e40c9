import type { ActivityRow, Approval, JsonValue } from '../../host';
import { proofs } from '../proofs';
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

/** The effect that took an approved action back before it was carried out. */
export function takenBack(approval: Approval, effects: readonly ActivityRow[]): ActivityRow | undefined {
  if (approval.state !== 'cancelled') return undefined;
  return effects.find(
    (one) =>
      one.outcome === 'succeeded' &&
      ((one.tool.startsWith('outbox.') && fieldsOf(one)['id'] === approval.id) ||
        proofs(one.receipt).some(({ id }) => id === approval.id)),
  );
}

const fieldsOf = ({ args }: ActivityRow): { [key: string]: JsonValue | undefined } =>
  args !== null && typeof args === 'object' && !Array.isArray(args) ? args : {};

function bodyOf(row: ActivityRow): string | null {
  const { body } = fieldsOf(row);
  return typeof body === 'string' ? body : null;
}
