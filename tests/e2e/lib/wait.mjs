// Waits for things that no event announces: another program's windows, a row in a list, the content of the page.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** Maximum waiting time; generous, because machines that run tests are busy. */
export const APPEAR_MS = 60_000;

/** Pause between two checks. */
const LOOK_AGAIN_MS = 100;

/** Repeats a check until it succeeds. The error names what never happened. */
export async function eventually(asks, what, ms = APPEAR_MS) {
  const end = Date.now() + ms;
  for (;;) {
    const answer = await asks();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await pause(LOOK_AGAIN_MS);
  }
}

/** Repeats a read until it returns what is expected. Otherwise the error is that of the last read. */
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
