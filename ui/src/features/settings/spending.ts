import type { UsageRow } from '../../host';

const MICROS = 1_000_000;
/** From this share of a limit on, a note says so. */
export const NEAR = 0.8;

export const BY = ['day', 'stage', 'model'] as const;
export type By = (typeof BY)[number];

/** The spending of one day, one feature or one model. */
export interface Sum {
  key: string;
  calls: number;
  failed: number;
  input: number;
  output: number;
  cost_micros: number;
}

/** Adds up the rows: days newest first, features and models most expensive first. */
export function summed(rows: readonly UsageRow[], by: By): Sum[] {
  const sums = new Map<string, Sum>();
  for (const row of rows) {
    const key = row[by];
    const sum = sums.get(key) ?? { key, calls: 0, failed: 0, input: 0, output: 0, cost_micros: 0 };
    sum.calls += row.calls;
    sum.failed += row.failed;
    sum.input += row.input;
    sum.output += row.output;
    sum.cost_micros += row.cost_micros;
    sums.set(key, sum);
  }
  const byName = (a: Sum, b: Sum) => (a.key < b.key ? -1 : 1);
  return [...sums.values()].sort((a, b) =>
    by === 'day'
      ? byName(b, a)
      : b.cost_micros - a.cost_micros || b.input + b.output - a.input - a.output || byName(a, b),
  );
}

export interface Spent {
  /** Includes what running calls reserve, as the limit does. */
  micros: number;
  limit_micros: number;
  /** The share of the limit, from 0 to 1. */
  share: number;
}

/** The spending that counts against a limit. `day` is a day, or the beginning of one (`2026-01` for a month). */
export function spent(
  rows: readonly UsageRow[],
  day: string,
  limit: string,
  purpose: 'background' | null = null,
): Spent {
  const micros = rows
    .filter((row) => row.day.startsWith(day) && (purpose === null || row.purpose === purpose))
    .reduce((sum, row) => sum + row.cost_micros + row.reserved_micros, 0);
  const limit_micros = Math.round(Number(limit) * MICROS) || 0;
  return { micros, limit_micros, share: limit_micros > 0 ? Math.min(1, micros / limit_micros) : micros > 0 ? 1 : 0 };
}
