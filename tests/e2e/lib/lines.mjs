// Keeps the lines that a program prints, so that a test can wait for a line whether or not it has been printed already.

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

  /** All lines so far. */
  get all() {
    return [...this.#seen];
  }

  /** Returns the first matching line from `after` on. Rejects with the lines seen if none arrives in time. */
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
