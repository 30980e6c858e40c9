import { host } from '../host';
import { profiles } from './profiles.svelte';

/** Creates the sample data in its own profile, and opens that profile. */
export async function openSample(): Promise<void> {
  const { name } = await host.call('load_sample', {});
  await profiles.open(name);
}

/** Erases the open sample profile's data, and returns to the person's own profile. */
export async function removeSample(own: string): Promise<void> {
  await host.call('erase', {});
  await profiles.open(own);
}
