import { host, show, type Estimate, type Id } from '../../host';
import { onChanged } from '../../kit/changes';
import { clock } from '../../kit/clock.svelte';
import type { Tier } from '../../kit/tiers';
import { dayOf } from '../../kit/time';

/** From this share of the daily limit on, the person is asked before a message is sent. */
export const LARGE_SHARE = 0.25;
/** After the person agreed once, they are asked again only when a message could cost this many times as much. */
export const AGAIN_FACTOR = 1.5;
/** A message waits at most this long for its price: the limits hold without it. */
const PATIENCE_MS = 300;
const DAY_MS = 86_400_000;
const ROWS_MAX = 2000;
const MICROS = 1_000_000;
const LIMIT = 'models.spend.day';

/** What an expensive message could cost. */
export interface Large {
  estimate: Estimate;
  /** Spent today, including what running calls reserve, and the daily limit; in millionths of the currency. */
  today_micros: number;
  limit_micros: number;
}

/** Estimates the maximum cost of a message before it is sent. Asks nothing when no model costs anything. */
export class Afford {
  /** Whether a connected model may cost something; null until known. */
  #paid: boolean | null = null;
  #agreed_micros = 0;

  /** Follows changes of the connected models. Returns a function that stops. */
  follow(): () => void {
    return onChanged(['settings'], () => (this.#paid = null));
  }

  /**
   * Null when the message can go at once: it is cheap, the person agreed before, or the price does not come in time.
   */
  async large(conversation: Id | null, text: string, tier: Tier | null = null): Promise<Large | null> {
    if (this.#paid === false) return null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((done) => (timer = setTimeout(() => done(null), PATIENCE_MS)));
    try {
      return await Promise.race([this.#ask(conversation ?? '', text, tier), late]);
    } catch {
      // Sending the message will report what is wrong with it.
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
    // A remote model without a price is not free: the engine counts a high price for it.
    this.#paid = connections.some((one) =>
      Object.values(one.models).some(
        (model) =>
          model && !model.free && (!one.local || model.input_micros_per_million + model.output_micros_per_million > 0),
      ),
    );
    return this.#paid;
  }
}
