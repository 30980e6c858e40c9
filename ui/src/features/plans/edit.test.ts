import { describe, expect, it } from 'vitest';
import { canMove, changesOf, moved, rowsOf, type Row } from './edit';

const plan = rowsOf([
  { key: 'a', say: 'A', state: 'done' },
  { key: 'b', say: 'B', state: 'waiting' },
  { key: 'c', say: 'C', state: 'next' },
  { key: 'd', say: 'D', state: 'next' },
]);

/** The order of the remaining steps after the engine has applied the changes. */
function granted(rows: readonly Row[]): string {
  let keys = plan.map((row) => row.key);
  for (const change of changesOf(plan, rows)) {
    keys = keys.filter((key) => key !== change.step);
    if (change.change === 'move')
      keys.splice(change.before ? keys.indexOf(change.before) : keys.length, 0, change.step);
  }
  return keys.join('');
}

describe('a plan that waits', () => {
  it('has steps that can be moved, but not past one that is over', () => {
    expect(plan.map((row) => row.locked)).toEqual([true, false, false, false]);
    expect(canMove(plan, 0, 1)).toBe(false);
    expect(canMove(plan, 1, -1)).toBe(false);
    expect(canMove(plan, 1, 1)).toBe(true);
    expect(canMove(plan, 3, 1)).toBe(false);
  });

  it('is changed by as few requests as it takes, later steps first', () => {
    expect(changesOf(plan, plan)).toEqual([]);
    expect(changesOf(plan, moved(plan, 2, 1))).toEqual([{ change: 'move', step: 'c' }]);
    expect(changesOf(plan, moved(plan, 2, -1))).toEqual([{ change: 'move', step: 'b', before: 'd' }]);
    const without = plan.map((row) => ({ ...row, out: row.key === 'b' || row.key === 'd' }));
    expect(changesOf(plan, without)).toEqual([
      { change: 'leave_out', step: 'd' },
      { change: 'leave_out', step: 'b' },
    ]);
  });

  it('comes out in the order that was chosen', () => {
    const [a, b, c, d] = plan as [Row, Row, Row, Row];
    for (const order of [
      [a, b, c, d],
      [a, d, c, b],
      [a, c, d, b],
      [a, d, b, c],
    ]) {
      expect(granted(order)).toBe(order.map((row) => row.key).join(''));
    }
    expect(granted([a, d, { ...b, out: true }, c])).toBe('adc');
  });
});
