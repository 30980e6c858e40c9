import { beforeEach, describe, expect, it } from 'vitest';
import type { EventRow } from '../../host';
import { approval, moveCard, moveProposed } from '../../host/fake/cards';
import { crowd, events } from '../../host/fake/rows';
import { clock } from '../clock.svelte';
import { agendaOfDay } from './agenda';
import { ghostOn, ghostsOf } from './proposed';
import { byDay, DAY_MINUTES, LANES_MAX, minuteOf, monthOf, monthStep, pack, viewId, viewOf, weekOf } from './week';

beforeEach(() => {
  clock.tz = 'America/New_York';
});

const ms = (time: string, day = '2026-01-13') => Date.parse(`${day}T${time}:00-05:00`);
const timed = (key: string, from: string, to: string) => ({ key, start: ms(from), end: ms(to) });

describe('a week', () => {
  it('begins on the day of the settings and holds the day asked for', () => {
    expect(weekOf('2026-01-13', 'monday')[0]).toBe('2026-01-12');
    expect(weekOf('2026-01-11', 'monday')).toEqual(
      ['05', '06', '07', '08', '09', '10', '11'].map((day) => `2026-01-${day}`),
    );
    expect(weekOf('2026-01-11', 'sunday')[0]).toBe('2026-01-11');
    expect(weekOf('2026-01-11', 'saturday')[0]).toBe('2026-01-10');
    expect(weekOf('2026-01-13', 'whenever')[0]).toBe('2026-01-12');
  });

  it('has an address of its own, which nothing else is taken for', () => {
    for (const view of ['day', 'week', 'month'] as const)
      expect(viewOf(viewId(view, '2026-01-13'))).toEqual({ view, day: '2026-01-13' });
    for (const other of [null, '2026-01-13', 'e-raj', 'week-', 'week-2026-13-40', 'week-tomorrow', 'year-2026-01-13'])
      expect(viewOf(other)).toBeNull();
  });

  it('a month is whole weeks around it, and the next one has its last day where it is shorter', () => {
    const days = monthOf('2026-02-10', 'monday');
    expect([days[0], days.at(-1), days.length]).toEqual(['2026-01-26', '2026-03-01', 35]);
    expect(monthOf('2026-02-10', 'sunday')).toHaveLength(28);
    expect(monthStep('2026-01-31', 1)).toBe('2026-02-28');
    expect(monthStep('2026-01-31', -2)).toBe('2025-11-30');
    expect(monthStep('2026-12-15', 1)).toBe('2027-01-15');
  });

  it('sorts events into its days, ends not counted', () => {
    const night = { ...(events[0] as EventRow), start: '2026-01-12T22:00:00-05:00', end: '2026-01-14T00:00:00-05:00' };
    const offsite = events.find((one) => one.id === 'e-offsite') as EventRow;
    const found = byDay([night, offsite], weekOf('2026-01-13', 'monday'));
    expect([...found].filter(([, list]) => list.length > 0).map(([day]) => day)).toEqual([
      '2026-01-12',
      '2026-01-13',
      '2026-01-15',
    ]);
  });
});

describe('a column', () => {
  it('puts side by side what overlaps, and nothing else', () => {
    const { blocks, folds } = pack(
      [timed('a', '09:00', '10:00'), timed('b', '09:30', '10:30'), timed('c', '10:30', '11:00')],
      '2026-01-13',
    );
    expect(blocks.map((one) => [one.one.key, one.lane, one.lanes])).toEqual([
      ['a', 0, 2],
      ['b', 1, 2],
      ['c', 0, 1],
    ]);
    expect(folds).toEqual([]);
  });

  it('counts what has no room instead of drawing it', () => {
    const { blocks, folds } = pack(
      Array.from({ length: 9 }, (_, n) => timed(`e${n}`, '09:00', '10:00')),
      '2026-01-13',
    );
    expect(blocks).toHaveLength(LANES_MAX - 1);
    expect(folds).toEqual([{ from: 540, to: 600, n: 7, lane: 2, lanes: 3 }]);
  });

  it('cuts what goes over midnight, and keeps short things readable', () => {
    const over = { key: 'over', start: ms('22:00', '2026-01-12'), end: ms('01:00') };
    const point = timed('point', '23:50', '23:50');
    const { blocks } = pack([over, point], '2026-01-13');
    expect(blocks.map((one) => [one.one.key, one.from, one.to])).toEqual([
      ['over', 0, 60],
      ['point', DAY_MINUTES - 30, DAY_MINUTES],
    ]);
    expect(minuteOf(ms('00:00'), '2026-01-13')).toBe(0);
  });

  it('stays small with ten thousand events', () => {
    const days = weekOf('2026-01-13', 'monday');
    const found = byDay(crowd(), days);
    for (const day of days) {
      const { slots } = agendaOfDay(found.get(day) ?? []);
      expect(slots.length).toBeGreaterThan(300);
      const { blocks, folds } = pack(slots, day);
      expect(blocks.length + folds.length).toBeLessThan(200);
      // Nothing gets lost: folds count the events that are not drawn.
      expect(blocks.length + folds.reduce((sum, one) => sum + one.n, 0)).toBe(slots.length);
    }
  });
});

describe('what waits for approval', () => {
  const move = approval('a-move', 'calendar.update', moveCard, 0, { proposed: moveProposed });

  it('has its place, and knows where it comes from', () => {
    const [ghost] = ghostsOf([move], events);
    expect(ghost).toMatchObject({ approval: 'a-move', day: '2026-01-15', moves: true, allDay: false });
    expect(ghost?.before?.id).toBe('e-raj');
    expect(ghost && ghostOn(ghost, '2026-01-15')).toBe(true);
    expect(ghost && ghostOn(ghost, '2026-01-14')).toBe(false);
  });

  it('has none when the times stay, and needs no event to be there', () => {
    const raj = events.find((one) => one.id === 'e-raj') as EventRow;
    const [one] = moveProposed;
    if (!one) throw new Error('no proposal');
    const same = { ...move, proposed: [{ ...one, start: raj.start, end: raj.end }] };
    expect(ghostsOf([same], events)).toEqual([]);
    const fresh = { ...move, proposed: [{ ...one, id: null, start: '2026-01-20', end: '2026-01-22', all_day: true }] };
    const [ghost] = ghostsOf([fresh], []);
    expect(ghost).toMatchObject({ moves: false, before: null, day: '2026-01-20', last: '2026-01-21' });
  });
});
