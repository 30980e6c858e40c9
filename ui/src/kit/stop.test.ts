import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fake } from '../host/fake';
import { live } from './live.svelte';
import { stopEverything } from './stop';
import { toasts } from './toast.svelte';

const said = () => toasts.current?.text;

describe('Stop everything', () => {
  beforeEach(async () => {
    fake.reset('held', 0);
    live.start();
    await vi.waitFor(() => expect(live.going).toHaveLength(1));
  });

  it('names what waited and is stopped, and keeps it as a draft', async () => {
    await stopEverything();
    const subject = fake.world.tables.outbox.find((one) => one.id === 'o-held')?.subject ?? '';
    expect(said()).toBe(`Stopped: “${subject}”. What was already done is in Activity.`);
    expect(fake.world.tables.outbox.find((one) => one.id === 'o-held')?.state).toBe('draft');
  });

  it('claims nothing of what it does not know', async () => {
    fake.reset('populated', 0);
    live.outbox = [];
    await stopEverything();
    expect(said()).toBe('Everything was stopped. What was already done is in Activity.');
  });

  it('does not name what went on nevertheless', async () => {
    fake.world.interrupt = () => undefined;
    await stopEverything();
    expect(said()).toBe('Everything was stopped. What was already done is in Activity.');
  });
});
