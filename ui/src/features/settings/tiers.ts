import type { ModelOutcome, ModelTest } from '../../host';
import { millis } from '../../kit/time';
import type { Served } from '../../kit/tiers';
import type { Tested } from './tested.svelte';

/** The one state of a model, from its last test or request of the session. */
export type ModelState =
  | { works: 'unknown' }
  | { works: 'yes'; test: ModelTest | null }
  /** `why` says what went wrong; `at` when it was asked, null if it cannot be asked at all. */
  | { works: 'no'; at: string | number | null; why: string };

/** How a model fares: what it last did, whether in a test or in use. */
export function stateOf(
  { connection, model }: Served,
  { tests, since }: { tests: readonly Tested[]; since: number },
  last: readonly ModelOutcome[],
): ModelState {
  if (connection.problem !== null) return { works: 'no', at: null, why: connection.problem };
  const full = `${connection.name}/${model}`;
  const tested = tests.find(({ test }) => test.model === model || test.model === full) ?? null;
  const asked = last.find((one) => one.model === full && millis(one.at) >= since) ?? null;
  // The requests of a test come before its end, and not every one of them has to succeed.
  if (asked !== null && (tested === null || millis(asked.at) > tested.at)) {
    return asked.fault === undefined
      ? { works: 'yes', test: tested?.test ?? null }
      : { works: 'no', at: asked.at, why: asked.fault };
  }
  if (tested === null) return { works: 'unknown' };
  const answers = tested.test.checks.find((check) => check.what === 'chat');
  return answers?.verdict === 'works'
    ? { works: 'yes', test: tested.test }
    : { works: 'no', at: tested.at, why: answers?.say ?? '' };
}
