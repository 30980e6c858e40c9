import { fireEvent, render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { clock } from '../../kit/clock.svelte';
import { router } from '../../kit/router.svelte';
import { eventually } from '../../kit/test/eventually';
import { toasts } from '../../kit/toast.svelte';
import Onboarding from './Onboarding.svelte';

describe('the first start', () => {
  it.each([
    ['2026-01-13T09:24:00Z', 'Good morning'],
    ['2026-01-13T14:24:00Z', 'Good afternoon'],
    ['2026-01-13T21:24:00Z', 'Good evening'],
  ])('greets by the hour where the clock has twelve: %s', (at, hello) => {
    clock.now = () => Date.parse(at);
    clock.face = '12h';
    render(Onboarding);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain(hello);
    clock.face = '24h';
  });

  it('says what an import refused, and leads to it', async () => {
    render(Onboarding);
    await fireEvent.click(screen.getByRole('button', { name: 'Choose files' }));
    await eventually(() => expect(toasts.current?.text).toBe('24 items were imported · 1 item was refused'));
    toasts.current?.action?.run();
    expect(router.route.surface).toBe('activity');
  });
});
