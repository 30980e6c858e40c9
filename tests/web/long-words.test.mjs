// Words of any length and script: nothing makes a surface wider than its window or squeezes a column to nothing.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { harness, settle, SIZES } from './lib.mjs';

const { start, end } = harness({ before, after });

/** Gives everything a name without a place to break, one that runs right to left, or one of symbols. */
const rename = (page) =>
  page.evaluate(() => {
    const { world } = window.fake;
    const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2);
    const names = [long, 'مرحبا بالعالم هذا عنوان طويل جدا', '👩‍👩‍👧‍👦🏳️‍🌈 한국어 ไทย', `<b>${long}</b>`];
    for (const table of ['tasks', 'notes', 'events', 'memories', 'conversations', 'activity', 'outbox']) {
      world.tables[table].forEach((row, place) => {
        for (const field of ['title', 'summary', 'value', 'subject', 'what', 'notes']) {
          if (typeof row[field] === 'string') row[field] = names[place % names.length];
        }
      });
      world.changed(table);
    }
  });

/** Returns visible parts of the surface that stick out of the window. */
const outside = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.main, .main *, .detail *')]
      .filter((one) => {
        const box = one.getBoundingClientRect();
        if (box.width <= 1 || box.right <= innerWidth + 1) return false;
        // An ancestor that scrolls or clips on purpose may contain something longer.
        for (let up = one.parentElement; up; up = up.parentElement) {
          if (up.matches('.detail, .main, .scroll')) return true;
          if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(up).overflowX)) return false;
        }
        return true;
      })
      .map((one) => `${one.tagName}.${one.className}`),
  );

const PLACES = [
  ['today', '.slot'],
  ['tasks/t-lease', '.detail .form'],
  ['notes/n-raj', '.detail .md'],
  ['memory', '.item'],
  ['activity', '.item'],
  ['approvals', '.item'],
  ['chat/c-lease', '.md table'],
];

describe('long words', () => {
  for (const size of Object.keys(SIZES)) {
    it(`stay inside the window: ${size}`, async () => {
      for (const [at, ready] of PLACES) {
        const page = await start({ at, size });
        await page.locator(ready).first().waitFor();
        await rename(page);
        await page.getByText('Donaudampf').first().waitFor({ state: 'attached' });
        await settle(page);
        assert.deepEqual([at, await outside(page)], [at, []]);
        await end(page);
      }
    });
  }

  it('leave the other column of a comparison its room', async () => {
    const page = await start({ at: 'activity', size: 'medium' });
    await page.locator('.item').first().waitFor();
    await rename(page);
    const cells = page.locator('.cmp tbody tr').first().locator('td');
    await cells.getByText('Donaudampf').waitFor();
    const [asked, found] = await cells.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    assert.ok(asked > found * 0.6, `${asked} beside ${found}`);
    await end(page);
  });
});
