import type { Connection } from '../host';

/** The levels of model a connection can offer, cheapest first. */
export const TIERS = ['fast', 'standard', 'deep'] as const;
export type Tier = (typeof TIERS)[number];

/** The connection and model that Adjutant asks first for a tier. */
export interface Served {
  tier: Tier;
  connection: Connection;
  model: string;
}

/** The connection's model for a tier: its own, else the nearest cheaper one, else the nearest more expensive one. */
function modelFor(connection: Connection, tier: Tier): string | null {
  const at = TIERS.indexOf(tier);
  const near = [...TIERS.slice(0, at + 1).reverse(), ...TIERS.slice(at + 1)];
  return near.map((one) => connection.models[one]?.id).find((id) => id !== undefined) ?? null;
}

/** For each tier, the model asked first: from the first connection without a problem, else from the first one. */
export function served(connections: readonly Connection[]): Served[] {
  const connection = connections.find((one) => one.problem === null) ?? connections[0];
  if (!connection) return [];
  return TIERS.flatMap((tier) => {
    const model = modelFor(connection, tier);
    return model === null ? [] : [{ tier, connection, model }];
  });
}
