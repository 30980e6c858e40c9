// What a program says line by line, kept, so that a test can wait for a line that has come already or is still to come.

import { createInterface } from 'node:readline';
import { APPEAR_MS } from './wait.mjs';

export class Lines {
  #seen = [];
  #waiting = new Set();

  /** @param {import('node:stream').Readable} stream  @param {(line: string) => unknown} parse  undefined leaves a line out */
  constructor(stream, parse = JSON.parse) {
    createInterface({ input: stream }).on('line', (line) => {
      const value = parse(line);
      if (value === undefined) return;
      this.#seen.push(value);
      for (const wish of [...this.#waiting]) wish(value);
    });
  }

  /** Everything so far. */
  get all() {
    return [...this.#seen];
  }

  /** The first line from `after` on that fits; rejects with what was seen instead when none comes in time. */
  wait(fits, what, { after = 0, ms = APPEAR_MS } = {}) {
    const found = this.#seen.slice(after).find(fits);
    if (found !== undefined) return Promise.resolve(found);
    return new Promise((resolve, reject) => {
      const done = (value) => {
        if (!fits(value)) return;
        clearTimeout(late);
        this.#waiting.delete(done);
        resolve(value);
      };
      const late = setTimeout(() => {
        this.#waiting.delete(done);
        reject(new Error(`${what} did not come in ${ms} ms; seen: ${JSON.stringify(this.#seen.slice(-20))}`));
      }, ms);
      this.#waiting.add(done);
    });
  }
}
