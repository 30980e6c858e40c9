import { describe, expect, it } from 'vitest';
import { plain } from './steps';

describe('what a step found, in the rail', () => {
  it('is one line without marks of Markdown', () => {
    expect(plain('2 events.\n\n**Tomorrow, Sat 21 Nov**\n\n- 10:00–11:00 Dentist\n- 14:00–15:00 Review')).toBe(
      '2 events. · Tomorrow, Sat 21 Nov · 10:00–11:00 Dentist · 14:00–15:00 Review',
    );
    expect(plain('3 * 4 is 12 and a_b stays')).toBe('3 * 4 is 12 and a_b stays');
  });
});
