import { tick } from 'svelte';
import { host } from '../../host';
import { announce } from '../announce.svelte';
import { Busy } from '../busy.svelte';
import { t } from '../strings';
import { offerOf, type Offer } from './offer';

/** Wait until the first frame and the person's first steps are done. */
const IDLE_MS = 1_500;

/** A model that already runs on this computer: searched for when the window is idle, and connected on request. */
export class Found {
  /** Not searched yet, searching, or done. */
  state = $state<'not_yet' | 'looking' | 'known'>('not_yet');
  offer = $state.raw<Offer | null>(null);
  /** The model that answers now, once connected or connected before. */
  answering = $state<string | null>(null);
  readonly #work = new Busy<'connect'>();
  busy = $derived(this.#work.name !== null);
  fault = $derived(this.#work.fault);

  /** Searches at the next idle moment. Returns a function that cancels this. */
  look(): () => void {
    let gone = false;
    const look = () => {
      if (!gone) void this.#find(() => gone);
    };
    const idle = typeof requestIdleCallback === 'function';
    const handle = idle ? requestIdleCallback(look, { timeout: IDLE_MS }) : setTimeout(look, IDLE_MS);
    return () => {
      gone = true;
      if (idle) cancelIdleCallback(handle as number);
      else clearTimeout(handle);
    };
  }

  async #find(gone: () => boolean): Promise<void> {
    this.state = 'looking';
    let offer: Offer | null = null;
    let answering: string | null = null;
    try {
      const { models } = await host.call('models', {});
      answering = models.answering;
      if (models.connections.length === 0) offer = offerOf(models, (await host.call('find_models', {})).servers);
    } catch {
      // Nobody asked for it, so ignore failures; Settings explains them on request.
    }
    if (gone()) return;
    this.answering = answering;
    this.offer = offer;
    this.state = 'known';
  }

  /** Connects the found model; then focuses `shown`, because the pressed button is gone. */
  async connect(shown: () => HTMLElement | undefined): Promise<void> {
    const { offer } = this;
    if (!offer) return;
    const pressed = document.activeElement;
    await this.#work.run('connect', async () => {
      const { models } = await host.call('connect_model', { connection: offer.draft, key: null });
      this.answering = models.answering ?? offer.draft.name;
      announce.say(t('found.connected', { model: this.answering }));
      await tick();
      shown()?.focus();
    });
    if (!this.fault || !(pressed instanceof HTMLElement)) return;
    // A button that was disabled for a while has lost the focus.
    await tick();
    if (document.activeElement === document.body) pressed.focus();
  }
}
