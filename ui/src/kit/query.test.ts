import { flushSync } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import { fake } from '../host/fake';
import { clock } from './clock.svelte';
import { cachedQuery, type Query } from './query.svelte';
import { eventually } from './test/eventually';
import { render } from '@testing-library/svelte';
import Asks from './test/Asks.svelte';

/** Mounts a component with a kept query, and returns the query and a way to unmount it. */
function open(key: string, load: () => Promise<string[]>): { rows: Query<string[]>; close: () => void } {
  let rows: Query<string[]> | undefined;
  const { unmount } = render(Asks, { ask: () => (rows = cachedQuery(['tasks'], () => key, load)) });
  flushSync();
  return { rows: rows as Query<string[]>, close: unmount };
}

async function filled(key: string, rows: string[]) {
  const first = open(key, () => Promise.resolve(rows));
  await eventually(() => expect(first.rows.data).toEqual(rows));
  first.close();
}

/** Long enough for a kept result to be asked for again. */
function later() {
  const now = clock.mono();
  clock.mono = () => now + 3_600_000;
}

describe('a kept query', () => {
  it('shows the last result at once, and then what the engine says now', async () => {
    await filled('open', ['old']);
    later();
    const again = open('open', () => Promise.resolve(['new']));
    expect(again.rows.data).toEqual(['old']);
    await eventually(() => expect(again.rows.data).toEqual(['new']));
  });

  it('asks for nothing again that is only a moment old', async () => {
    await filled('open', ['old']);
    const load = vi.fn(() => Promise.resolve(['new']));
    open('open', load);
    await new Promise((done) => setTimeout(done, 200));
    expect(load).not.toHaveBeenCalled();
  });

  it('shows nothing of another key', async () => {
    await filled('open', ['old']);
    expect(open('done', () => new Promise(() => undefined)).rows.data).toBeUndefined();
  });

  it('forgets a result that a change has made false', async () => {
    await filled('open', ['old']);
    fake.world.changed('tasks');
    expect(open('open', () => new Promise(() => undefined)).rows.data).toBeUndefined();
  });

  it('does not keep a reply that arrives after the component is gone', async () => {
    let reply = (_: string[]): void => undefined;
    const load = vi.fn(() => new Promise<string[]>((done) => (reply = done)));
    const first = open('open', load);
    await eventually(() => expect(load).toHaveBeenCalled());
    first.close();
    reply(['late']);
    await Promise.resolve();
    expect(open('open', () => new Promise(() => undefined)).rows.data).toBeUndefined();
  });

  it('draws nothing again where the reply is the same', async () => {
    await filled('open', ['same']);
    later();
    const load = vi.fn(() => Promise.resolve(['same']));
    const { rows } = open('open', load);
    const before = rows.data;
    await eventually(() => expect(load).toHaveBeenCalled());
    await Promise.resolve();
    expect(rows.data).toBe(before);
  });
});
