import { fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ActivityRow, Approval, OutboxRow } from '../../host';
import { approval, mailCard } from '../../host/fake/cards';
import { fake } from '../../host/fake';
import { activity, outbox } from '../../host/fake/rows';
import { clock } from '../clock.svelte';
import { live } from '../live.svelte';
import { eventually } from '../test/eventually';
import ApprovalSettled from './ApprovalSettled.svelte';
import type { CardState } from './state';

const now = clock.now();
const until = new Date(now + 18_000).toISOString();
const approved: Approval = { ...approval('act_1', 'email.send', mailCard, now), state: 'approved' };
const row = outbox.find((one) => one.id === 'o-priya')!;
const held: OutboxRow = { ...row, id: 'act_1', state: 'held', not_before: until, waits: { why: 'hold', until } };

const show = (one: Approval, phase: Exclude<CardState, 'pending'>) =>
  render(ApprovalSettled, { approval: one, phase, busy: true, fault: null, onagain: () => undefined });
const buttons = () => screen.queryAllByRole('button').map((one) => one.textContent);
const asked = (op: string) => fake.calls.filter((call) => call.op === op).map((call) => call.args);

describe('an action after its approval', () => {
  const { now: real } = clock;
  // The first card asks for the rows of the engine; they must be here before a test puts its own in their place.
  beforeAll(async () => {
    live.wantEffects();
    await eventually(() => expect(live.outbox.length * live.effects.length).toBeGreaterThan(0));
  });
  beforeEach(() => {
    clock.now = () => now;
    live.effects = [];
    live.outbox = [];
  });
  afterEach(() => {
    clock.now = real;
    live.outbox = [];
  });

  it('counts down while the mail is held, and takes it back instead of stopping what does not run', async () => {
    live.outbox = [held];
    show(approved, 'sending');
    const timer = await screen.findByRole('timer');
    expect(timer.textContent).toMatch(/goes out in 18 s/);
    expect(buttons()).toEqual(['Take back', 'Send now']);
    await fireEvent.click(screen.getByRole('button', { name: 'Take back' }));
    await eventually(() => expect(asked('outbox')).toContainEqual({ id: 'act_1', act: 'to_draft' }));
    expect(asked('interrupt')).toEqual([]);
  });

  it('says that there is no connection, in the words of Approvals', async () => {
    live.outbox = [{ ...held, state: 'queued', not_before: null, waits: { why: 'connection', until } }];
    const { container } = show({ ...approved, tool: 'calendar.update' }, 'sending');
    await screen.findByRole('button', { name: 'Try now' });
    expect(container.textContent).toContain('Approved, and not done yet: there is no connection.');
    expect(container.textContent).not.toContain('Working');
  });

  it('stops only what runs', async () => {
    const { rerender } = show(approved, 'sending');
    expect(buttons()).toEqual([]);
    await rerender({ approval: { ...approved, state: 'executing' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
    await eventually(() => expect(asked('interrupt')).toContainEqual({ turn: approved.turn, conversation: null }));
  });

  it('says after it was taken back that the mail is a draft again', () => {
    const back: ActivityRow = {
      ...activity[0]!,
      ...{ id: 'eff_back', tool: 'outbox.draft', args: { id: 'act_1' }, outcome: 'succeeded', approval: null },
    };
    const cancelled: Approval = { ...approved, state: 'cancelled' };
    const { container } = show(cancelled, 'cancelled');
    expect(container.textContent).toContain('Cancelled, nothing done');
    live.effects = [back];
    flushSync();
    expect(container.textContent).toContain('Taken back, not sent. It is a draft again.');
    expect(screen.getByRole('link', { name: 'Receipt' }).getAttribute('href')).toContain('eff_back');
  });
});
