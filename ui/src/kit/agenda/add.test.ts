import { beforeEach, describe, expect, it } from 'vitest';
import { clock } from '../clock.svelte';
import { draftIn, tagsOf, type EventReading } from './add';

beforeEach(() => {
  clock.tz = 'America/New_York';
  clock.face = '24h';
  clock.now = () => Date.parse('2026-01-13T09:24:00-05:00');
});

const at = (time: string, day = '2026-01-16') => `${day}T${time}:00-05:00[America/New_York]`;
const reading = (more: Partial<EventReading>): EventReading => ({ summary: 'Rowing', start: at('16:00'), ...more });

describe('an event read from a line', () => {
  it('is shown as it would be stored', () => {
    const when = (more: Partial<EventReading>) => tagsOf(reading(more))[1];
    expect(when({})).toBe('Fri 16 Jan, 16:00');
    expect(when({ end: at('17:30') })).toBe('Fri 16 Jan, 16:00–17:30');
    expect(when({ duration_minutes: 600 })).toBe('Fri 16 Jan, 16:00–Sat 17 Jan, 02:00');
    expect(when({ start: '2026-01-16' })).toBe('Fri 16 Jan, all day');
    expect(when({ start: '2026-01-16', end: '2026-01-18' })).toBe('Fri 16 Jan – Sun 18 Jan, all day');
    expect(tagsOf(reading({ location: 'Lake', people: ['Una', 'Bo'], rrule: 'FREQ=WEEKLY' }))).toEqual([
      'Rowing',
      'Fri 16 Jan, 16:00',
      'Lake',
      'Una',
      'Bo',
      'Repeats',
    ]);
  });

  it('is a draft of the form with the same values', () => {
    expect(draftIn(reading({ location: 'Lake', people: ['Una'], rrule: 'FREQ=WEEKLY' }))).toEqual({
      ...{ summary: 'Rowing', allDay: false, location: 'Lake', description: '', calendar: '' },
      ...{ day: '2026-01-16', time: '16:00', lastDay: '2026-01-16', endTime: '17:00' },
      ...{ rrule: 'FREQ=WEEKLY', people: ['Una'] },
    });
    expect(draftIn(reading({ start: '2026-01-16', end: '2026-01-18' }))).toMatchObject({
      ...{ allDay: true, day: '2026-01-16', lastDay: '2026-01-18', time: '09:00', endTime: '10:00' },
    });
    expect(draftIn(reading({ all_day: true }))).toMatchObject({
      allDay: true,
      day: '2026-01-16',
      lastDay: '2026-01-16',
    });
  });
});
