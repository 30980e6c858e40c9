import type { Connection } from '../host';

/** What can be asked of a connection, cheapest first. */
export const TIERS = ['fast', 'standard', 'deep'] as const;
export type Tier = (typeof TIERS)[number];

/** Who is asked first for a tier. */
export interface Served {
  tier: Tier;
  connection: Connection;
  model: string;
}

/** The model a connection has for a tier: its own, else the nearest cheaper one, else the nearest dearer one. */
function modelFor(connection: Connection, tier: Tier): string | null {
  const at = TIERS.indexOf(tier);
  const near = [...TIERS.slice(0, at + 1).reverse(), ...TIERS.slice(at + 1)];
  return near.map((one) => connection.models[one]?.id).find((id) => id !== undefined) ?? null;
}

/** Each tier with who is asked first for it: the first connection that can be used, or that stands first. */
export function served(connections: readonly Connection[]): Served[] {
  const connection = connections.find((one) => one.problem === null) ?? connections[0];
  if (!connection) return [];
  return TIERS.flatMap((tier) => {
    const model = modelFor(connection, tier);
    return model === null ? [] : [{ tier, connection, model }];
  });
}
