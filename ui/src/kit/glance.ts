import { host } from '../host';

/** Each time the window gets the focus, reads the accounts that were not read for a while. */
export function glanceAtAccounts(): () => void {
  const glance = () => {
    // Nobody asked for it, so ignore failures: Settings shows them per account.
    void host.call('sync_accounts', { glance: true }).catch(() => undefined);
  };
  window.addEventListener('focus', glance);
  return () => window.removeEventListener('focus', glance);
}
