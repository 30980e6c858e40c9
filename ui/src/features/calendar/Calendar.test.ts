import { render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { host } from '../../host';
import { fake } from '../../host/fake';
import { eventBox } from '../../kit/agenda/box.svelte';
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

describe('a new event', () => {
  const reads = (steps: unknown[]) => {
    const call = host.call.bind(host);
    vi.spyOn(host, 'call').mockImplementation(((op: never, args: never) =>
      op === 'explain' ? Promise.resolve({ reading: { reading: 'plan', steps } }) : call(op, args)) as never);
  };
  const zone = '[America/New_York]';
  const args = {
    summary: 'Tax call',
    start: `2026-01-16T16:00:00-05:00${zone}`,
    duration_minutes: 45,
    location: 'Room 2',
    people: ['Una'],
  };
  const step = { tool: 'calendar.create', args };
  const typed = async (keys: string) => {
    render(Calendar, { id: 'week-2026-01-13' });
    await eventually(() => expect(block('e-dentist')).toBeTruthy());
    await userEvent.keyboard('n');
    expect(document.activeElement).toBe(screen.getByLabelText('Add an event'));
    await userEvent.keyboard(keys);
  };
  const tags = () => [...document.querySelectorAll('.reading .tag')].map((one) => one.textContent.trim());
  afterEach(() => void vi.restoreAllMocks());

  it('begins on the line by N, which shows how it is read before Enter creates it', async () => {
    reads([step]);
    await typed('Tax call on Friday at 4pm');
    await eventually(() => expect(tags()).toEqual(['Tax call', 'Fri 16 Jan, 16:00–16:45', 'Room 2', 'Una']));
    expect(fake.calls.filter(({ op }) => op === 'apply')).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await eventually(() =>
      expect(fake.calls.find(({ op }) => op === 'apply')?.args).toEqual({ tool: 'calendar.create', args }),
    );
    await eventually(() => expect(tags()).toEqual([]));
  });

  it('says where no time is read, and takes what is read along into the form', async () => {
    reads([]);
    await typed('Tax call');
    await screen.findByText('No time yet: Enter opens the form.');
    vi.restoreAllMocks();
    reads([step]);
    await userEvent.click(screen.getByRole('button', { name: 'All fields' }));
    await eventually(() =>
      expect(eventBox.shown).toMatchObject({
        mode: 'new',
        draft: {
          ...{ summary: 'Tax call', allDay: false, location: 'Room 2', people: ['Una'] },
          ...{ day: '2026-01-16', time: '16:00', lastDay: '2026-01-16', endTime: '16:45' },
        },
      }),
    );
    eventBox.close();
  });
});

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
