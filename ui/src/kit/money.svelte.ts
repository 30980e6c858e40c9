import { host } from '../host';
import { onChanged } from './changes';
import { Newest } from './newest';

const KEY = 'models.currency';
const MICROS = 1_000_000;

/** The currency in which the person pays for models: read once when an amount is first shown, then kept fresh. */
class Money {
  /** ISO 4217; null until it is known. */
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
      // Amounts stay numbers; the next change of a setting asks again.
    }
  }

  /** `$0.0021`; as a number alone until the currency is known. */
  text(micros: number): string {
    this.want();
    return moneyText(micros, this.currency);
  }
}

export const money = new Money();

/** An amount in millionths. Sums below the smallest coin keep the digits that tell them apart. */
export function moneyText(micros: number, currency: string | null): string {
  const amount = micros / MICROS;
  const style = currency && /^[A-Z]{3}$/.test(currency) ? ({ style: 'currency', currency } as const) : {};
  const usual = new Intl.NumberFormat('en', style);
  const coin = 10 ** -(currency ? (usual.resolvedOptions().maximumFractionDigits ?? 2) : 2);
  return amount > 0 && amount < coin
    ? new Intl.NumberFormat('en', { ...style, minimumFractionDigits: 0, maximumSignificantDigits: 2 }).format(amount)
    : usual.format(amount);
}
