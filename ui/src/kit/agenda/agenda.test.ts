import { beforeEach, describe, expect, it } from 'vitest';
import type { EventRow } from '../../host';
import { clock } from '../clock.svelte';
import { agendaOf, freeStretch, isOn, nowPlace, toolId } from './agenda';

beforeEach(() => {
  clock.tz = 'America/New_York';
});

const event = (id: string, start: string, end: string, more: Partial<EventRow> = {}): EventRow => ({
  id,
  uid: id,
  summary: id,
  start,
  end,
  tz: '',
  all_day: !start.includes('T'),
  location: '',
  description: '',
  attendees: [],
  guests: [],
  rrule: null,
  repeats: null,
  calendar: '',
  instance: null,
  ...more,
});
const at = (time: string) => `2026-01-13T${time}:00-05:00`;
const ms = (time: string) => Date.parse(at(time));

describe('the agenda of a day', () => {
  it('takes what touches the day, ends not counted', () => {
    const night = event('night', '2026-01-12T22:00:00-05:00', '2026-01-13T00:00:00-05:00');
    expect(isOn(night, '2026-01-12')).toBe(true);
    expect(isOn(night, '2026-01-13')).toBe(false);
    const days = event('days', '2026-01-12', '2026-01-14');
    expect(['2026-01-11', '2026-01-12', '2026-01-13', '2026-01-14'].map((day) => isOn(days, day))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    // Late evening in Los Angeles is already the next day here.
    expect(isOn(event('la', '2026-01-12T22:30:00-08:00', '2026-01-12T23:00:00-08:00'), '2026-01-13')).toBe(true);
    expect(isOn(event('point', at('00:00'), at('00:00')), '2026-01-13')).toBe(true);
  });

  it('sorts, and marks everything that overlaps', () => {
    const { slots, allDay } = agendaOf(
      [
        event('c', at('12:00'), at('13:00')),
        event('long', at('09:00'), at('11:30')),
        event('b', at('10:00'), at('10:30')),
        event('a', at('09:30'), at('09:45')),
        event('next', at('11:30'), at('12:00')),
        event('day', '2026-01-13', '2026-01-14'),
      ],
      '2026-01-13',
    );
    expect(slots.map((slot) => [slot.event.id, slot.clash])).toEqual([
      ['long', true],
      ['a', true],
      ['b', true],
      ['next', false],
      ['c', false],
    ]);
    expect(allDay.map((one) => one.id)).toEqual(['day']);
  });

  it('finds the longest stretch still ahead', () => {
    const { slots } = agendaOf(
      [
        event('a', at('09:00'), at('10:00')),
        event('b', at('10:15'), at('13:30')),
        event('c', at('11:00'), at('11:30')),
        event('d', at('16:00'), at('17:00')),
      ],
      '2026-01-13',
    );
    expect(freeStretch(slots, ms('08:00'))).toEqual({ from: ms('13:30'), to: ms('16:00') });
    expect(freeStretch(slots, ms('14:00'))).toEqual({ from: ms('14:00'), to: ms('16:00') });
    expect(freeStretch(slots, ms('15:45'))).toBeNull();
    expect(nowPlace(slots, ms('10:15'))).toBe(2);
    expect(nowPlace(slots, ms('18:00'))).toBe(4);
  });

  it('names one instance of a series', () => {
    expect(toolId(event('e', at('09:00'), at('10:00')))).toBe('e');
    expect(toolId(event('e', at('09:00'), at('10:00'), { instance: at('08:00') }))).toBe(`e@${at('08:00')}`);
  });
});
