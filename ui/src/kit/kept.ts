import { onChanged, type Kind } from './changes';

/**
 * The last results of queries, by key: a surface that opens again shows them at once and asks in the meantime. A result
 * is dropped as soon as the engine reports a change of its kinds, so what is shown was true until then.
 */
const results = new Map<string, { result: unknown; stop: () => void }>();

/** Enough for every surface with a few days or filters each; the oldest one is dropped first. */
const RESULTS_MAX = 24;

export function keptResult(key: string): unknown {
  return results.get(key)?.result;
}

export function keepResult(key: string, kinds: readonly Kind[], result: unknown): void {
  drop(key);
  results.set(key, { result, stop: onChanged(kinds, () => drop(key)) });
  const [oldest] = results.keys();
  if (results.size > RESULTS_MAX && oldest !== undefined) drop(oldest);
}

/** Forgets everything, because the data was erased. */
export function forgetResults(): void {
  for (const key of [...results.keys()]) drop(key);
}

function drop(key: string): void {
  results.get(key)?.stop();
  results.delete(key);
}
