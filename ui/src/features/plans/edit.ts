import type { PlanChange } from '../../host';
import type { StepStatus } from '../../host';
import { canChange } from './steps';

/** One step while the plan is edited. Nothing is changed before it is saved. */
export interface Row {
  key: string;
  say: string;
  /** It ran, runs, or will never run: it stays where it is. */
  locked: boolean;
  /** Left out. */
  out: boolean;
}

export function rowsOf(steps: readonly { key: string; say: string; state: StepStatus }[]): Row[] {
  return steps.map(({ key, say, state }) => ({ key, say, locked: !canChange(state), out: false }));
}

/** Whether the step at this place can go one further: never past one that is over. */
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

/** What has to be asked for, in an order in which it can be granted: the last steps first, because they need earlier ones. */
export function changesOf(before: readonly Row[], rows: readonly Row[]): PlanChange[] {
  const out = new Set(rows.filter((row) => row.out).map((row) => row.key));
  const leave = before
    .filter((row) => out.has(row.key))
    .map(({ key }): PlanChange => ({ change: 'leave_out', step: key }));
  const wanted = rows.filter((row) => !row.out).map((row) => row.key);
  const now = before.filter((row) => !out.has(row.key)).map((row) => row.key);
  const moves: PlanChange[] = [];
  // From the end, so that what follows a step stands already where it belongs.
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
