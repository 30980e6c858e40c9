import { render } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clock } from '../../kit/clock.svelte';
import StatusLine from './StatusLine.svelte';

let mono = 0;

beforeEach(() => {
  vi.useFakeTimers();
  mono = 0;
  clock.mono = () => mono;
});
afterEach(() => vi.useRealTimers());

function pass(ms: number) {
  mono += ms;
  vi.advanceTimersByTime(200);
  flushSync();
}

describe('the status line', () => {
  it('is there at once, counts from two seconds, and offers a way out from ten', () => {
    const onstop = vi.fn();
    const { container, queryByRole } = render(StatusLine, {
      text: 'Checking both calendars',
      since: 0,
      stopping: false,
      onstop,
    });
    flushSync();
    expect(container.textContent).toContain('Checking both calendars');
    expect(container.textContent).not.toMatch(/\d s/);
    pass(1900);
    expect(container.textContent).not.toMatch(/\d s/);
    pass(200);
    expect(container.textContent).toContain('· 2.1 s');
    expect(queryByRole('button')).toBeNull();
    pass(8000);
    expect(container.textContent).toContain('· 10 s');
    queryByRole('button')?.click();
    expect(onstop).toHaveBeenCalledOnce();
  });
});
