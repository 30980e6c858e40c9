import { describe, expect, it } from 'vitest';
import { reportLine, reportOf, thingsOf } from './report-text';

describe('what the engine says of an effect', () => {
  it('is one line where one thing was changed', () => {
    expect(reportOf('Noted: “Offsite - ideas”.')).toEqual({ line: 'Noted: “Offsite - ideas”.', list: [], more: 0 });
  });
  it('is a line and the things where many were', () => {
    const text =
      'Archived 2 mails.\n\n- The Ledger: Morning briefing · Wed 11 Mar\n- Daily Deals: 50% off - last chance\n';
    expect(reportOf(text)).toEqual({
      line: 'Archived 2 mails.',
      list: ['The Ledger: Morning briefing · Wed 11 Mar', 'Daily Deals: 50% off - last chance'],
      more: 0,
    });
    expect(reportLine(text)).toBe('Archived 2 mails.');
  });
  it('keeps what has no line of its own', () => {
    expect(reportLine('- only an entry')).toBe('- only an entry');
  });
  it('counts what a cut list leaves out, apart from the line', () => {
    const said = reportOf('Moved 3 mails to the trash.\n\n- One\n- Two\n\nand 1 more');
    expect(said).toEqual({ line: 'Moved 3 mails to the trash.', list: ['One', 'Two'], more: 1 });
    expect(reportLine('Undone: Archived 3 mails.\n\n- One\n- Two\n\nand 1 more')).toBe('Undone: Archived 3 mails.');
    expect(thingsOf(said, ['One', 'Two', 'Three'])).toEqual(['One', 'Two', 'Three']);
    // Names that are not as many prove nothing about the rest.
    expect(thingsOf(said, ['One'])).toEqual(['One', 'Two']);
  });
  it('leaves a line alone that says such a thing itself', () => {
    expect(reportLine('Invited Ann, Bo and 2 more.')).toBe('Invited Ann, Bo and 2 more.');
    expect(reportOf('and 2 more').line).toBe('and 2 more');
  });
});
