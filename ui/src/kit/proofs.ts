import type { JsonValue } from '../host';

export interface Proof {
  kind: string;
  id: string;
  label: string;
  /** Null if the row is gone, as read back after a deletion. */
  version: number | null;
  digest: string | null;
}

/** The rows that a receipt names. Malformed entries prove nothing and are skipped. */
export function proofs(receipt: JsonValue | null): Proof[] {
  if (receipt === null || typeof receipt !== 'object' || Array.isArray(receipt)) return [];
  const rows = receipt['rows'];
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row): Proof[] => {
    if (row === null || typeof row !== 'object' || Array.isArray(row)) return [];
    const { kind, id, label, version, digest } = row;
    if (typeof kind !== 'string' || typeof id !== 'string') return [];
    return [
      {
        kind,
        id,
        label: typeof label === 'string' ? label : '',
        version: typeof version === 'number' ? version : null,
        digest: typeof digest === 'string' ? digest : null,
      },
    ];
  });
}
