import type { PlanChange } from '../../host';
import type { StepStatus } from '../../host';
import { canChange } from './steps';

/** One step in the editor. Nothing changes before the person saves. */
export interface Row {
  key: string;
  say: string;
  /** The step has run, is running, or never will; it keeps its place. */
  locked: boolean;
  /** The person removed the step. */
  out: boolean;
}

export function rowsOf(steps: readonly { key: string; say: string; state: StepStatus }[]): Row[] {
  return steps.map(({ key, say, state }) => ({ key, say, locked: !canChange(state), out: false }));
}

/** Whether the step can move by one place; it cannot pass a locked step. */
export function canMove(rows: readonly Row[], at: number, by: 1 | -1): boolean {
  const [here, there] = [rows[at], rows[at + by]];
  return here !== undefined && there !== undefined && !here.locked && !there.locked;
}

export function moved(rows: readonly Row[], at: number, by: 1 | -1): Row[] {
  const next = [...rows];
  const [row] = next.splice(at, 1);
  if (row) next.splice(at + by, 0, row);
  return next;
}

/**
 * The changes to request, in an order the engine can grant: the last steps first, because they depend on earlier ones.
 */
export function changesOf(before: readonly Row[], rows: readonly Row[]): PlanChange[] {
  const out = new Set(rows.filter((row) => row.out).map((row) => row.key));
  const leave = before
    .filter((row) => out.has(row.key))
    .map(({ key }): PlanChange => ({ change: 'leave_out', step: key }));
  const wanted = rows.filter((row) => !row.out).map((row) => row.key);
  const now = before.filter((row) => !out.has(row.key)).map((row) => row.key);
  const moves: PlanChange[] = [];
  // Goes from the end, so that the step after each one is already in place.
  for (let at = wanted.length - 1; at >= 0; at -= 1) {
    const step = wanted[at];
    if (step === undefined || now[at] === step) continue;
    const follower = wanted[at + 1];
    moves.push({ change: 'move', step, ...(follower === undefined ? {} : { before: follower }) });
    now.splice(now.indexOf(step), 1);
    now.splice(at, 0, step);
  }
  return [...leave.reverse(), ...moves];
}
