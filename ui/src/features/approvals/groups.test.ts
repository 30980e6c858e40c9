import { describe, expect, it } from 'vitest';
import type { Approval } from '../../host';
import { fake } from '../../host/fake';
import { approval, batchCard, mailCard } from '../../host/fake/cards';
import { aboutOf, summaryOf } from '../../kit/approve/about';
import { showsFound } from '../../kit/live.svelte';
import { alike, byConversation, inbox, named, togetherId } from './groups';

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

describe('the line below the title of a waiting action', () => {
  const notes = [{ kind: 'info' as const, text: 'Nobody is told: this calendar is only on this computer.' }];
  const shown = { ...batchCard, title: 'Move “Choir”', items: [], facts: [], notes, undo_kind: 'yes', account: null };
  const one = { ...approval('a1', 'calendar.update', shown, 0), why: 'Asked because an event is moved.' };

  it('says first who is told and whether it can be undone, also where others were read before', () => {
    const rest = 'Nobody is told · Can be undone · Because an event is moved.';
    expect(summaryOf({ ...one, tainted: false })).toBe(rest);
    expect(summaryOf({ ...one, tainted: true })).toBe(`${rest} · May be influenced by text from others`);
    expect(showsFound({ ...one, tainted: true })).toBe(false);
  });

  it('begins with the warning where the card shows it', () => {
    const source = { kind: 'found', detail: 'Mail of 13 Jan' } as const;
    const facts = [{ ...mailCard.facts[0]!, source }];
    const found = { ...one, shown: { ...shown, facts } };
    expect(summaryOf(found)).toMatch(/^May be influenced by text from others · Nobody is told · Can be undone/);
    expect(showsFound(found)).toBe(true);
  });
});

describe('a day with much that waits', () => {
  const box = () => {
    fake.reset('flood', 0);
    return inbox(fake.world.approvals, []).waiting;
  };

  it('stands by conversation, and many of one kind are one line with their number', () => {
    const talks = byConversation(box());
    expect(talks.map((talk) => [talk.conversation, talk.count, talk.entries.map((one) => one.kind)])).toEqual([
      ['c-lease', 3, ['action', 'action', 'action']],
      ['main', 16, ['flood']],
    ]);
    // A tainted action comes first, whenever it expires.
    expect(talks[0]?.entries[0]?.id).toBe('a-move-2');
  });

  it('is decided together where it is alike, and nothing that was found goes with it', () => {
    const waiting = box();
    const move = (id: string) => waiting.find((one) => one.id === id);
    const ids = (id: string) => alike(waiting, move(id)).map((one) => one.id);
    expect(ids('a-move-0')).toEqual(['a-move-0', 'a-move-1']);
    expect(ids('a-mail-3')).toHaveLength(16);
    expect(alike(waiting, undefined)).toEqual([]);
    const other = waiting.map((one) => (one.id === 'a-move-1' ? { ...one, account: 'acc_1' } : one));
    expect(alike(other, move('a-move-0')).map((one) => one.id)).toEqual(['a-move-0']);
  });

  it('names several at once by any of them', () => {
    expect(named(togetherId('a-1'))).toEqual({ id: 'a-1', together: true });
    expect(named('a-1')).toEqual({ id: 'a-1', together: false });
    expect(named(null)).toEqual({ id: null, together: false });
  });
});
