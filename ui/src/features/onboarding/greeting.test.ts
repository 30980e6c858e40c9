import { describe, expect, it } from 'vitest';
import { greeting } from './greeting';

describe('the greeting', () => {
  it('fits the hour, and names nobody it does not know', () => {
    expect(greeting(9, 'Mara Lindqvist')).toBe('Good morning, Mara.');
    expect(greeting(12, '')).toBe('Good afternoon.');
    expect(greeting(23, 'Mara')).toBe('Good evening, Mara.');
    expect(greeting(1, '  ')).toBe('Good evening.');
    expect(greeting(4, '')).toBe('Good morning.');
  });
});
