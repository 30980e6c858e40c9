import { describe, expect, it } from 'vitest';
import type { Card, Fact } from '../../host';
import { mailCard } from '../../host/fake/cards';
import { Draft } from './draft.svelte';

const fact = (label: string, value: string, kind: string | null = 'book'): Fact => ({
  label,
  value,
  before: null,
  source: kind === null ? null : ({ kind, label: '', detail: null } as unknown as Fact['source']),
});
const card = (...facts: Fact[]): Card => ({ ...mailCard, facts });
const NOBODY = [fact('Cc', 'Nobody', null), fact('Bcc', 'Nobody', null)];
const FROM = fact('From', 'Mara Lind (mara@lind.example)');

const field = (draft: Draft, key: string) => {
  const found = draft.fields.find((one) => one.key === key);
  if (!found) throw new Error(key);
  return found;
};

describe('a mail being edited', () => {
  const args = { to: ['Olga', 'Bo'], body: 'See you at the lake.' };
  const shown = card(
    FROM,
    fact('To', 'Olga Stein, PhD (olga@stein.example)'),
    fact('To', 'Bo (bo@x.example)'),
    ...NOBODY,
    fact('Subject', 'See you at the lake'),
  );

  it('starts with what its card shows, of which nothing is changed', () => {
    const draft = new Draft(args, 'email.send', shown);
    expect(draft.fields.map(({ key, text }) => [key, text])).toEqual([
      ['to', 'Olga Stein, PhD (olga@stein.example)\nBo (bo@x.example)'],
      ['cc', ''],
      ['bcc', ''],
      ['subject', 'See you at the lake'],
      ['body', 'See you at the lake.'],
    ]);
    expect([draft.changed, draft.fixed]).toEqual([false, [{ label: 'From', value: 'Mara Lind (mara@lind.example)' }]]);
  });

  it('keeps the subject it shows, and the people whose lines stay', () => {
    const draft = new Draft(args, 'email.send', shown);
    field(draft, 'body').text = 'See you at the hut.';
    expect(draft.args()).toEqual({ to: ['Olga', 'Bo'], subject: 'See you at the lake', body: 'See you at the hut.' });
    field(draft, 'to').text = 'Olga Stein, PhD (olga@stein.example)\nBo Berg (bo@berg.example)\nivo@x.example, Una';
    expect(draft.args()).toMatchObject({ to: ['Olga', 'Bo Berg <bo@berg.example>', 'ivo@x.example', 'Una'] });
  });

  it('takes the addresses from the card where it shows fewer people than were named', () => {
    const draft = new Draft(
      { ...args, to: ['Bo', 'bo@x.example'] },
      'email.send',
      card(fact('To', 'Bo (bo@x.example)'), ...NOBODY),
    );
    field(draft, 'to').text += '\nUna';
    expect(draft.args()).toMatchObject({ to: ['Bo <bo@x.example>', 'Una'] });
  });

  it('shows what it cannot change', () => {
    const reply = card(
      FROM,
      fact('To', 'Olga Stein (olga@stein.example)'),
      fact('Cc', 'Bo (bo@x.example)'),
      fact('Bcc', 'Nobody', null),
      fact('Subject', 'Re: Lake'),
    );
    const draft = new Draft({ id: 'm-1', all: true, body: 'Yes.' }, 'email.reply', reply);
    expect(draft.fixed.map(({ label }) => label)).toEqual(['From', 'To', 'Cc', 'Subject']);
    field(draft, 'body').text = 'No.';
    expect(draft.args()).toEqual({ id: 'm-1', all: true, body: 'No.' });
  });
});
