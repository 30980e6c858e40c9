// Waiting for what no event tells: another program's windows, a row in a list, what the page shows.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** How long anything may take to come; generous, because machines that test are busy. */
export const APPEAR_MS = 60_000;

/** Between two looks. */
const LOOK_AGAIN_MS = 100;

/** Asks until the answer is true; the error says what never came. */
export async function eventually(asks, what, ms = APPEAR_MS) {
  const end = Date.now() + ms;
  for (;;) {
    const answer = await asks();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await pause(LOOK_AGAIN_MS);
  }
}

/** Reads until it is what is expected; when it never is, the error is that of the last look. */
export async function becomes(read, expected) {
  const end = Date.now() + APPEAR_MS;
  for (;;) {
    const found = await read();
    try {
      return assert.deepEqual(found, expected);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await pause(LOOK_AGAIN_MS);
  }
}
