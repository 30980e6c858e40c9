import { host } from '../host';

/** The person's own mail addresses in lower case, the default one first. */
export async function ownAddresses(): Promise<string[]> {
  const [row] = (await host.call('config_get', { key: 'owner.emails' })).settings;
  const all = (row?.value ?? '').split(',').map((one) => one.trim().toLowerCase());
  return all.filter((one) => one !== '');
}
