import type { Connection, ModelTest } from '../../host';
import { TIERS } from './connection';

type Tier = (typeof TIERS)[number];

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

/** How it went when it was last tried, since the window was opened. */
export function stateOf(
  { connection, model }: Served,
  tests: readonly ModelTest[],
): { works: 'yes' | 'no' | 'unknown'; test: ModelTest | null } {
  const test = tests.find((one) => one.model === model || one.model.endsWith(`/${model}`)) ?? null;
  if (connection.problem !== null) return { works: 'no', test };
  if (test === null) return { works: 'unknown', test };
  const answers = test.checks.find((check) => check.what === 'chat');
  return { works: answers?.verdict === 'works' ? 'yes' : 'no', test };
}
