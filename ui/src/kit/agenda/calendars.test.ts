import { describe, expect, it } from 'vitest';
import type { AccountRow, CollectionRow, EventRow } from '../../host';
import { events } from '../../host/fake/rows';
import { calendarsOf, grouped, lookOf, looksIn } from './calendars';

const collection = (id: string, name: string, account = 'local', kind: CollectionRow['kind'] = 'calendar') =>
  ({ id, name, account, kind, colour: null, writable: true, preferred: false }) satisfies CollectionRow;
const event = (calendar: string) => ({ ...(events[0] as EventRow), calendar });

describe('calendars', () => {
  const rows = [
    collection('c5', 'Zoo'),
    collection('c1', 'Home'),
    collection('t1', 'Errands', 'local', 'task_list'),
    collection('c2', 'Work', 'acc_1'),
    collection('c3', 'Kids'),
    collection('c4', 'Town', 'acc_1'),
  ];

  it('have the next colour by their names, one that was chosen, and the quiet one where none is left', () => {
    const looks = calendarsOf(rows, [], new Map([['c2', '1']])).map(({ name, look }) => `${name} ${look}`);
    expect(looks).toEqual(['Home 1', 'Kids 2', 'Town 3', 'Work 1', 'Zoo quiet']);
  });

  it('are hidden with their events; an event of a calendar nobody knows is seen', () => {
    const { isShown, colour } = lookOf(calendarsOf(rows, ['c1', 'gone'], looksIn('{"c1":"4"}')));
    expect(['Home', 'Work', 'Gone'].map((name) => isShown(event(name)))).toEqual([false, true, true]);
    expect(['Home', 'Zoo', 'Gone'].map((name) => colour(event(name)))).toEqual(['cal-c4', 'cal-cq', 'cal-cq']);
  });

  it('stand by account, this computer first, an account without calendars not at all', () => {
    const account = (id: string, label: string) => ({ id, label }) as AccountRow;
    const all = grouped(calendarsOf(rows, [], new Map()), rows, [account('acc_1', 'kim@work'), account('acc_2', 'x')]);
    expect(all.map((one) => [one.account, one.calendars.map(({ id }) => id).join(' ')])).toEqual([
      ['', 'c1 c3 c5'],
      ['kim@work', 'c4 c2'],
    ]);
  });

  it('read a setting that is damaged as one that says nothing', () => {
    expect([...looksIn('{"a":"2","b":"red","c":7}')]).toEqual([['a', '2']]);
    for (const damaged of ['', '{', 'null', '"x"', '[]']) expect(looksIn(damaged).size).toBe(0);
  });
});
