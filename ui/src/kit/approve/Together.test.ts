import { render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { flushSync, tick } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { host, HostFault, type Approval } from '../../host';
import { fake } from '../../host/fake';
import { clock } from '../clock.svelte';
import { eventually } from '../test/eventually';
import { GUARD_MS } from './guard';
import Together from './Together.svelte';

let mono = 0;
/** The visible and the full height of the list. */
let list = { clientHeight: 300, scrollHeight: 300 };

beforeEach(() => {
  mono = 1000;
  clock.mono = () => mono;
  list = { clientHeight: 300, scrollHeight: 300 };
  HTMLElement.prototype.getBoundingClientRect = () => ({ top: 1, right: 9, left: 0, height: 9 }) as DOMRect;
  for (const name of ['clientHeight', 'scrollHeight'] as const) {
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => list[name] });
  }
  fake.reset('flood', 0);
  vi.restoreAllMocks();
});

const ofTool = (tool: string) => fake.world.approvals.filter((one) => one.tool === tool);
function show(approvals: Approval[]) {
  const ondone = vi.fn();
  render(Together, { approvals, ondone });
  flushSync();
  fake.calls = [];
  return ondone;
}
async function press(name: RegExp, at: number) {
  mono = Math.max(mono, at);
  const event = new MouseEvent('click', { bubbles: true, cancelable: true });
  Object.defineProperty(event, 'timeStamp', { value: at });
  screen.getByRole('button', { name }).dispatchEvent(event);
  await tick();
}
const decided = (op: 'approve' | 'reject') => fake.calls.filter((call) => call.op === op).map((call) => call.args);

describe('several decided together', () => {
  it('are each approved by what was shown of them, without the one that was found and the one left out', async () => {
    const [first, second, found] = ofTool('calendar.update');
    if (!first || !second || !found) throw new Error('three');
    const ondone = show([first, second, found]);
    expect(screen.getByText(/decide it on its own card/)).toBeTruthy();
    await userEvent.click(screen.getByRole('checkbox', { name: /Budget review/ }));
    await press(/^Approve 1 action/, mono + GUARD_MS + 1);
    await eventually(() => expect(ondone).toHaveBeenCalled());
    expect(decided('approve')).toEqual([{ id: first.id, digest: first.digest }]);
  });

  it('are not decided before the guard is over, nor before the end of the list was seen', async () => {
    list = { clientHeight: 300, scrollHeight: 900 };
    const moves = ofTool('calendar.update').slice(0, 2);
    show(moves);
    await press(/^Approve 2/, mono + GUARD_MS + 1);
    expect(decided('approve')).toEqual([]);
    list = { clientHeight: 900, scrollHeight: 900 };
    screen.getByRole('region', { name: '2 items' }).dispatchEvent(new Event('scroll'));
    await tick();
    await press(/^Approve 2/, 1001);
    expect(decided('approve')).toEqual([]);
    expect(screen.getByText(/Press again/)).toBeTruthy();
  });

  it('say how far they came when one is refused', async () => {
    const moves = ofTool('calendar.update').slice(0, 2);
    const ondone = show(moves);
    const call = host.call.bind(host);
    vi.spyOn(host, 'call').mockImplementation(async (op, args) => {
      if (op === 'approve' && (args as { id: string }).id === moves[1]?.id)
        throw new HostFault({ code: 'gone', message: 'This expired.', hint: 'Ask again.' });
      return call(op, args);
    });
    await press(/^Approve 2/, mono + GUARD_MS + 1);
    await eventually(() => expect(screen.getByRole('alert').textContent).toContain('1 approved. This expired.'));
    expect(ondone).not.toHaveBeenCalled();
  });

  it('of a flood are all rejected by one press, and a notice says how many there are', async () => {
    const ondone = show(ofTool('email.send'));
    expect(screen.getByText(/Unusually many: 16/)).toBeTruthy();
    await press(/^Reject 16/, mono + GUARD_MS + 1);
    await eventually(() => expect(ondone).toHaveBeenCalled());
    expect(decided('reject')).toHaveLength(16);
  });
});
