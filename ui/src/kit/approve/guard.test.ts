import { describe, expect, it } from 'vitest';
import { ApproveGuard, endSeen, GUARD_MS } from './guard';

const here = { x: 600, y: 400, width: 0, height: 30 };

function at(start = 0) {
  let now = start;
  const guard = new ApproveGuard(() => now);
  return { guard, set: (ms: number) => (now = ms) };
}

describe('ApproveGuard', () => {
  it('refuses until 600 ms after the card appeared', () => {
    const { guard, set } = at(1000);
    guard.seenAt(here);
    set(1000 + GUARD_MS + 50);
    expect(guard.allows(1000 + GUARD_MS - 1, here)).toBe(false);
    expect(guard.allows(1000 + GUARD_MS, here)).toBe(true);
  });

  it('goes by the time of the event, not by when it is handled', () => {
    const { guard, set } = at(0);
    guard.seenAt(here);
    // Pressed before the card appeared, delivered five seconds later.
    set(5000);
    expect(guard.allows(-20, here)).toBe(false);
    expect(guard.allows(599, here)).toBe(false);
  });

  it('starts over when the button moved', () => {
    const { guard, set } = at(0);
    guard.seenAt(here);
    set(2000);
    guard.seenAt({ ...here, y: 440 });
    expect(guard.allows(2100, { ...here, y: 440 })).toBe(false);
    expect(guard.allows(2000 + GUARD_MS, { ...here, y: 440 })).toBe(true);
  });

  it('notices at the press a move that nothing announced, and refuses that press', () => {
    const { guard, set } = at(0);
    guard.seenAt(here);
    set(3000);
    expect(guard.allows(3000, { ...here, y: 100 })).toBe(false);
    expect(guard.allows(3000 + GUARD_MS, { ...here, y: 100 })).toBe(true);
  });

  it('starts over when what is shown changed', () => {
    const { guard, set } = at(0);
    guard.seenAt(here);
    set(9000);
    guard.changed();
    expect(guard.allows(9599, here)).toBe(false);
    expect(guard.allows(9600, here)).toBe(true);
  });

  it('takes a key after a move, but not right after a change', () => {
    const { guard, set } = at(0);
    guard.seenAt(here);
    expect(guard.allowsKey(GUARD_MS - 1)).toBe(false);
    set(2000);
    guard.seenAt({ ...here, y: 440 });
    expect(guard.allowsKey(2000)).toBe(true);
    guard.changed();
    expect(guard.allowsKey(2000 + GUARD_MS - 1)).toBe(false);
    expect(guard.allowsKey(2000 + GUARD_MS)).toBe(true);
  });

  it('does not mind sub-pixel drift', () => {
    const { guard, set } = at(0);
    guard.seenAt(here);
    set(700);
    expect(guard.allows(700, { ...here, y: 400.6 })).toBe(true);
  });
});

describe('endSeen', () => {
  it('is true for a text that fits, and at the end of one that scrolls', () => {
    expect(endSeen({ scrollTop: 0, clientHeight: 190, scrollHeight: 190 })).toBe(true);
    expect(endSeen({ scrollTop: 210, clientHeight: 190, scrollHeight: 400 })).toBe(true);
  });
  it('is false before the end, and for a box that was never laid out', () => {
    expect(endSeen({ scrollTop: 100, clientHeight: 190, scrollHeight: 400 })).toBe(false);
    expect(endSeen({ scrollTop: 0, clientHeight: 0, scrollHeight: 0 })).toBe(false);
  });
});
