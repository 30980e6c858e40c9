import { vi } from 'vitest';

/** How long to wait for anything to appear; generous, because test machines are busy. */
export const APPEAR_MS = 30_000;

/** Retries assertions until they pass; fails with the last error. Effects of a component arrive after its render. */
export const eventually = <T>(holds: () => T | Promise<T>): Promise<T> => vi.waitFor(holds, { timeout: APPEAR_MS });
