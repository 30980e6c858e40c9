import { beforeEach, describe, expect, it } from 'vitest';
import { announce } from './announce.svelte';
import { storage } from './storage.svelte';
import { toasts } from './toast.svelte';

const full = { code: 'disk_full', message: 'The disk is full.', hint: 'Free some space.' };

beforeEach(() => {
  toasts.current = null;
  storage.fault = null;
});

describe('a toast', () => {
  it('does not repeat what the bar over every surface says; that is said aloud instead', () => {
    toasts.show(full.message);
    expect(toasts.current).not.toBeNull();
    toasts.current = null;
    storage.told(full);
    const said = announce.assertive.length;
    toasts.show(full.message);
    expect(toasts.current).toBeNull();
    expect(announce.assertive.length).toBe(said + 1);
    toasts.show('Something else went wrong.');
    expect(toasts.current).toMatchObject({ text: 'Something else went wrong.' });
  });

  it('is the line of a report, without the list of everything that was changed', () => {
    const text = 'Changed 2 tasks.\n- Renew car insurance · due Sat 28 Nov\n- Return library books · due Sat 28 Nov';
    toasts.show(text);
    expect(toasts.current).toMatchObject({ text: 'Changed 2 tasks.' });
    toasts.queue(text);
    toasts.close(toasts.current?.id ?? -1);
    expect(toasts.current).toMatchObject({ text: 'Changed 2 tasks.' });
  });
});
