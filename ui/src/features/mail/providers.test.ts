import { describe, expect, it } from 'vitest';
import type { AccountRow, CollectionRow } from '../../host';
import { providersOf } from './providers';

const account = (id: string, state: AccountRow['state'] = 'ready') =>
  ({ id, kind: 'imap', label: `${id}@home.example`, state }) as AccountRow;
const collection = (of: string, kind: CollectionRow['kind']) =>
  ({ id: `${of}-${kind}`, account: of, kind }) as CollectionRow;

describe('who can be asked to search mail', () => {
  it('is every account with mail that is not switched off', () => {
    const accounts = [
      account('local'),
      account('kim'),
      account('off', 'off'),
      account('dav'),
      account('out', 'signed_out'),
    ];
    const mailboxes = ['local', 'kim', 'kim', 'off', 'out'].map((id) => collection(id, 'mailbox'));
    const all = [...mailboxes, collection('dav', 'calendar')];
    expect(providersOf(accounts, all)).toEqual(['kim@home.example', 'out@home.example']);
    expect(providersOf([], all)).toEqual([]);
  });
});
