import { beforeEach, expect, it } from 'vitest';
import type { TaskRow } from '../../host';
import { fake } from '../../host/fake';
import { clock } from '../../kit/clock.svelte';
import { argsOf, putBeside, SHELVES } from './arrange';
import { groupTasks } from './groups';

const NOW = Date.parse('2026-01-13T09:24:00-05:00');

beforeEach(() => {
  clock.tz = 'America/New_York';
  clock.now = () => NOW;
});

function task(id: string, due: string | null, place: number | null = null): TaskRow {
  const [first] = fake.world.tables.tasks;
  if (!first) throw new Error('no tasks');
  return { ...first, id, title: id, due, place, status: 'open', priority: 'medium', start: null };
}

const sorted = (rows: TaskRow[]) => groupTasks(rows, 'open', NOW).flatMap((group) => group.items.map((one) => one.id));

it('puts those of a day in order, with as few places as are needed', () => {
  const [a, b, c, d] = [task('a', null), task('b', null), task('c', null), task('d', null)];
  const list = [a, b, c, d];
  expect(putBeside(list, [c], a, false, NOW)).toEqual({ to: 'order', ids: ['c'] });
  expect(putBeside(list, [a], b, true, NOW)).toEqual({ to: 'order', ids: ['b', 'a'] });
  expect(putBeside(list, [a, d], c, true, NOW)).toEqual({ to: 'order', ids: ['b', 'c', 'a', 'd'] });
  expect([putBeside(list, [b], a, true, NOW), putBeside(list, [b], b, true, NOW)]).toEqual([null, null]);
});

it('gives a place to all that have one already, so that no two share it', () => {
  const list = [task('a', null, 1), task('b', null, 2), task('c', null, 3), task('d', null)];
  const put = putBeside(list, list.slice(1, 2), list[0] as TaskRow, false, NOW);
  expect(put).toEqual({ to: 'order', ids: ['b', 'a', 'c'] });
});

it('moves to the day of another task, never to one that has passed', () => {
  const [late, today, none] = [task('late', '2026-01-12'), task('today', '2026-01-13'), task('none', null)];
  const list = [late, today, none];
  const put = putBeside(list, [none], today, true, NOW);
  expect(put && argsOf(put, [none])).toEqual({ ids: ['none'], changes: { due: '2026-01-13' } });
  const off = putBeside(list, [late], none, true, NOW);
  expect(off && argsOf(off, [late])).toEqual({ ids: ['late'], changes: { clear_due: true } });
  expect(putBeside(list, [none], late, true, NOW)).toBeNull();
});

it('shows them as they were put, then by their time', () => {
  const day = '2026-01-13';
  const list = [task('noon', `${day}T12:00:00-05:00`), task('whole', day), task('first', `${day}T20:00:00-05:00`, 1)];
  expect(sorted([...list, task('none', null)])).toEqual(['first', 'noon', 'whole', 'none']);
});

it('calls the next Monday next week, on a Monday as well', () => {
  const next = SHELVES.find((shelf) => shelf.label === 'tasks.next_week');
  expect(['2026-01-13', '2026-01-18', '2026-01-19'].map((day) => next?.day(day))).toEqual([
    '2026-01-19',
    '2026-01-19',
    '2026-01-26',
  ]);
});
