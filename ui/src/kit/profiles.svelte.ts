import { faultOf, host, type Profiles } from '../host';
import { announce } from './announce.svelte';
import { toasts } from './toast.svelte';

/** Which profiles there are, and going from one to another. */
class ProfileChoice {
  all = $state.raw<Profiles | null>(null);
  /** Another one is being opened; the window starts anew when it is. */
  opening = $state<string | null>(null);

  inSample = $derived(this.all !== null && this.all.current === this.all.sample);

  async load(): Promise<void> {
    try {
      this.all = await host.profiles();
    } catch {
      // Without the list there is nothing to choose; the one that is open works as before.
      this.all = null;
    }
  }

  async open(name: string): Promise<void> {
    if (this.opening !== null || name === this.all?.current) return;
    this.opening = name;
    try {
      // When it succeeds, this page is on its way out.
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
