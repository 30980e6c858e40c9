import type { AccountRow, CollectionRow } from '../../host';

/** With this many mails found, the search at providers is not offered. */
export const ENOUGH = 5;

/** The labels of the accounts that can search mail at their provider. */
export function providersOf(accounts: AccountRow[], collections: CollectionRow[]): string[] {
  const hasMail = (row: AccountRow) => collections.some((one) => one.account === row.id && one.kind === 'mailbox');
  return accounts.filter((row) => row.id !== 'local' && row.state !== 'off' && hasMail(row)).map((row) => row.label);
}
