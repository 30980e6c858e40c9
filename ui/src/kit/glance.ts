import { host } from '../host';

/** Whenever the person comes back to the window, accounts are read that were not for a while. */
export function glanceAtAccounts(): () => void {
  const glance = () => {
    // Nobody asked for it: Settings says of each account what failed.
    void host.call('sync_accounts', { glance: true }).catch(() => undefined);
  };
  window.addEventListener('focus', glance);
  return () => window.removeEventListener('focus', glance);
}
