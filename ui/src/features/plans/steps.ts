import { live } from '../../kit/live.svelte';
import type { Id, Risk, StepStatus } from '../../host';
import { reportLine } from '../../kit/report-text';
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

/** The state of a step. Its card may have been decided since the last event of the turn. */
export function stepState(step: StepView): StepStatus {
  if (step.state !== 'waiting' || step.approval === null) return step.state;
  const approval = live.approval(step.approval);
  if (!approval) return step.state;
  if (['denied', 'expired', 'cancelled'].includes(approval.state)) return 'cancelled';
  if (approval.state === 'executing') return 'running';
  if (approval.state === 'succeeded') return 'done';
  if (approval.state === 'failed') return 'failed';
  if (approval.state === 'unknown') return 'unknown';
  return step.state;
}

/** How many steps are done by now. */
export const doneNow = (turn: TurnView): number => turn.steps.filter((step) => stepState(step) === 'done').length;

/** The effect that proves a step, if there is one. */
export const effectNow = (step: StepView): Id | null =>
  step.effect ?? (step.approval === null ? null : (live.effectOf(step.approval)?.id ?? null));

/** What came of a step, in one line; null while nothing is known that its title does not say. */
export function resultNow(step: StepView): string | null {
  const stored = step.approval === null ? undefined : live.effectOf(step.approval)?.say;
  const said = stored ?? step.summary;
  const line = said ? plain(reportLine(said)) : '';
  return line === '' || line === step.say ? null : line;
}

/** What a step can do: what its card says of its way back, else the usual risk of its tool. */
export function riskNow(step: StepView, usual: Risk | null): Risk | null {
  const card = step.approval === null ? undefined : live.approval(step.approval)?.shown;
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
