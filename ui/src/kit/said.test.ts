import { describe, expect, it } from 'vitest';
import { saidLine, saidOf } from './said';

describe('what the engine says of an effect', () => {
  it('is one line where one thing was changed', () => {
    expect(saidOf('Noted: “Offsite - ideas”.')).toEqual({ line: 'Noted: “Offsite - ideas”.', list: [] });
  });
  it('is a line and the things where many were', () => {
    const text =
      'Archived 2 mails.\n\n- The Ledger: Morning briefing · Wed 11 Mar\n- Daily Deals: 50% off - last chance\n';
    expect(saidOf(text)).toEqual({
      line: 'Archived 2 mails.',
      list: ['The Ledger: Morning briefing · Wed 11 Mar', 'Daily Deals: 50% off - last chance'],
    });
    expect(saidLine(text)).toBe('Archived 2 mails.');
  });
  it('keeps what has no line of its own', () => {
    expect(saidLine('- only an entry')).toBe('- only an entry');
  });
});
