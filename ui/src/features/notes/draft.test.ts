import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NoteRow } from '../../host';
import { AUTOSAVE_MS, changesOf, Draft, tagsOf, type Changes } from './draft.svelte';

const note = { title: 'Lisbon', body: 'Fly 9 April', tags: ['travel'] };
const row = (more: Partial<NoteRow>): NoteRow => ({ id: 'n', created: '', updated: '', ...note, ...more });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a note while it is written', () => {
  it('is saved once, a pause after the last key, with only what changed', async () => {
    const save = vi.fn(async (_: Changes) => 'r-1');
    const draft = new Draft(note, save);
    draft.edit({ body: 'Fly 9' });
    await vi.advanceTimersByTimeAsync(AUTOSAVE_MS - 1);
    draft.edit({ body: 'Fly 10 April' });
    await vi.advanceTimersByTimeAsync(AUTOSAVE_MS - 1);
    expect(save).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(save.mock.calls).toEqual([[{ body: 'Fly 10 April' }]]);
    expect([draft.state, draft.effect]).toEqual(['saved', 'r-1']);
    await draft.flush();
    expect(save).toHaveBeenCalledTimes(1);
  });

  it('saves what was typed while it saved', async () => {
    let finish = (_: string) => {};
    const save = vi.fn((_: Changes) => new Promise<string>((done) => (finish = done)));
    const draft = new Draft(note, save);
    draft.edit({ body: 'a' });
    const first = draft.flush();
    draft.edit({ body: 'ab' });
    finish('r-1');
    await first;
    expect(draft.state).toBe('typing');
    await vi.advanceTimersByTimeAsync(AUTOSAVE_MS);
    expect(save.mock.calls.at(-1)).toEqual([{ body: 'ab' }]);
  });

  it('keeps the text and says so when it could not be saved', async () => {
    const draft = new Draft(note, () => Promise.reject(new Error('disk')));
    draft.edit({ body: 'kept' });
    await draft.flush();
    expect([draft.state, draft.text.body, draft.dirty]).toEqual(['failed', 'kept', true]);
  });

  it('takes over what changed elsewhere, but never over unsaved text', () => {
    const draft = new Draft(note, async () => null);
    draft.adopt(row({ body: 'from elsewhere' }));
    expect(draft.text.body).toBe('from elsewhere');
    draft.edit({ title: 'Mine' });
    draft.adopt(row({ title: 'Theirs' }));
    expect(draft.text.title).toBe('Mine');
  });

  it('knows what changed', () => {
    expect(changesOf(note, { ...note, title: '  ' })).toBeNull();
    expect(changesOf(note, { ...note, tags: ['home'] })).toEqual({ add_tags: ['home'], remove_tags: ['travel'] });
    expect(tagsOf(' a, ,b,a ')).toEqual(['a', 'b']);
  });
});
