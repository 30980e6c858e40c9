import { describe, expect, it } from 'vitest';
import type { AccountRow, OutboxRow } from '../host';
import { outbox } from '../host/fake/rows';
import { troubleOf } from './trouble';

const until = '2026-01-13T12:00:00-05:00';
const account = (label: string, change: Partial<AccountRow> = {}): AccountRow => ({
  ...{ id: label, kind: 'imap', label, addresses: [], state: 'ready', settings: {} },
  ...{ read: until, problem: null, reading: false },
  ...change,
});
const dana = account('dana@home.example', { state: 'signed_out' });
const problem = { what: 'nas.example cannot be reached.', next: 'It is tried again.', at: until };
const mail = (why: 'hold' | 'connection' | 'sign_in', change: Partial<OutboxRow> = {}): OutboxRow => ({
  ...outbox[0]!,
  id: 'act_1',
  state: 'queued',
  waits: { why, until },
  ...change,
});

describe('what does not work', () => {
  it.each([
    ['nothing', [account('work')], [mail('hold')], null],
    ['an account that is off', [account('work', { state: 'off', problem })], [], null],
    ['a sign-out', [dana], [mail('connection')], 'dana@home.example is signed out > settings/accounts'],
    ['two sign-outs', [dana, { ...dana, id: 'b' }], [], '2 accounts are signed out > settings/accounts'],
    ['a mail that waits', [account('work')], [mail('connection')], '1 mail waits for a connection > approvals/act_1'],
    [
      'other actions that wait',
      [account('work', { problem })],
      [mail('connection', { to: [] }), mail('connection')],
      '2 approved actions wait for a connection > approvals/act_1',
    ],
    [
      'a mail that waits for a sign-in',
      [],
      [mail('sign_in', { waits: { why: 'sign_in', until, account: 'Work mail' } })],
      'Work mail is signed out > settings/accounts',
    ],
    [
      'an account that cannot be read',
      [account('work', { problem })],
      [],
      'work cannot be updated > settings/accounts',
    ],
  ])('is said, with the place to act on it: %s', (_, accounts, rows, said) => {
    const found = troubleOf(accounts, rows);
    expect(found && `${found.words} > ${found.surface}/${found.id}`).toBe(said);
  });
});
