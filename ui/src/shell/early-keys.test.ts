import { describe, expect, it, vi } from 'vitest';
import { collectKeys } from './early-keys';

const press = (key: string, more: KeyboardEventInit = {}) => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  (document.activeElement ?? document.body).dispatchEvent(event);
  return event.defaultPrevented;
};

describe('keys before the palette is there', () => {
  it('are kept for it, and reach nothing else', () => {
    const behind = vi.fn();
    addEventListener('keydown', behind);
    const keys = collectKeys(() => undefined);
    for (const key of 'rajx') expect(press(key)).toBe(true);
    press('Backspace');
    press('Enter');
    expect(behind).not.toHaveBeenCalled();
    // Ignores combinations and keys that type nothing.
    expect(press('k', { ctrlKey: true })).toBe(false);
    expect(press('Tab')).toBe(false);
    expect(keys.stop()).toEqual({ text: 'raj', enter: true });
    expect(press('z')).toBe(false);
    removeEventListener('keydown', behind);
  });

  it('close it with Escape, and are not without limit', () => {
    const escaped = vi.fn();
    const keys = collectKeys(escaped);
    press('Escape');
    expect(escaped).toHaveBeenCalledOnce();
    for (let n = 0; n < 500; n += 1) press('a');
    expect(keys.stop().text.length).toBe(200);
  });
});
