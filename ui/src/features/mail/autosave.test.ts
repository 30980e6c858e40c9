import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fake } from '../../host/fake';
import { Autosave, SAVE_EVERY_MS } from './autosave.svelte';
import { pathsIn } from './paste';

const drafts = () =>
  fake.calls.flatMap(({ op, args }) => {
    const { tool, args: given } = args as { tool?: string; args?: Record<string, unknown> };
    return op === 'apply' && tool === 'email.draft' ? [given] : [];
  });

describe('a mail that is written', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it('is kept as one draft, at most once in a few seconds however fast somebody types', async () => {
    const kept = new Autosave();
    for (let n = 1; n <= 20; n += 1) {
      kept.type({ body: 'x'.repeat(n) });
      await pass(SAVE_EVERY_MS / 10);
    }
    await pass(SAVE_EVERY_MS);
    expect(drafts().length).toBeLessThanOrEqual(3);
    expect(drafts().at(-1)).toEqual({ body: 'x'.repeat(20), draft: kept.id });
    expect(drafts()[0]).not.toHaveProperty('draft');
    const before = drafts().length;
    kept.type({ body: 'x'.repeat(20) });
    await pass(SAVE_EVERY_MS * 2);
    expect(drafts().length).toBe(before);
  });

  it('is not kept any more once it was stopped', async () => {
    const kept = new Autosave();
    kept.type({ body: 'a' });
    await kept.stop();
    await pass(SAVE_EVERY_MS * 2);
    expect(drafts()).toEqual([]);
    expect(kept.in({ body: 'a' })).toEqual({ body: 'a' });
  });
});

it('a list of copied files names those of this computer', () => {
  const list =
    '# a note\r\nfile:///home/mara/a%20b.txt\r\nfile://other/c.txt\r\nhttps://x.example/d\r\nfile:///%E0%A4%A';
  expect(pathsIn(list)).toEqual(['/home/mara/a b.txt']);
  expect(pathsIn('')).toEqual([]);
});
