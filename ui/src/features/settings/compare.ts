import type { UsageRow } from '../../host';

/** The stages whose replies can be compared (`engine/shadow.rs`). */
const COMPARED: ReadonlySet<string> = new Set(['route', 'plan', 'resume']);

/** What comparing has cost, and how many calls it made. */
export function compared(rows: readonly UsageRow[], name: string): { calls: number; micros: number } {
  const own = rows.filter(
    (row) => row.purpose === 'background' && COMPARED.has(row.stage) && row.model.startsWith(`${name}/`),
  );
  const sum = (of: (row: UsageRow) => number) => own.reduce((all, row) => all + of(row), 0);
  return { calls: sum((row) => row.calls), micros: sum((row) => row.cost_micros) };
}
