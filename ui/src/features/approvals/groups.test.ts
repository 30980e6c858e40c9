import { describe, expect, it } from 'vitest';
import type { Approval } from '../../host';
import { aboutOf } from '../../kit/approve/about';

const LONG =
  'Re: Fwd: Contract for the Ferry Street building, second reading with the changes that legal asked for in May';
const of = (title: string, args: Approval['args'], labels: string[] = []) =>
  aboutOf({
    args,
    shown: { title, items: labels.map((label, at) => ({ id: `m${at}`, label, detail: null })) },
  } as Approval);

describe('what tells one waiting action from another', () => {
  it('is its subject, or what its batch is made of', () => {
    expect(of('Send a mail to 2 people', { subject: LONG, to: ['a@b.example'] })).toBe(LONG);
    expect(of('Delete 2 mails', { ids: ['a', 'b'] }, ['Q4 totals', 'Lunch'])).toBe('Q4 totals, Lunch');
  });

  it('is not said again where the title has it', () => {
    expect(of('Delete “Lunch”', { id: 'a' }, ['Lunch'])).toBe('');
    expect(of('Move “Mara / Raj” to Thursday', { summary: 'Mara / Raj' })).toBe('');
    expect(of('Send now', null)).toBe('');
  });
});
