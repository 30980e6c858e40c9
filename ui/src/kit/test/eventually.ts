import { vi } from 'vitest';

/** How long anything may take to come; generous, because machines that test are busy. */
export const APPEAR_MS = 30_000;

/** Asserts again and again until it holds; fails with the last assertion. What a component leads to comes after it was drawn. */
export const eventually = <T>(holds: () => T | Promise<T>): Promise<T> => vi.waitFor(holds, { timeout: APPEAR_MS });
