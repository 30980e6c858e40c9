import type { Connection, UsageRow } from '../../host';
import { TIERS } from './connection';

/** What a candidate is asked as well: only replies to these can be compared (`engine/shadow.rs`). */
const COMPARED: ReadonlySet<string> = new Set(['route', 'plan', 'resume']);
const MILLION = 1_000_000;

export interface Expected {
  /** Requests that would have been compared. */
  calls: number;
  /** What asking the candidate as well would have cost at most, in millionths of the currency. */
  micros: number;
  /** `free`: it costs nothing. `unknown`: it is in the world, and a price of it is missing. */
  price: 'known' | 'free' | 'unknown';
}

/** What comparing would have cost where these were asked, with the dearest model of the candidate. */
export function expected(rows: readonly UsageRow[], candidate: Connection): Expected {
  const models = TIERS.flatMap((tier) => candidate.models[tier] ?? []);
  const dearest = (price: 'input_micros_per_million' | 'output_micros_per_million') =>
    Math.max(0, ...models.map((model) => (model.free ? 0 : model[price])));
  const input = dearest('input_micros_per_million');
  const output = dearest('output_micros_per_million');
  const asked = rows.filter((row) => row.purpose === 'foreground' && COMPARED.has(row.stage));
  const micros = asked.reduce((sum, row) => sum + row.input * input + row.output * output, 0) / MILLION;
  return {
    calls: asked.reduce((sum, row) => sum + row.calls, 0),
    micros: Math.ceil(micros),
    price: models.every(
      (model) =>
        model.free || (candidate.local && model.input_micros_per_million + model.output_micros_per_million === 0),
    )
      ? 'free'
      : candidate.local ||
          models.every(
            (model) => model.free || (model.input_micros_per_million > 0 && model.output_micros_per_million > 0),
          )
        ? 'known'
        : 'unknown',
  };
}

/** What comparing did cost, and how often it was done. */
export function compared(rows: readonly UsageRow[], name: string): { calls: number; micros: number } {
  const own = rows.filter(
    (row) => row.purpose === 'background' && COMPARED.has(row.stage) && row.model.startsWith(`${name}/`),
  );
  const sum = (of: (row: UsageRow) => number) => own.reduce((all, row) => all + of(row), 0);
  return { calls: sum((row) => row.calls), micros: sum((row) => row.cost_micros) };
}
