import { beforeEach, describe, expect, it } from 'vitest';
import { events } from '../../host/fake/rows';
import type { EventRow } from '../../host';
import { clock } from '../clock.svelte';
import { agendaOfDay, nextFree, overlapsOf } from './agenda';
import { blank, changesOf, createArgs, draftOf, faultsIn, joinLink } from './event';

beforeEach(() => {
  clock.tz = 'America/New_York';
  clock.face = '12h';
});

const eventOf = (id: string) => events.find((one) => one.id === id) as EventRow;
const zone = '[America/New_York]';

describe('an event in a form', () => {
  it('has the days and times of the person, whatever clock they read', () => {
    const draft = draftOf(eventOf('e-board'));
    expect([draft.day, draft.time, draft.lastDay, draft.endTime]).toEqual([
      '2026-01-13',
      '16:00',
      '2026-01-13',
      '17:00',
    ]);
    const whole = draftOf(eventOf('e-offsite'));
    expect([whole.allDay, whole.day, whole.lastDay]).toEqual([true, '2026-01-15', '2026-01-15']);
  });

  it('changes what differs, and nothing else', () => {
    const before = draftOf(eventOf('e-pricing'));
    expect(changesOf(before, { ...before })).toBeNull();
    const people = ['raj@northwind.example', ...before.people.slice(1)];
    expect(changesOf(before, { ...before, endTime: '11:30', location: 'Room 1', people })).toEqual({
      start: `2026-01-13T10:00:00-05:00${zone}`,
      end: `2026-01-13T11:30:00-05:00${zone}`,
      location: 'Room 1',
      add_people: ['raj@northwind.example'],
      remove_people: [before.people[0]],
    });
    const weekly = draftOf(eventOf('e-raj'));
    expect(changesOf(weekly, { ...weekly, rrule: null })).toEqual({ clear_rrule: true });
  });

  it('is new with what is given, past midnight as well', () => {
    const draft = blank('2026-01-31', 1410, 1470, { summary: ' Night train ' });
    expect(createArgs(draft)).toEqual({
      summary: 'Night train',
      start: `2026-01-31T23:30:00-05:00${zone}`,
      end: `2026-02-01T00:30:00-05:00${zone}`,
    });
    expect(createArgs({ ...draft, allDay: true })).toMatchObject({ start: '2026-01-31', end: '2026-02-01' });
  });

  it('says what is missing before anything is stored', () => {
    const draft = blank('2026-01-13', 600, 660, { summary: 'Review' });
    expect(faultsIn(draft)).toEqual({});
    expect(faultsIn({ ...draft, summary: '  ' })).toEqual({ summary: 'today.needs_title' });
    expect(faultsIn({ ...draft, endTime: '' })).toEqual({ endTime: 'today.needs_when' });
    expect(faultsIn({ ...draft, endTime: '10:00' })).toEqual({ endTime: 'today.ends_before' });
    expect(faultsIn({ ...draft, lastDay: '2026-01-12' })).toEqual({ lastDay: 'today.ends_before' });
    expect(faultsIn({ ...draft, lastDay: '2026-01-14', endTime: '09:00' })).toEqual({});
    expect(faultsIn({ ...draft, allDay: true })).toEqual({});
  });
});

describe('the way into a meeting', () => {
  const place = (location: string, description = '') => joinLink({ ...eventOf('e-board'), location, description });
  it('is the address in its place, or that of a known service in its description', () => {
    expect(place('https://meet.example.org/abc')).toBe('https://meet.example.org/abc');
    expect(place('Room 4B', 'Join: https://zoom.us/j/123?pwd=x.')).toBe('https://zoom.us/j/123?pwd=x');
    expect(place('', 'Agenda <https://us02web.zoom.us/j/9>')).toBe('https://us02web.zoom.us/j/9');
  });
  it('is no other link of a description, and none that only looks like a service', () => {
    expect(place('Room 4B', 'Read https://news.example/a first')).toBeNull();
    expect(place('', 'https://zoom.us.evil.example/j/1 https://evilzoom.us/j/1')).toBeNull();
    expect(place('http://zoom.us/j/1')).toBeNull();
  });
});

describe('two things at the same time', () => {
  const ms = (time: string) => Date.parse(`2026-01-13T${time}:00-05:00`);
  it('are named while they are ahead, with the next place for one of them', () => {
    const lunch = eventOf('e-lunch');
    const clash = { ...lunch, id: 'e-x', end: '2026-01-13T14:00:00-05:00' };
    const { slots } = agendaOfDay([...events.filter((one) => one.start.startsWith('2026-01-13')), clash]);
    const found = overlapsOf(slots, ms('09:24'));
    expect(found.map(([one, other]) => [one.event.id, other.event.id])).toEqual([['e-lunch', 'e-x']]);
    expect(overlapsOf(slots, ms('14:00'))).toEqual([]);
    const others = slots.filter((slot) => slot.event.id !== 'e-lunch');
    expect(nextFree(others, 30 * 60_000, ms('09:24'), ms('18:00'))?.from).toBe(ms('09:30'));
    expect(nextFree(others, 60 * 60_000, ms('09:24'), ms('18:00'))?.from).toBe(ms('14:00'));
    expect(nextFree(others, 9 * 60 * 60_000, ms('09:24'), ms('18:00'))).toBeNull();
  });
});
