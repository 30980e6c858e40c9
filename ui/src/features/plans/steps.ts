import { live } from '../../kit/live.svelte';
import type { Id, Risk, StepStatus } from '../../host';
import { reportLine } from '../../kit/report-text';
import { inPlaceOf } from '../../kit/talk/carried';
import type { StepView, TurnView } from '../../kit/talk/view';

/** The current step: the one that runs or waits, else the next, else the last. */
export function stepNow(turn: TurnView): StepView | undefined {
  return (
    turn.steps.find((step) => ['running', 'waiting', 'needs_answer'].includes(stepState(step))) ??
    turn.steps.find((step) => stepState(step) === 'next') ??
    turn.steps.at(-1)
  );
}

/** A step's result as one line of plain text; the rail is too narrow for lists and headings. */
export function plain(markdown: string): string {
  return markdown
    .replace(/^\s*(?:[-*]|#+|>)\s+/gm, '')
    .replace(/(\*\*|__|`)(.+?)\1/g, '$2')
    .replace(/\s*\n+\s*/g, ' · ')
    .trim();
}

/** The card of a step: the newest one, if the person edited it. */
export const cardNow = (step: StepView): Id | null => (step.approval === null ? null : inPlaceOf(step.approval, live));

const approvalNow = (step: StepView) => {
  const card = cardNow(step);
  return card === null ? undefined : live.approval(card);
};

/** The state of a step. Its card may have been edited or decided since the last event of the turn. */
export function stepState(step: StepView): StepStatus {
  if (step.state !== 'waiting') return step.state;
  const approval = approvalNow(step);
  if (!approval) return step.state;
  if (['denied', 'expired', 'cancelled', 'superseded'].includes(approval.state)) return 'cancelled';
  if (approval.state === 'executing') return 'running';
  if (approval.state === 'succeeded') return 'done';
  if (approval.state === 'failed') return 'failed';
  if (approval.state === 'unknown') return 'unknown';
  return step.state;
}

/** Whether a step waits although the person has approved it: for the end of its hold, or for a connection. */
export const isApproved = (step: StepView): boolean => approvalNow(step)?.state === 'approved';

/** How many steps are done by now, without those undone since. */
export const doneNow = (turn: TurnView): number => turn.steps.filter(isDone).length;

export const isDone = (step: StepView): boolean => stepState(step) === 'done' && !isUndone(step);

/** Whether what a step did was undone since. */
export function isUndone(step: StepView): boolean {
  const effect = effectNow(step);
  return effect !== null && live.effect(effect)?.undo === 'used';
}

const storedEffect = (step: StepView) => {
  const card = cardNow(step);
  return card === null ? undefined : live.effectOf(card);
};

/** The effect that proves a step, if there is one. */
export const effectNow = (step: StepView): Id | null => step.effect ?? storedEffect(step)?.id ?? null;

/** What came of a step, in one line; null while nothing is known that its title does not say. */
export function resultNow(step: StepView): string | null {
  const said = storedEffect(step)?.say ?? step.summary;
  const line = said ? plain(reportLine(said)) : '';
  return line === '' || line === step.say ? null : line;
}

/** What a step can do: what its card says of its way back, else the usual risk of its tool. */
export function riskNow(step: StepView, usual: Risk | null): Risk | null {
  const card = approvalNow(step)?.shown;
  const risk = step.risk ?? usual;
  return risk === 'destroys' && card?.undo_kind === 'yes' ? 'local_reversible' : risk;
}

/** Whether a step can still be moved or removed. */
export function canChange(state: StepStatus): boolean {
  return state === 'next' || state === 'waiting' || state === 'needs_answer';
}

/** Whether anything in the plan can be edited. */
export function canEdit(turn: TurnView): boolean {
  return turn.state === 'waiting' && turn.steps.some((step) => canChange(stepState(step)));
}
