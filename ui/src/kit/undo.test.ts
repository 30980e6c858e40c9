import { describe, expect, it } from 'vitest';
import { host } from '../host';
import { fake } from '../host/fake';
import { toasts } from './toast.svelte';
import { undoEffect, undoLast } from './undo';

const said = () => toasts.current?.text;

describe('an undo', () => {
  it('names what is as it was, and does not say again what was done to it', async () => {
    const { outcome } = await host.call('apply', { tool: 'task.complete', args: { id: 't-lease' } });
    if (outcome.state !== 'done' || !outcome.effect) throw new Error('It was not done.');
    await undoEffect(outcome.effect);
    expect(said()).toBe('Undone: “Send signed lease to Hannah”');
  });

  it('counts what it has no room to name', async () => {
    const row = fake.world.did('email.archive', 'Archived 2 mails.', null, () => {});
    const of = (id: string, label: string) => ({ kind: 'mail', id, label, version: 1, digest: null });
    fake.world.tables.activity = fake.world.tables.activity.map((one) =>
      one.id === row.id
        ? { ...one, receipt: { id: row.id, at: one.at, rows: [of('a', 'One'), of('b', 'Two'), of('c', 'Two')] } }
        : one,
    );
    await undoLast();
    expect(said()).toBe('Undone: 2 things');
  });
});
