import { tick } from 'svelte';
import { host } from '../../host';
import { announce } from '../announce.svelte';
import { Busy } from '../busy.svelte';
import { t } from '../strings';
import { offerOf, type Offer } from './offer';

/** The first frame and what the person begins with come first. */
const IDLE_MS = 1_500;

/** A model that already runs on this computer: looked for when the window has nothing else to do, and connected when asked to. */
export class Found {
  /** Not looked for yet, being looked for, or looked for. */
  state = $state<'not_yet' | 'looking' | 'known'>('not_yet');
  offer = $state.raw<Offer | null>(null);
  /** Who answers now, once connected; or a model that was connected before. */
  answering = $state<string | null>(null);
  readonly #work = new Busy<'connect'>();
  busy = $derived(this.#work.name !== null);
  fault = $derived(this.#work.fault);

  /** Looks at the next idle moment. Returns how to stop waiting for it. */
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
      // Nobody asked for it; Settings says why when somebody does.
    }
    if (gone()) return;
    this.answering = answering;
    this.offer = offer;
    this.state = 'known';
  }

  /** Connects what was found; then `shown` gets the focus, since the button that had it is gone. */
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
    // A button that was shut for a while has lost the focus.
    await tick();
    if (document.activeElement === document.body) pressed.focus();
  }
}
