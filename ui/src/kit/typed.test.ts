import { beforeEach, describe, expect, it } from 'vitest';
import { clock } from './clock.svelte';
import { readWhen, shownWhen } from './typed';

beforeEach(() => {
  clock.tz = 'America/New_York';
  clock.face = '24h';
  clock.dayFirst = true;
  // This is a Tuesday.
  clock.now = () => Date.parse('2026-01-13T09:24:00-05:00');
});

describe('a date that is typed', () => {
  it('is read in the words a person uses', () => {
    for (const [typed, day] of [
      ['Fri 16', '2026-01-16'],
      ['Fri 9', '2026-10-09'],
      ['fri', '2026-01-16'],
      ['Tuesday', '2026-01-13'],
      ['9', '2026-02-09'],
      ['13', '2026-01-13'],
      ['9 Jan', '2027-01-09'],
      // The weekday tells the year, as it does where a field shows a day that has passed.
      ['Fri 9 Jan', '2026-01-09'],
      ['Sat 9 Jan', '2027-01-09'],
      ['Jan 20', '2026-01-20'],
      ['Fri 16 Jan', '2026-01-16'],
      ['Sat 9 Jan 2027', '2027-01-09'],
      ['29 feb', '2028-02-29'],
      ['January 9th, 2028', '2028-01-09'],
      ['tomorrow', '2026-01-14'],
      ['2026-03-01', '2026-03-01'],
      ['next week', '2026-01-19'],
      ['Next Friday', '2026-01-23'],
      ['next tue', '2026-01-20'],
      ['weekend', '2026-01-17'],
      ['in 3 days', '2026-01-16'],
      ['in a week', '2026-01-20'],
      ['in two weeks', '2026-01-27'],
      ['', ''],
    ]) {
      expect([typed, readWhen(typed ?? '', 'date')]).toEqual([typed, day]);
    }
    for (const wrong of [
      'soon',
      '31 feb',
      '9 9',
      'Friday Monday',
      '32',
      'Jan',
      'x 9 Jan',
      'next thing',
      'in 0 days',
      'in some days',
    ])
      expect([wrong, readWhen(wrong, 'date')]).toEqual([wrong, null]);
  });

  it('is read in numbers as the locale writes them', () => {
    for (const [typed, dayFirst, monthFirst] of [
      ['9/2', '2026-02-09', '2026-09-02'],
      ['09/02/2027', '2027-02-09', '2027-09-02'],
      ['9-2-27', '2027-02-09', '2027-09-02'],
      // Only one of the two numbers can be a month.
      ['16/1', '2026-01-16', '2026-01-16'],
      ['1/16', '2026-01-16', '2026-01-16'],
      ['9.2.', '2026-02-09', '2026-02-09'],
      ['9. 2. 2027', '2027-02-09', '2027-02-09'],
      ['2027/2/9', '2027-02-09', '2027-02-09'],
      ['Tue 9/2/2027', '2027-02-09', '2027-09-02'],
      ['13/13', null, null],
      ['31/2', null, null],
      ['0/4', null, null],
    ] as const) {
      clock.dayFirst = true;
      expect([typed, readWhen(typed, 'date')]).toEqual([typed, dayFirst]);
      clock.dayFirst = false;
      expect([typed, readWhen(typed, 'date')]).toEqual([typed, monthFirst]);
    }
    expect(readWhen('2/9, 15:00', 'datetime-local')).toBe('2026-02-09T15:00');
    // The field can read back what it shows.
    expect(shownWhen('2027-02-09T15:00', 'datetime-local')).toBe('Tue Feb 9, 2027, 15:00');
    expect(readWhen('Tue Feb 9, 2027, 15:00', 'datetime-local')).toBe('2027-02-09T15:00');
  });

  it('counts from the beginning of what it ends', () => {
    for (const [typed, from, day] of [
      ['10 Mar', '2026-03-11', '2026-03-10'],
      ['Mon 9 Mar', '2026-03-11', '2026-03-09'],
      ['Fri 9 Mar', '2026-03-11', '2026-03-09'],
      ['9/3', '2026-03-11', '2026-03-09'],
      ['5 Oct', '2026-03-11', '2026-10-05'],
      ['2 Jan', '2026-12-30', '2027-01-02'],
      ['1 Jan', '2027-01-01', '2027-01-01'],
      ['Fri', '2026-03-11', '2026-03-13'],
      ['12', '2026-03-11', '2026-03-12'],
      ['10 Mar 2027', '2026-03-11', '2027-03-10'],
      ['tomorrow', '2026-03-11', '2026-01-14'],
    ] as const)
      expect([typed, readWhen(typed, 'date', from)]).toEqual([typed, day]);
  });

  it('may have a time', () => {
    expect(readWhen('Fri 16, 15:00', 'datetime-local')).toBe('2026-01-16T15:00');
    expect(readWhen('tomorrow at 3pm', 'datetime-local')).toBe('2026-01-14T15:00');
    expect(readWhen('9:30', 'datetime-local')).toBe('2026-01-13T09:30');
    expect(readWhen('2026-02-01T10:00', 'datetime-local')).toBe('2026-02-01T10:00');
    expect(readWhen('Fri', 'datetime-local')).toBeNull();
    expect([readWhen('3 pm', 'time'), readWhen('12am', 'time'), readWhen('15:30', 'time')]).toEqual([
      '15:00',
      '00:00',
      '15:30',
    ]);
    expect([readWhen('25:00', 'time'), readWhen('13pm', 'time')]).toEqual([null, null]);
  });

  it('reads what it shows, on both clocks, in every month', () => {
    for (const face of ['24h', '12h'] as const) {
      clock.face = face;
      for (let month = 1; month <= 12; month++) {
        const value = `2026-${String(month).padStart(2, '0')}-28T00:05`;
        const day = value.slice(0, 10);
        expect(readWhen(shownWhen(day, 'date'), 'date')).toBe(day);
        expect(readWhen(shownWhen(value, 'datetime-local'), 'datetime-local')).toBe(value);
      }
    }
    clock.face = '24h';
    expect([shownWhen('', 'date'), shownWhen('2026-01-16', 'date'), shownWhen('2025-01-16', 'date')]).toEqual([
      '',
      'Fri 16 Jan',
      'Thu 16 Jan 2025',
    ]);
  });
});
