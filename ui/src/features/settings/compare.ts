import type { UsageRow } from '../../host';

/** What a candidate is asked as well: only replies to these can be compared (`engine/shadow.rs`). */
const COMPARED: ReadonlySet<string> = new Set(['route', 'plan', 'resume']);

/** What comparing did cost, and how often it was done. */
export function compared(rows: readonly UsageRow[], name: string): { calls: number; micros: number } {
  const own = rows.filter(
    (row) => row.purpose === 'background' && COMPARED.has(row.stage) && row.model.startsWith(`${name}/`),
  );
  const sum = (of: (row: UsageRow) => number) => own.reduce((all, row) => all + of(row), 0);
  return { calls: sum((row) => row.calls), micros: sum((row) => row.cost_micros) };
}
