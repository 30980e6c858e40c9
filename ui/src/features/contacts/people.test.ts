import { describe, expect, it } from 'vitest';
import { contacts } from '../../host/fake/people';
import type { ContactRow } from '../../host';
import { birthdayText, byLetter, changesOf, textOf } from './people';

const raj = contacts.find((one) => one.id === 'c-raj') as ContactRow;

describe('the address book', () => {
  it('is sorted by names as people write them', () => {
    const named = (name: string) => ({ ...raj, id: name, name });
    const groups = byLetter(['émile', 'Zoë', '3M', 'Eva', ''].map(named));
    expect(groups.map((one) => [one.label, one.items.map((who) => who.name)])).toEqual([
      ['E', ['émile', 'Eva']],
      ['Z', ['Zoë']],
      ['#', ['', '3M']],
    ]);
  });

  it('says birthdays with and without a year, and what is none as it is', () => {
    expect(birthdayText('1984-04-15')).toBe('15 April 1984');
    expect(birthdayText('--04-15')).toBe('15 April');
    expect(birthdayText('1984-04')).toBe('April 1984');
    expect(birthdayText('--04')).toBe('April');
    expect(birthdayText('1984')).toBe('1984');
    expect(birthdayText('in spring')).toBe('in spring');
  });

  it('stores only what was changed', () => {
    const text = textOf(raj);
    expect(changesOf(raj, text)).toBeNull();
    expect(
      changesOf(raj, { ...text, name: ' Raj P. ', emails: 'raj@home.example, raj@new.example', relation: 'manager' }),
    ).toEqual({
      name: 'Raj P.',
      relation: 'manager',
      add_emails: ['raj@new.example'],
      remove_emails: ['raj.patel@northwind.example'],
    });
  });
});
