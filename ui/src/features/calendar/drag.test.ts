import { describe, expect, it } from 'vitest';
import {
  barDays,
  dragged,
  drawn,
  drawnDays,
  grabbed,
  isSame,
  moved,
  stepped,
  turned,
  wholeDays,
  type Span,
} from './drag';

const was: Span = { day: '2026-01-14', from: 600, to: 630 };

describe('what is moved with the pointer', () => {
  it('keeps its length, and stays under the place it was taken at', () => {
    expect(dragged('move', was, '2026-01-15', 672, 12)).toEqual({ day: '2026-01-15', from: 660, to: 690 });
  });
  it('stays inside its day at its beginning, however far the pointer goes', () => {
    expect(dragged('move', was, was.day, -300).from).toBe(0);
    expect(dragged('move', was, was.day, 9_000).from).toBe(1425);
  });
  it('changes one end only, never below a quarter of an hour', () => {
    expect(dragged('end', was, was.day, 694)).toEqual({ ...was, to: 690 });
    expect(dragged('end', was, was.day, 0)).toEqual({ ...was, to: 615 });
    expect(dragged('start', was, was.day, 2_000)).toEqual({ ...was, from: 615 });
    expect(dragged('start', was, was.day, 500)).toEqual({ ...was, from: 495 });
  });
});

describe('what is moved with the keys', () => {
  it('goes a day aside and a quarter of an hour down', () => {
    expect(stepped('move', was, 1, 0)).toEqual({ ...was, day: '2026-01-15' });
    expect(stepped('move', was, 0, -1)).toEqual({ ...was, from: 585, to: 615 });
    expect(stepped('end', was, 0, 1)).toEqual({ ...was, to: 645 });
  });
  it('comes to the next day past midnight, and to the one before', () => {
    const late: Span = { day: '2026-01-31', from: 1425, to: 1485 };
    expect(stepped('move', late, 0, 1)).toEqual({ day: '2026-02-01', from: 0, to: 60 });
    expect(stepped('move', { ...was, from: 0, to: 30 }, 0, -1)).toEqual({ day: '2026-01-13', from: 1425, to: 1455 });
  });
});

describe('what is drawn', () => {
  it('takes whole quarters, upwards and downwards', () => {
    expect(drawn('d', 604, 655)).toEqual({ day: 'd', from: 600, to: 660 });
    expect(drawn('d', 655, 604)).toEqual({ day: 'd', from: 600, to: 660 });
    expect(drawn('d', 600, 600)).toEqual({ day: 'd', from: 600, to: 615 });
    expect(drawn('d', 1439, 9_000)).toEqual({ day: 'd', from: 1425, to: 1440 });
  });
});

describe('whole days', () => {
  const place = (day: string, minute = 0, whole = true) => ({ day, minute, whole });
  it('are drawn forwards and backwards', () => {
    expect(drawnDays('2026-01-30', '2026-02-01')).toEqual(wholeDays('2026-01-30', 3));
    expect(drawnDays('2026-02-01', '2026-01-30')).toEqual(wholeDays('2026-01-30', 3));
    expect(drawnDays('2026-01-30', '2026-01-30')).toEqual(wholeDays('2026-01-30'));
  });
  it('keep their number and the day they were taken at', () => {
    const trip = wholeDays('2026-01-12', 3);
    expect(moved(trip, place('2026-01-20'), grabbed(trip, place('2026-01-13')))).toEqual(wholeDays('2026-01-19', 3));
  });
  it('become an hour by the clock, and what has a time becomes a day', () => {
    expect(moved(wholeDays('2026-01-12', 3), place('2026-01-14', 607, false), 1)).toEqual({
      day: '2026-01-14',
      from: 600,
      to: 660,
    });
    expect(moved(was, place('2026-01-16'), 10)).toEqual(wholeDays('2026-01-16'));
    expect([turned(was), turned(wholeDays('2026-01-16'))]).toEqual([
      wholeDays('2026-01-14'),
      { day: '2026-01-16', from: 540, to: 600 },
    ]);
  });
  it('are moved and lengthened by the keys, never to none', () => {
    expect(stepped('move', wholeDays('2026-01-31', 2), 1, 0)).toEqual(wholeDays('2026-02-01', 2));
    expect(stepped('end', wholeDays('2026-01-31', 2), 1, 0)).toEqual(wholeDays('2026-01-31', 3));
    expect(stepped('end', wholeDays('2026-01-31'), -1, 0)).toEqual(wholeDays('2026-01-31'));
    expect(isSame(wholeDays('d'), { day: 'd', from: 0, to: 0 })).toBe(false);
  });

  it('keeps the times of an event over several days, whichever way it moves', () => {
    const was = { day: '2026-01-13', from: 600, to: 600 + 2 * 1440 };
    const head = { day: '2026-01-15', minute: -40, whole: true };
    expect(barDays(was)).toBe(3);
    expect(moved(was, head, grabbed(was, { ...head, day: '2026-01-14' }))).toEqual({ ...was, day: '2026-01-14' });
    expect(moved(was, { day: '2026-01-16', minute: 480, whole: false }, 1)).toEqual({
      ...{ day: '2026-01-16', from: 480, to: 480 + 2 * 1440 },
    });
    expect(stepped('move', was, 1, 0)).toEqual({ ...was, day: '2026-01-14' });
    expect(stepped('end', was, 0, 1).to).toBe(was.to + 15);
    expect(stepped('end', was, -1, 0).to).toBe(was.to - 1440);
    expect(turned(was)).toEqual(wholeDays('2026-01-13', 3));
    const night = { day: '2026-01-13', from: 1320, to: 1440 + 120 };
    expect(stepped('end', night, 0, 1).to).toBe(night.to);
  });
});
