import { faultOf, host, type Profiles } from '../host';
import { announce } from './announce.svelte';
import { toasts } from './toast.svelte';

/** The list of profiles, and switching between them. */
class ProfileChoice {
  all = $state.raw<Profiles | null>(null);
  /** The profile being opened; the window reloads once it is open. */
  opening = $state<string | null>(null);

  inSample = $derived(this.all !== null && this.all.current === this.all.sample);

  async load(): Promise<void> {
    try {
      this.all = await host.profiles();
    } catch {
      // Without the list there is nothing to choose; the open profile works as before.
      this.all = null;
    }
  }

  async open(name: string): Promise<void> {
    if (this.opening !== null || name === this.all?.current) return;
    this.opening = name;
    try {
      // On success, this page unloads.
      await host.switchProfile(name);
    } catch (thrown) {
      this.opening = null;
      const { message, hint } = faultOf(thrown);
      toasts.show(`${message} ${hint}`);
      announce.alert(`${message} ${hint}`, 'profile');
    }
  }
}

export const profiles = new ProfileChoice();
