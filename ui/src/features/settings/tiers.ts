import type { ModelTest } from '../../host';
import type { Served } from '../../kit/tiers';

/** How the last test of a model went, since the window opened. */
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
