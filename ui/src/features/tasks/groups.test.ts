import { beforeEach, describe, expect, it } from 'vitest';
import type { TaskRow } from '../../host';
import { clock } from '../../kit/clock.svelte';
import { groupTasks } from './groups';

const NOW = Date.parse('2026-01-13T09:24:00-05:00');
beforeEach(() => {
  clock.tz = 'America/New_York';
  clock.now = () => NOW;
});

const task = (id: string, due: string | null, more: Partial<TaskRow> = {}): TaskRow => ({
  id,
  title: id,
  due,
  notes: '',
  remind_at: null,
  priority: 'medium',
  status: 'open',
  rrule: null,
  repeats: null,
  start: null,
  tags: [],
  place: null,
  completed_at: null,
  ...more,
});

const tasks = [
  task('whenever', null),
  task('later', '2026-02-01'),
  task('week', '2026-01-20', { start: '2026-01-13' }),
  task('not yet', '2026-01-20', { start: '2026-01-14' }),
  task('late', '2026-01-12'),
  task('an hour ago', '2026-01-13T08:24:00-05:00'),
  task('today', '2026-01-13'),
  task('today urgent', '2026-01-13', { priority: 'high' }),
  task('today at ten', '2026-01-13T10:00:00-05:00'),
  task('done some time', '2026-01-12', { status: 'done' }),
  task('done first', '2026-01-01', { status: 'done', completed_at: '2026-01-02T10:00:00Z' }),
  task('done last', null, { status: 'done', completed_at: '2026-01-05T10:00:00Z' }),
];
const names = (filter: 'open' | 'overdue' | 'done') =>
  groupTasks(tasks, filter, NOW).map((group) => group.items.map((one) => one.id));

describe('the list of tasks', () => {
  it('is in the order one works it off', () => {
    expect(names('open')).toEqual([
      ['late', 'an hour ago'],
      ['today at ten', 'today urgent', 'today'],
      ['week'],
      ['later'],
      ['whenever'],
      ['not yet'],
    ]);
  });
  it('can be only what is late, or what is done with the newest first', () => {
    expect(names('overdue')).toEqual([['late', 'an hour ago']]);
    expect(names('done')).toEqual([['done last', 'done first', 'done some time']]);
  });
});
