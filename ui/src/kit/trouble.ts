import type { AccountRow, OutboxRow } from '../host';
import { t } from './strings';
import './strings/en/trouble';

/** Something that does not work although nothing failed in the window itself, and where the person can act on it. */
export interface Trouble {
  words: string;
  surface: 'settings' | 'approvals';
  id: string;
}

const inAccounts = (words: string): Trouble => ({ words, surface: 'settings', id: 'accounts' });

/**
 * The most pressing trouble with accounts and approved actions: a sign-in, which only the person can give, before
 * connections, which come back by themselves.
 */
export function troubleOf(accounts: readonly AccountRow[], outbox: readonly OutboxRow[]): Trouble | null {
  const [out, ...others] = accounts.filter((one) => one.state === 'signed_out');
  if (out) {
    const n = others.length + 1;
    return inAccounts(n === 1 ? t('trouble.signed_out', { label: out.label }) : t('trouble.signed_out_n', { n }));
  }
  const waits = outbox.filter((one) => one.waits !== undefined && one.waits.why !== 'hold');
  const signIn = waits.find((one) => one.waits?.why === 'sign_in')?.waits;
  if (signIn?.account) return inAccounts(t('trouble.signed_out', { label: signIn.account }));
  const [first] = waits;
  if (first) {
    const n = waits.length;
    const areMails = waits.every((one) => one.to.length > 0);
    return { words: t(areMails ? 'trouble.waits_mail' : 'trouble.waits', { n }), surface: 'approvals', id: first.id };
  }
  const broken = accounts.find((one) => one.state === 'ready' && one.problem !== null);
  return broken ? inAccounts(t('trouble.not_updated', { label: broken.label })) : null;
}
