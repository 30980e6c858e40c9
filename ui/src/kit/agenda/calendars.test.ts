import { describe, expect, it } from 'vitest';
import type { AccountRow, CollectionRow, EventRow } from '../../host';
import { events } from '../../host/fake/rows';
import { calendarsOf, grouped, lookOf, looksIn, withLooks } from './calendars';

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

  it('have one that was chosen, the next free colour by their names, and the quiet one where none is left', () => {
    const looks = calendarsOf(rows, [], new Map([['c2', '1']])).map(({ name, look }) => `${name} ${look}`);
    expect(looks).toEqual(['Home 2', 'Kids 3', 'Town 4', 'Work 1', 'Zoo quiet']);
  });

  it('keep their colours when another calendar comes or goes', () => {
    const looks = withLooks(rows, new Map());
    const more = withLooks([...rows, collection('c0', 'Art')], looks);
    expect([...looks].every(([id, look]) => more.get(id) === look)).toBe(true);
    const fewer = rows.filter((one) => one.id !== 'c1');
    expect(calendarsOf(fewer, [], looks).map(({ id, look }) => `${id} ${look}`)).toEqual([
      'c3 2',
      'c4 3',
      'c2 4',
      'c5 quiet',
    ]);
    expect(withLooks([...fewer, collection('c0', 'Art')], looks).get('c0')).toBe('1');
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
