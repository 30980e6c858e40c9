import { beforeEach, describe, expect, it } from 'vitest';
import type { EventRow } from '../../host';
import { events } from '../../host/fake/rows';
import { clock } from '../clock.svelte';
import { barsOf, barsOn, isLong, whenOf } from './bars';
import { weekOf } from './week';

beforeEach(() => {
  clock.tz = 'America/New_York';
});

const [some] = events;
if (!some) throw new Error('no events');
const timed = (id: string, start: string, end: string): EventRow => ({
  ...some,
  ...{ id, uid: id, summary: id, all_day: false, instance: null, rrule: null },
  ...{ start: `2026-01-${start}:00-05:00`, end: `2026-01-${end}:00-05:00` },
});
const whole = (id: string, start: string, end: string): EventRow => ({
  ...timed(id, '01T00:00', '01T00:00'),
  ...{ all_day: true, start: `2026-01-${start}`, end: `2026-01-${end}` },
});

describe('an event over several days', () => {
  const days = weekOf('2026-01-13', 'monday');
  const fair = timed('fair', '13T10:00', '15T12:00');

  it('lies over its days from a day of length on', () => {
    expect(isLong(fair)).toBe(true);
    expect(isLong(timed('day', '13T10:00', '14T10:00'))).toBe(true);
    expect(isLong(timed('night', '13T22:00', '14T06:00'))).toBe(false);
    expect(isLong(whole('offsite', '13', '14'))).toBe(true);
  });

  it('is one bar over them, cut to the days in view', () => {
    const [one, ...more] = barsOf([fair], days);
    expect([one?.from, one?.days, more]).toEqual([1, 3, []]);
    const cut = barsOf([timed('long', '10T10:00', '26T10:00')], days)[0];
    expect([cut?.from, cut?.days]).toEqual([0, 7]);
    expect(barsOf([timed('ends', '11T10:00', '12T10:00')], days)[0]).toMatchObject({ from: 0, days: 1 });
    expect(barsOf([whole('before', '09', '12')], days)).toEqual([]);
  });

  it('shares its days in rows, and gives its row back after them', () => {
    const bars = barsOf([whole('late', '16', '18'), whole('day', '14', '15'), fair], days);
    expect(bars.map((one) => [one.key.split('@')[0], one.lane])).toEqual([
      ['fair', 0],
      ['day', 1],
      ['late', 0],
    ]);
    expect(barsOn(bars, 2).map((one) => one.lane)).toEqual([0, 1]);
  });

  it('says from when to when', () => {
    expect(whenOf(fair)).toBe('Tue 13 Jan, 10:00 – Thu 15 Jan, 12:00');
    expect(whenOf(whole('trip', '13', '16'))).toBe('Tue 13 Jan – Thu 15 Jan');
    expect(whenOf(timed('short', '13T10:00', '13T11:00'))).toBe('10:00–11:00');
  });
});
