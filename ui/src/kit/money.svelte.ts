import { host } from '../host';
import { onChanged } from './changes';
import { Newest } from './newest';

const KEY = 'models.currency';
const MICROS = 1_000_000;

/** The currency the person pays models in: loaded when an amount is first shown, then kept up to date. */
class Money {
  /** ISO 4217 code; null until known. */
  currency = $state<string | null>(null);
  #wanted = false;
  #newest = new Newest();

  want(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    void this.#load();
    onChanged(['settings'], () => void this.#load());
  }

  async #load(): Promise<void> {
    const current = this.#newest.begin();
    try {
      const { settings } = await host.call('config_get', { key: KEY });
      if (current()) this.currency = settings.find((one) => one.key === KEY)?.value ?? null;
    } catch {
      // Amounts stay plain numbers; the next change of settings tries again.
    }
  }

  /** An amount such as `$0.0021`; a plain number until the currency is known. */
  text(micros: number): string {
    this.want();
    return moneyText(micros, this.currency);
  }
}

export const money = new Money();

/** Formats an amount given in millionths. Sums below the smallest coin keep the digits that distinguish them. */
export function moneyText(micros: number, currency: string | null): string {
  const amount = micros / MICROS;
  const style = currency && /^[A-Z]{3}$/.test(currency) ? ({ style: 'currency', currency } as const) : {};
  const usual = new Intl.NumberFormat('en', style);
  const coin = 10 ** -(currency ? (usual.resolvedOptions().maximumFractionDigits ?? 2) : 2);
  return amount > 0 && amount < coin
    ? new Intl.NumberFormat('en', { ...style, minimumFractionDigits: 0, maximumSignificantDigits: 2 }).format(amount)
    : usual.format(amount);
}
