import { beforeEach, expect, it } from 'vitest';
import type { TaskRow } from '../../host';
import { fake } from '../../host/fake';
import { clock } from '../../kit/clock.svelte';
import { argsOf, putBeside, putBesideNext, SHELVES } from './arrange';

const NOW = Date.parse('2026-01-13T09:24:00-05:00');

beforeEach(() => {
  clock.tz = 'America/New_York';
  clock.now = () => NOW;
});

function task(id: string, due: string | null): TaskRow {
  const [first] = fake.world.tables.tasks;
  if (!first) throw new Error('no tasks');
  return { ...first, id, title: id, due, status: 'open' };
}

const late = task('late', '2026-01-12');
const today = task('today', '2026-01-13T16:00:00-05:00');
const other = task('other', '2026-01-13');
const none = task('none', null);
const list = [late, today, other, none];

it('moves to the day of another task, never to one that has passed', () => {
  const put = putBeside([none], today, NOW);
  expect(put && argsOf(put, [none])).toEqual({ ids: ['none'], changes: { due: '2026-01-13' } });
  const off = putBeside([late, today], none, NOW);
  expect(off && argsOf(off, [late, today])).toEqual({ ids: ['late', 'today'], changes: { clear_due: true } });
  expect([putBeside([none], late, NOW), putBeside([other], today, NOW)]).toEqual([null, null]);
});

it('steps over those of its own day', () => {
  expect(putBesideNext(list, [today], true, NOW)).toEqual({ day: null });
  expect(putBesideNext(list, [none], false, NOW)).toEqual({ day: '2026-01-13' });
  expect(putBesideNext(list, [late], true, NOW)).toEqual({ day: '2026-01-13' });
  expect([putBesideNext(list, [today], false, NOW), putBesideNext(list, [none], true, NOW)]).toEqual([null, null]);
});

it('calls the next Monday next week, on a Monday as well', () => {
  const next = SHELVES.find((shelf) => shelf.label === 'tasks.next_week');
  expect(['2026-01-13', '2026-01-18', '2026-01-19'].map((day) => next?.day(day))).toEqual([
    '2026-01-19',
    '2026-01-19',
    '2026-01-26',
  ]);
});
