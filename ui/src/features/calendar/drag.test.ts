import { describe, expect, it } from 'vitest';
import { dragged, drawn, stepped, type Span } from './drag';

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
