import { onOutdated, type Kind } from './changes';
import { clock } from './clock.svelte';

/**
 * The last results of queries, by key: a surface that opens again shows them at once and asks in the meantime. A result
 * is dropped as soon as the engine reports a change of its kinds, so what is shown was true until then.
 */
const results = new Map<string, { result: unknown; at: number; stop: () => void }>();

/** Enough for every surface with a few days or filters each; the oldest one is dropped first. */
const RESULTS_MAX = 24;

/** A result as young as this is not asked for again: a change would have dropped it. */
const FRESH_MS = 60_000;

export function cachedResult(key: string): unknown {
  return results.get(key)?.result;
}

export function isFresh(key: string): boolean {
  const kept = results.get(key);
  return kept !== undefined && clock.mono() - kept.at < FRESH_MS;
}

export function keepResult(key: string, kinds: readonly Kind[], result: unknown): void {
  drop(key);
  results.set(key, { result, at: clock.mono(), stop: onOutdated(kinds, () => drop(key)) });
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
