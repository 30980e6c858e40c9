import type { AccountRow, CollectionRow } from '../../host';

/** Found mails from which on nobody is offered to search elsewhere. */
export const ENOUGH = 5;

/** What the accounts are called whose providers can be asked to search their mail. */
export function providersOf(accounts: AccountRow[], collections: CollectionRow[]): string[] {
  const hasMail = (row: AccountRow) => collections.some((one) => one.account === row.id && one.kind === 'mailbox');
  return accounts.filter((row) => row.id !== 'local' && row.state !== 'off' && hasMail(row)).map((row) => row.label);
}
