import type { ActivityRow, Approval, Id } from '../../host';
import { usedModel } from './calls';
import { partsBeside } from './standing';
import type { EffectView, TurnView } from './view';

/** The stored rows, as far as they have loaded. */
export interface Stored {
  effect: (id: Id) => ActivityRow | undefined;
  effectOf: (approval: Id) => ActivityRow | undefined;
  approval: (id: Id) => Approval | undefined;
}

const CARRIED_OUT = new Set<Approval['state']>(['approved', 'executing', 'succeeded', 'failed', 'unknown']);

const others = (turn: TurnView, turns: readonly TurnView[]) => turns.filter((one) => one.id !== turn.id);

/** The action of another turn that this effect carried out: a decision about a card goes on in a turn of its own. */
function actionOf(effect: EffectView, turn: TurnView, turns: readonly TurnView[], stored: Stored): Id | null {
  const id = stored.effect(effect.id)?.approval ?? null;
  return id !== null && others(turn, turns).some((one) => one.approvals.includes(id)) ? id : null;
}

/** Whether an effect whose row has not loaded belongs to a card, by its step. */
function looksCarried(effect: EffectView, turn: TurnView, turns: readonly TurnView[], stored: Stored): boolean {
  if (stored.effect(effect.id)) return false;
  const steps = others(turn, turns).flatMap((one) => one.steps);
  return steps.some(({ key, approval }) => {
    if (key !== effect.step || approval === null || stored.effectOf(approval)) return false;
    return CARRIED_OUT.has(stored.approval(approval)?.state ?? 'pending');
  });
}

/** The effects whose receipts stand in this turn. After a press on a card, the receipt stands in place of the card. */
export function receiptsOf(turn: TurnView, turns: readonly TurnView[], stored: Stored): EffectView[] {
  if (turn.text !== '') return turn.effects;
  return turn.effects.filter(
    (effect) => actionOf(effect, turn, turns, stored) === null && !looksCarried(effect, turn, turns, stored),
  );
}

/** The actions whose receipts stand in a later turn, because a message such as “yes” approved them. */
export function toldLater(turns: readonly TurnView[], stored: Stored): Set<Id> {
  const messages = turns.filter((turn) => turn.text !== '');
  return new Set(
    messages.flatMap((turn) => turn.effects.flatMap((effect) => actionOf(effect, turn, turns, stored) ?? [])),
  );
}

/** Whether a turn after a press on a card has nothing to show that the card does not show. */
export function isSilent(turn: TurnView, turns: readonly TurnView[], stored: Stored): boolean {
  if (turn.text !== '' || !others(turn, turns).some((one) => one.approvals.length > 0)) return false;
  const quiet = turn.state === 'done' || (turn.state === 'running' && turn.status === null);
  const asks = turn.approvals.length + turn.questions.length + turn.near.length + turn.used.length > 0;
  const tells = turn.error !== null || usedModel(turn) || turn.steps.some((step) => step.research !== null);
  return quiet && !asks && !tells && receiptsOf(turn, turns, stored).length === 0 && partsBeside(turn).length === 0;
}
