import { host } from '../host';
import { profiles } from './profiles.svelte';

/** Makes the sample data, in a profile of its own, and goes there. */
export async function openSample(): Promise<void> {
  const { name } = await host.call('load_sample', {});
  await profiles.open(name);
}

/** Erases the sample data, in whose profile one is, and goes back. */
export async function removeSample(own: string): Promise<void> {
  await host.call('erase', {});
  await profiles.open(own);
}
