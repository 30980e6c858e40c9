import { describe, expect, it } from 'vitest';
import { sumOf } from './sum';

describe('a sum in the palette', () => {
  it.each([
    ['3*17', 51],
    ['3 × 17', 51],
    ['2 + 3 * 4', 14],
    ['(2 + 3) * 4', 20],
    ['10 - 4 - 3', 3],
    ['2^3^2', 512],
    ['-3 + 5', 2],
    ['18% of 2450', 441],
    ['0.1 + 0.2', 0.3],
    ['100/8', 12.5],
  ])('%s comes to %s', (text, value) => expect(sumOf(text)).toBe(value));

  it.each([
    ...['', '17', 'raj', '3*', '3 17', '(3*4', '3*4)', '1/0', '9^9^9', '12-01-2026', '1/2/2026', '3*raj'],
    '('.repeat(500),
  ])('%s is none', (text) => expect(sumOf(text)).toBeNull());
});
