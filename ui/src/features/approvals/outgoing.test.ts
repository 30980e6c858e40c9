import { fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { describe, expect, it } from 'vitest';
import { approval, mailCard } from '../../host/fake/cards';
import { fake } from '../../host/fake';
import { activity as effects, outbox } from '../../host/fake/rows';
import { clock } from '../../kit/clock.svelte';
import { inbox } from './groups';
import Outgoing from './Outgoing.svelte';
import { eventually } from '../../kit/test/eventually';

const queued = outbox.find((one) => one.id === 'o-priya')!;
const draft = outbox.find((one) => one.id === 'o-draft')!;
const unknown = outbox.find((one) => one.id === 'o-invoice')!;

const asked = () => fake.calls.filter((call) => call.op === 'outbox').map((call) => call.args);

describe('mail on its way out', () => {
  it('counts a held one down and takes it back', async () => {
    const now = clock.now();
    clock.now = () => now;
    const until = new Date(now + 18_000).toISOString();
    const held = { ...queued, state: 'held' as const, not_before: until, waits: { why: 'hold' as const, until } };
    render(Outgoing, { mail: held, undoId: null });
    flushSync();
    expect(screen.getByRole('timer').textContent).toMatch(/goes out in 18 s/);
    await fireEvent.click(screen.getByRole('button', { name: 'Take back' }));
    await eventually(() => expect(asked()).toContainEqual({ id: 'o-priya', act: 'to_draft' }));
  });

  it('says of a queued one that no account can send it yet', () => {
    const { container } = render(Outgoing, { mail: queued, undoId: null });
    expect(container.textContent).toContain('No account can send it yet');
    expect(screen.getAllByRole('button').map((one) => one.textContent)).toEqual(['Make it a draft']);
  });
});

describe('what can be decided about it', () => {
  it('a held one leaves at once when the person says so', async () => {
    const waits = { why: 'hold' as const, until: queued.updated };
    render(Outgoing, { mail: { ...queued, state: 'held', not_before: null, waits }, undoId: null });
    await fireEvent.click(screen.getByRole('button', { name: 'Send now' }));
    await eventually(() => expect(asked()).toContainEqual({ id: 'o-priya', act: 'send_now' }));
  });

  it('what waits for a connection says until when, and is tried now or taken back', () => {
    const until = new Date(clock.now() + 3_600_000).toISOString();
    const waits = { why: 'connection' as const, until };
    const { container } = render(Outgoing, { mail: { ...queued, id: 'act_1', waits }, undoId: null });
    expect(container.textContent).toContain('there is no connection. It is tried again until');
    expect(screen.getAllByRole('button').map((one) => one.textContent)).toEqual(['Take back', 'Try now']);
  });

  it('what waits for a sign-in names its account', () => {
    const until = new Date(clock.now() + 3_600_000).toISOString();
    const waits = { why: 'sign_in' as const, until, account: 'Work mail' };
    const { container } = render(Outgoing, { mail: { ...queued, id: 'act_1', waits }, undoId: null });
    expect(container.textContent).toContain('sign in to Work mail again');
    expect(screen.getAllByRole('button').map((one) => one.textContent)).toEqual(['Take back', 'Try now']);
  });

  it('an unknown one is looked for, and what was found is said where it was asked', async () => {
    render(Outgoing, { mail: unknown, undoId: null });
    expect(screen.queryByRole('button', { name: /draft|Send/ })).toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: 'Check again' }));
    await eventually(() => expect(screen.getByRole('alert').textContent).toContain('is not in Sent'));
    expect(screen.getByRole('alert').textContent).toContain('no connected account to ask');
  });

  it('a draft is sent through the gate', async () => {
    render(Outgoing, { mail: draft, undoId: null });
    await fireEvent.click(screen.getByRole('button', { name: 'Send…' }));
    await eventually(() =>
      expect(fake.calls.find((call) => call.op === 'apply')?.args).toEqual({
        tool: 'email.send',
        args: { draft: 'o-draft' },
      }),
    );
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
    expect(box.look.map((one) => one.id)).toEqual(['o-invoice']);
    expect(box.drafts.map((one) => one.id)).toEqual(['o-draft']);
  });

  it('lists what is approved and waits once, as the outbox does', () => {
    const card = approval('act_1', 'email.send', mailCard, clock.now(), { state: 'approved' });
    const waits = { why: 'connection' as const, until: queued.updated };
    const box = inbox([card], [{ ...queued, id: 'act_1', waits }]);
    expect(box.going.map((one) => [one.kind, one.id])).toEqual([['mail', 'act_1']]);
  });

  it('lists a mail whose outcome nobody knows once, as the mail: by its receipt, else by what it says and to whom', () => {
    const now = clock.now();
    const args = { to: unknown.to, subject: unknown.subject, body: unknown.body };
    const card = approval('sent', 'email.send', mailCard, now, { state: 'unknown', args });
    expect(inbox([card], [unknown]).look.map((one) => one.id)).toEqual(['o-invoice']);
    // An action that only the person can settle always stays in view.
    expect(inbox([{ ...card, state: 'needs_person' }], []).look.map((one) => one.id)).toEqual(['sent']);
    // Another mail, which came from no card.
    const other = { ...unknown, id: 'o-other', subject: 'Another' };
    expect(inbox([card], [other]).look.map((one) => one.id)).toEqual(['sent', 'o-other']);
    const done = { ...card, state: 'succeeded' as const };
    const effect = { ...effects[0]!, approval: 'sent', receipt: { id: 'r', rows: [{ id: 'o-priya' }] } };
    const held = inbox([done], [queued], [effect]);
    expect([held.going.map((one) => one.id), held.earlier]).toEqual([['o-priya'], []]);
    expect(inbox([done], [{ ...queued, state: 'sent' as const }], [effect]).earlier).toHaveLength(1);
  });
});
