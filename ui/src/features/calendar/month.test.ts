import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../host';
import { events as rows } from '../../host/fake/rows';
import { LINES_MIN, linesIn, weeksOf } from './month';

const week = ['2026-01-12', '2026-01-13', '2026-01-14', '2026-01-15', '2026-01-16', '2026-01-17', '2026-01-18'];
const at = (hour: number): EventRow => ({
  ...rows[0]!,
  id: `e${hour}`,
  uid: `e${hour}`,
  start: `2026-01-14T${hour}:00:00-05:00`,
  end: `2026-01-14T${hour}:30:00-05:00`,
  all_day: false,
  rrule: null,
  instance: null,
});
const busy = [10, 11, 12, 13, 14, 15].map(at);
const day = (events: EventRow[], lines: number) => weeksOf(events, [], week, lines)[0]![2]!;

describe('a day of the month', () => {
  it('shows as many events as its lines have room for, and counts the rest on the last', () => {
    expect(day(busy, 4)).toMatchObject({ n: 6, hidden: 3, lines: 1 });
    expect(day(busy, 4).singles.map((one) => one.id)).toEqual(['e10', 'e11', 'e12']);
    expect(day(busy, 6)).toMatchObject({ hidden: 0, lines: 1 });
  });

  it('gives few events the room for their whole title', () => {
    expect(day(busy.slice(0, 1), 4).lines).toBe(3);
    expect(day(busy.slice(0, 2), 4).lines).toBe(2);
    expect(day(busy.slice(0, 3), 4).lines).toBe(1);
    expect(day(busy.slice(0, 3), 6).lines).toBe(2);
  });
});

describe('the lines of a day', () => {
  it('are more in a tall window, and never fewer than a day needs', () => {
    expect(linesIn(300, 6)).toBe(LINES_MIN);
    expect(linesIn(1200, 5)).toBeGreaterThan(LINES_MIN);
    expect(linesIn(1200, 4)).toBeGreaterThan(linesIn(1200, 6));
  });
});
