import { host, show, type Estimate, type Id } from '../../host';
import { onChanged } from '../../kit/changes';
import { clock } from '../../kit/clock.svelte';
import type { Tier } from '../../kit/tiers';
import { dayOf } from '../../kit/time';

/** From this share of the day's limit on, a message is asked about before it is sent. */
export const LARGE_SHARE = 0.25;
/** What was agreed to once is asked about again only where it could cost so many times as much. */
export const AGAIN_FACTOR = 1.5;
/** A message waits no longer than this for its price: the limits hold without it. */
const PATIENCE_MS = 300;
const DAY_MS = 86_400_000;
const ROWS_MAX = 2000;
const MICROS = 1_000_000;
const LIMIT = 'models.spend.day';

/** What a message could cost, where that is a lot. */
export interface Large {
  estimate: Estimate;
  /** Spent today, with what running calls hold back, and what may be; in millionths of the currency. */
  today_micros: number;
  limit_micros: number;
}

/** Asks what a message could cost at most before it is sent. Where no model costs anything it asks for nothing. */
export class Afford {
  /** Whether a connected model may cost something; null while that is not known. */
  #paid: boolean | null = null;
  #agreed_micros = 0;

  /** Follows what is connected. Returns how to stop. */
  follow(): () => void {
    return onChanged(['settings'], () => (this.#paid = null));
  }

  /** Null where the message can go at once: it costs little, that was agreed to before, or it cannot be told in time. */
  async large(conversation: Id | null, text: string, tier: Tier | null = null): Promise<Large | null> {
    if (this.#paid === false) return null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((done) => (timer = setTimeout(() => done(null), PATIENCE_MS)));
    try {
      return await Promise.race([this.#ask(conversation ?? '', text, tier), late]);
    } catch {
      // What is wrong with the message is said when it is sent.
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  agree({ estimate }: Large): void {
    this.#agreed_micros = Math.max(this.#agreed_micros, estimate.at_most_micros);
  }

  async #ask(conversation: Id, text: string, tier: Tier | null = null): Promise<Large | null> {
    if (!(await this.#isPaid())) return null;
    const { estimate } = (await host.call('explain', { conversation, text, ...(tier && { tier }) })).reading;
    if (!estimate || estimate.at_most_micros <= this.#agreed_micros * AGAIN_FACTOR) return null;
    const { settings } = await host.call('config_get', { key: LIMIT });
    const limit_micros = Math.round(Number(settings[0]?.value) * MICROS) || 0;
    if (estimate.at_most_micros < limit_micros * LARGE_SHARE) return null;
    const rows = await show(host, 'usage', {
      from: new Date(clock.now() - DAY_MS).toISOString(),
      limit: ROWS_MAX,
    });
    const today = dayOf(clock.now());
    const today_micros = rows
      .filter((row) => row.day === today)
      .reduce((sum, row) => sum + row.cost_micros + row.reserved_micros, 0);
    return { estimate, today_micros, limit_micros };
  }

  async #isPaid(): Promise<boolean> {
    if (this.#paid !== null) return this.#paid;
    const { connections } = (await host.call('models', {})).models;
    // In the world nothing is no price: a dear one is counted there.
    this.#paid = connections.some((one) =>
      Object.values(one.models).some(
        (model) =>
          model && !model.free && (!one.local || model.input_micros_per_million + model.output_micros_per_million > 0),
      ),
    );
    return this.#paid;
  }
}
