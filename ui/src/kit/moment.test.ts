import { beforeEach, describe, expect, it } from 'vitest';
import type { TaskRow } from '../host';
import { clock } from './clock.svelte';
import { addDays, dueText, isOverdue, lengthText, zoned } from './moment';
import { dayOf } from './time';

const NOW = Date.parse('2026-01-13T09:24:00-05:00');
beforeEach(() => {
  clock.tz = 'America/New_York';
  clock.now = () => NOW;
});

const task = (due: string | null, status = 'open') => ({ due, status }) as TaskRow;

describe('zoned', () => {
  it('gives the wall time with its offset and zone', () => {
    expect(zoned('2026-01-31', '15:00', 'Europe/Paris')).toBe('2026-01-31T15:00:00+01:00[Europe/Paris]');
    expect(zoned('2026-07-31', '15:00', 'America/New_York')).toBe('2026-07-31T15:00:00-04:00[America/New_York]');
    expect(zoned('2026-07-31', '00:15', 'Asia/Kolkata')).toBe('2026-07-31T00:15:00+05:30[Asia/Kolkata]');
  });
  it('moves forward over a gap and takes the first of an overlap', () => {
    expect(zoned('2026-03-29', '02:30', 'Europe/Paris')).toBe('2026-03-29T03:30:00+02:00[Europe/Paris]');
    expect(zoned('2026-10-25', '02:30', 'Europe/Paris')).toBe('2026-10-25T02:30:00+02:00[Europe/Paris]');
    expect(zoned('2026-10-25', '03:30', 'Europe/Paris')).toBe('2026-10-25T03:30:00+01:00[Europe/Paris]');
  });
});

describe('dayOf', () => {
  it('gives the day of each zone, also of instants it was asked for before', () => {
    const around = ['2026-01-13T18:14:59Z', '2026-01-13T18:15:00Z', '2026-01-13T18:14:59Z', '1890-05-01T18:20:00Z'];
    clock.tz = 'Asia/Kathmandu';
    expect(around.map(dayOf)).toEqual(['2026-01-13', '2026-01-14', '2026-01-13', '1890-05-02']);
    clock.tz = 'America/New_York';
    expect(around.map(dayOf)).toEqual(['2026-01-13', '2026-01-13', '2026-01-13', '1890-05-01']);
    expect(dayOf('2026-01-14')).toBe('2026-01-14');
  });
});

describe('isOverdue', () => {
  it('counts a day only when it is over, an instant when it is past', () => {
    expect(isOverdue(task('2026-01-13'))).toBe(false);
    expect(isOverdue(task('2026-01-12'))).toBe(true);
    expect(isOverdue(task('2026-01-13T09:23:00-05:00'))).toBe(true);
    expect(isOverdue(task('2026-01-13T15:25:00+01:00[Europe/Paris]'))).toBe(false);
    expect(isOverdue(task('2026-01-12', 'done'))).toBe(false);
    expect(isOverdue(task(null))).toBe(false);
  });
});

describe('words', () => {
  it('for a due date', () => {
    expect(dueText('2026-01-13')).toBe('Today');
    expect(dueText('2026-01-13T16:00:00-05:00')).toBe('16:00');
    expect(dueText('2026-01-12')).toBe('Yesterday');
    expect(dueText('2026-01-14T10:00:00-05:00')).toBe('Tomorrow, 10:00');
    expect(dueText('2026-01-16T10:00:00-05:00')).toBe('Fri 16 Jan, 10:00');
    expect(dueText('2027-01-16')).toBe('Sat 16 Jan 2027');
  });
  it('for a length', () => {
    expect([15, 60, 95].map((minutes) => lengthText(minutes * 60_000))).toEqual(['15 min', '1 h', '1 h 35 min']);
  });
  it('days across a month', () => {
    expect(addDays('2026-01-31', 1)).toBe('2026-02-01');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
  });
});
