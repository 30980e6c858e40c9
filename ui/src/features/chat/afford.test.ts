import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fake } from '../../host/fake';
import { host, HostFault } from '../../host';
import { clock } from '../../kit/clock.svelte';
import { AGAIN_FACTOR, Afford } from './afford';

let afford: Afford;
let stop: () => void;
const asked = (op: string) => fake.calls.filter((call) => call.op === op).length;

/** Connects a model that costs this many units per million tokens, input and output. */
function connect(units: number, free = false) {
  const model = {
    ...fake.world.models.model('gpt-large'),
    ...(free ? { free } : {}),
    input_micros_per_million: units * 1_000_000,
    output_micros_per_million: units * 1_000_000,
  };
  const draft = { name: 'Lab', kind: 'compatible', base_url: '', embedding: null, headers: {}, proxy: '' };
  fake.world.models.connect({ ...draft, models: { standard: model } }, null);
  fake.world.changed('settings');
}

beforeEach(() => {
  clock.now = () => fake.world.now();
  afford = new Afford();
  stop = afford.follow();
});
afterEach(() => stop());

describe('what a message could cost', () => {
  it('is not asked without a model that has a price, and that is asked once', async () => {
    connect(0, true);
    expect(await afford.large('main', 'Hello')).toBeNull();
    expect(await afford.large('main', 'Hello')).toBeNull();
    expect([asked('models'), asked('explain')]).toEqual([1, 0]);
  });

  it('is asked where a model in the world has no price: that is not nothing', async () => {
    connect(0);
    await afford.large('main', 'Hello');
    expect(asked('explain')).toBe(1);
  });

  it('is nothing to ask about where it is a small part of the limit of a day', async () => {
    connect(10);
    expect(await afford.large('main', 'Hello')).toBeNull();
    expect(asked('explain')).toBe(1);
  });

  it('is asked about where it is much, with what is spent today', async () => {
    connect(20);
    const large = await afford.large('main', 'Hello');
    expect(large?.estimate.at_most_micros).toBeGreaterThan(500_000);
    expect(large?.limit_micros).toBe(2_000_000);
    expect(large?.today_micros).toBe(400_000);
  });

  it('is not asked about again once it was agreed to, until it could be much more', async () => {
    connect(20);
    const large = await afford.large('main', 'Hello');
    if (!large) throw new Error('not large');
    afford.agree(large);
    expect(await afford.large('main', 'Hello')).toBeNull();
    connect(20 * AGAIN_FACTOR + 1);
    expect(await afford.large('main', 'Hello')).not.toBeNull();
  });

  it('keeps no message waiting: when it cannot be told, or not in time, the message goes', async () => {
    connect(20);
    const call = vi.spyOn(host, 'call');
    call.mockRejectedValueOnce(new HostFault({ code: 'busy', message: 'Busy.', hint: '' }));
    expect(await afford.large('main', 'Hello')).toBeNull();
    call.mockReturnValueOnce(new Promise(() => undefined));
    expect(await afford.large('main', 'Hello')).toBeNull();
    call.mockRestore();
  });
});
