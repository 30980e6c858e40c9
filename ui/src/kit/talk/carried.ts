import type { ActivityRow, Approval, Id } from '../../host';
import { keptDraft } from '../approve/kept';
import { usedModel } from './calls';
import { partsBeside } from './standing';
import type { EffectView, StepView, TurnView } from './view';

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

/** Whether a rejected card says that this effect kept its text: one of this turn, or any before a press on one. */
function saidByCard(effect: EffectView, turn: TurnView, turns: readonly TurnView[], stored: Stored): boolean {
  const row = stored.effect(effect.id);
  const cards = turn.text === '' ? turns.flatMap((one) => one.approvals) : turn.approvals;
  return cards.some((id) => {
    const approval = stored.approval(id);
    return row !== undefined && approval !== undefined && keptDraft(approval, [row]) !== undefined;
  });
}

/** The effects whose receipts stand in this turn. After a decision about a card, its place tells what it came to. */
export function receiptsOf(turn: TurnView, turns: readonly TurnView[], stored: Stored): EffectView[] {
  const own = turn.effects.filter((effect) => !saidByCard(effect, turn, turns, stored));
  if (turn.text !== '') return own;
  return own.filter(
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

/** How many times a card is replaced at most before the search for the newest one ends. */
const REPLACED_MAX = 50;

/** The id of the card that now stands in the place of this one: its own, unless an edit replaced it, once or several times. */
export function inPlaceOf(id: Id, stored: Pick<Stored, 'approval'>): Id {
  let now = id;
  for (let step = 0; step < REPLACED_MAX; step += 1) {
    const next = stored.approval(now)?.superseded_by ?? null;
    if (next === null) break;
    now = next;
  }
  return now;
}

/** A plan with what became of it in the turns that went on with it after its cards were decided. */
export function wentOn(plan: TurnView, turns: readonly TurnView[], stored: Stored): TurnView {
  const cards = new Set<Id | null>(plan.approvals.map((id) => inPlaceOf(id, stored)));
  let { steps } = plan;
  for (const later of turns.slice(turns.findIndex((one) => one.id === plan.id) + 1)) {
    if (!later.effects.some((effect) => cards.has(stored.effect(effect.id)?.approval ?? null))) continue;
    for (const id of later.approvals) cards.add(inPlaceOf(id, stored));
    steps = steps.map((step) => after(step, later));
  }
  return steps === plan.steps ? plan : { ...plan, steps };
}

/** A step as a later turn left it. */
function after(step: StepView, later: TurnView): StepView {
  const line = later.results.find((one) => one.step === step.key);
  if (!line) return step;
  const waiting = later.results.filter((one) => one.status === 'waiting');
  // A card names no step here; a single one belongs to the single step that waits.
  const card = line.status === 'waiting' && waiting.length === 1 ? later.approvals.at(-1) : undefined;
  return {
    ...step,
    state: line.status,
    summary: line.say || step.summary,
    error: line.error ?? step.error,
    effect: later.effects.find((effect) => effect.step === step.key)?.id ?? step.effect,
    approval: card ?? step.approval,
  };
}
