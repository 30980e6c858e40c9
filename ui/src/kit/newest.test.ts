import { describe, expect, it } from 'vitest';
import { Newest } from './newest';

describe('Newest', () => {
  it('lets only the newest of several requests count, in whatever order they are answered', () => {
    const list = new Newest();
    const first = list.begin();
    expect(first()).toBe(true);
    const second = list.begin();
    expect([first(), second()]).toEqual([false, true]);
  });

  it('drops what is on its way when something newer is known', () => {
    const list = new Newest();
    const asked = list.begin();
    list.overtake();
    expect(asked()).toBe(false);
  });
});
