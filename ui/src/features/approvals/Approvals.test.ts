import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import { fake } from '../../host/fake';
import { outbox } from '../../host/fake/rows';
import { live } from '../../kit/live.svelte';
import { eventually } from '../../kit/test/eventually';
import Approvals from './Approvals.svelte';

const queued = outbox.find((one) => one.id === 'o-priya')!;
const asked = (id: string) => fake.calls.some((call) => call.op === 'show' && (call.args as { id?: string }).id === id);

beforeEach(async () => {
  fake.reset('populated', 0);
  await live.reloadApprovals();
});

describe('a mail that is going out', () => {
  it('is shown without asking for an action of its name', async () => {
    live.outbox = [queued];
    fake.calls = [];
    render(Approvals, { id: queued.id });
    await screen.findByRole('button', { name: 'Make it a draft' });
    expect(asked(queued.id)).toBe(false);
    expect(live.fault).toBeNull();
  });
});

describe('rejecting everything that waits', () => {
  it('leaves the focus in the list', async () => {
    live.start();
    render(Approvals, { id: null });
    const all = await screen.findByRole('button', { name: 'Reject all' });
    all.focus();
    await fireEvent.click(all);
    const dialog = await screen.findByRole('dialog');
    const confirm = [...dialog.querySelectorAll('button')].find((one) => one.textContent?.includes('Reject all'))!;
    await fireEvent.click(confirm);
    await eventually(() => expect(live.waiting).toHaveLength(0));
    await eventually(() => expect(document.activeElement?.closest('[data-row]')).not.toBeNull());
  });
});

describe('the keys of a card', () => {
  it('name E only where something can be edited', async () => {
    const { unmount } = render(Approvals, { id: 'a-mail' });
    await screen.findByText('X');
    expect(screen.queryByText('E')).not.toBeNull();
    unmount();
    render(Approvals, { id: 'a-batch' });
    await screen.findByText('X');
    expect(screen.queryByText('E')).toBeNull();
  });
});
