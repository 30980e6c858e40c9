import { fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import { approval, mailCard } from '../../host/fake/cards';
import { fake } from '../../host/fake';
import { outbox } from '../../host/fake/rows';
import { clock } from '../../kit/clock.svelte';
import { inbox } from './groups';
import Outgoing from './Outgoing.svelte';

const queued = outbox[0]!;

describe('mail on its way out', () => {
  it('counts a held one down and takes it back by undoing the effect', async () => {
    const held = { ...queued, state: 'held', not_before: new Date(clock.now() + 18_000).toISOString() };
    render(Outgoing, { mail: held, undoId: 'r-train' });
    flushSync();
    expect(screen.getByRole('timer').textContent).toMatch(/goes out in 1[78] s/);
    await fireEvent.click(screen.getByRole('button', { name: 'Take back' }));
    await vi.waitFor(() => expect(fake.calls.find((call) => call.op === 'undo')?.args).toEqual({ id: 'r-train' }));
  });

  it('says of a queued one that no account can send it yet', () => {
    const { container } = render(Outgoing, { mail: queued, undoId: null });
    expect(container.textContent).toContain('No account can send it yet');
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('the inbox', () => {
  it('puts tainted actions first, then those that run out first; held and queued mail goes out', () => {
    const now = clock.now();
    const plain = (id: string, minutes: number) =>
      approval(id, 'task.delete', { ...mailCard, notes: [], facts: [] }, now, { minutes });
    const box = inbox([plain('late', 12), plain('soon', 3), approval('tainted', 'email.send', mailCard, now)], outbox);
    expect(box.waiting.map((one) => one.id)).toEqual(['tainted', 'soon', 'late']);
    expect(box.going.map((one) => one.id)).toEqual(['o-priya']);
  });
});
