import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fake } from '../host/fake';
import { router } from '../kit/router.svelte';
import { eventually } from '../kit/test/eventually';
import { toasts } from '../kit/toast.svelte';
import { researchNotices } from './research-notice';

const ends = (state: 'done' | 'paused' | 'stopped') => {
  const { world } = fake;
  world.research = world.research.map((one) =>
    one.row.id === 'r-pump' ? { ...one, row: { ...one.row, objective: 'Heat pumps', state } } : one,
  );
  world.tell({ event: 'research_state', id: 'r-pump', state, why: null });
};
const said = () => toasts.current?.text;
let stop = () => {};

beforeEach(() => {
  router.go('tasks');
  if (toasts.current) toasts.close(toasts.current.id);
  stop = researchNotices();
});
afterEach(() => stop());

describe('a research that ends while the person is elsewhere', () => {
  it('says so by its name, and leads to its report', async () => {
    ends('done');
    await eventually(() => expect(said()).toBe('The report on “Heat pumps” is ready'));
    toasts.current?.action?.run();
    expect(router.route).toEqual({ surface: 'research', id: 'r-pump' });
  });

  it('waits until what can be undone was read', async () => {
    toasts.show('“Renew passport” is done.', { label: 'Undo', run: () => {} });
    ends('paused');
    await eventually(() => expect(fake.calls.filter((call) => call.op === 'show')).not.toHaveLength(0));
    expect(said()).toBe('“Renew passport” is done.');
    toasts.close(toasts.current?.id ?? 0);
    await eventually(() => expect(said()).toBe('The research “Heat pumps” cannot go on without you'));
  });

  it('says nothing on its own page, nor of one that was stopped', async () => {
    ends('stopped');
    router.go('research', 'r-pump');
    ends('done');
    await new Promise((done) => setTimeout(done));
    expect(said()).toBeUndefined();
  });
});
