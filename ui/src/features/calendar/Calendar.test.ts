import { render } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { fake } from '../../host/fake';
import { clock } from '../../kit/clock.svelte';
import { eventually } from '../../kit/test/eventually';
import Calendar from './Calendar.svelte';

beforeEach(() => {
  clock.tz = 'America/New_York';
  clock.now = () => Date.parse('2026-01-13T09:24:00-05:00');
});

const block = (id: string) => document.querySelector<HTMLElement>(`[data-key^="${id}@"]`);
const start = (id: string) => fake.world.tables.events.find((one) => one.id === id)?.start ?? '';

async function moved(view: string, keys: string) {
  render(Calendar, { id: view });
  await eventually(() => expect(block('e-dentist')).toBeTruthy());
  const day = () => block('e-dentist')?.dataset['day'] ?? block('e-dentist')?.dataset['on'];
  block('e-dentist')?.focus();
  await userEvent.keyboard(keys);
  await eventually(() => expect(start('e-dentist')).toContain('2026-01-14'));
  await eventually(() => expect(day()).toBe('2026-01-14'));
  // The change is stored and loaded again by then.
  await new Promise((done) => setTimeout(done, 50));
}

describe('an event moved by keys', () => {
  it('keeps the focus in a week', async () => {
    await moved('week-2026-01-13', 'm{ArrowRight}{Enter}');
    expect(document.activeElement).toBe(block('e-dentist'));
  });

  it('keeps the focus in a month', async () => {
    await moved('month-2026-01-13', 'm{ArrowRight}{Enter}');
    expect(document.activeElement).toBe(block('e-dentist'));
  });
});
