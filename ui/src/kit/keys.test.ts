import { afterEach, describe, expect, it, vi } from 'vitest';
import { bindKeys } from './keys.svelte';
import { look } from './look.svelte';

let stop = () => {};
afterEach(() => {
  stop();
  look.set({ letters: true });
  document.body.replaceChildren();
});

function press(init: KeyboardEventInit, target: EventTarget = document.body) {
  target.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }));
}

describe('keys', () => {
  it('run with Ctrl anywhere, single letters only outside text fields', () => {
    const letter = vi.fn();
    const combo = vi.fn();
    stop = bindKeys({ j: letter, 'mod+k': combo });
    press({ key: 'j', code: 'KeyJ' });
    press({ key: 'k', code: 'KeyK', ctrlKey: true });
    const field = document.body.appendChild(document.createElement('textarea'));
    field.focus();
    press({ key: 'j', code: 'KeyJ' }, field);
    press({ key: 'k', code: 'KeyK', ctrlKey: true }, field);
    expect(letter).toHaveBeenCalledTimes(1);
    expect(combo).toHaveBeenCalledTimes(2);
  });

  it('leave Delete to a text that is written, and to a key that is held down', () => {
    const remove = vi.fn();
    stop = bindKeys({ Delete: remove });
    const field = document.body.appendChild(document.createElement('textarea'));
    field.focus();
    press({ key: 'Delete', code: 'Delete' }, field);
    expect(remove).not.toHaveBeenCalled();
    field.remove();
    look.set({ letters: false });
    press({ key: 'Delete', code: 'Delete' });
    press({ key: 'Delete', code: 'Delete', repeat: true });
    expect(remove).toHaveBeenCalledOnce();
  });

  it('can be turned off where they are single letters, do not repeat, and leave AltGr alone', () => {
    const letter = vi.fn();
    const combo = vi.fn();
    stop = bindKeys({ j: letter, 'mod+k': combo });
    press({ key: 'j', code: 'KeyJ', repeat: true });
    press({ key: 'k', code: 'KeyK', ctrlKey: true, altKey: true });
    look.set({ letters: false });
    press({ key: 'j', code: 'KeyJ' });
    expect(letter).not.toHaveBeenCalled();
    expect(combo).not.toHaveBeenCalled();
  });

  it('knows Ctrl Shift . by the key, whatever it types', () => {
    const all = vi.fn();
    const one = vi.fn();
    stop = bindKeys({ 'mod+shift+.': all, 'mod+.': one });
    press({ key: '>', code: 'Period', ctrlKey: true, shiftKey: true });
    press({ key: '.', code: 'Period', ctrlKey: true });
    expect(all).toHaveBeenCalledOnce();
    expect(one).toHaveBeenCalledOnce();
  });

  it('asks the newest first, and goes on when it declines', () => {
    const below = vi.fn();
    const above = vi.fn(() => false);
    const off = bindKeys({ e: below });
    const offAbove = bindKeys({ e: above });
    stop = () => (off(), offAbove());
    press({ key: 'e', code: 'KeyE' });
    expect(above).toHaveBeenCalledOnce();
    expect(below).toHaveBeenCalledOnce();
  });
});
