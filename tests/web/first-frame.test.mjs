// What the first frame of a surface shows when it opens again: everything that fits, before any other frame.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { harness, settle } from './lib.mjs';

const { start, end } = harness({ before, after });

/** Long lists, by the key of their surface, with the row of each. */
const LISTS = { tasks: ['5', '.task'], mail: ['6', '.mrow'], notes: ['7', 'a.item'] };

for (const [name, [key, row]] of Object.entries(LISTS))
  test(`${name} opened again has its rows before a frame is drawn, and keeps them`, async () => {
    const page = await start({ at: name, fake: 'huge', pace: 0 });
    await page.waitForSelector(`.rows [data-row] ${row}`);
    await settle(page);
    await page.keyboard.press('Control+1');
    await page.waitForSelector('textarea');
    const found = await page.evaluate(
      async ([key, row]) => {
        const places = () =>
          [...document.querySelectorAll(`.rows [data-row] ${row}`)].map((one) => one.getBoundingClientRect().top);
        const rows = () => document.querySelectorAll(`.rows [data-row] ${row}`);
        dispatchEvent(new KeyboardEvent('keydown', { key, code: `Digit${key}`, ctrlKey: true, bubbles: true }));
        // Only promises settle in between: no timer, no frame.
        for (let turn = 0; turn < 100 && rows().length === 0; turn += 1) await null;
        const first = places();
        const shown = [...rows()].every((one) => getComputedStyle(one).visibility === 'visible');
        await new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 100));
        return { first, shown, later: places().slice(0, first.length), bottom: innerHeight, all: places() };
      },
      [key, row],
    );
    assert.ok(found.first.length > 5, `${found.first.length} rows`);
    assert.ok(found.shown, 'a row is hidden');
    assert.deepEqual(found.later, found.first, 'a row has moved');
    assert.ok(found.all.at(-1) > found.bottom, 'the rows do not fill the list');
    await end(page);
  });

test('a list that gets taller before anybody scrolls is filled', async () => {
  const page = await start({ at: 'notes', fake: 'huge', pace: 0, size: 'medium' });
  await page.waitForSelector('.rows [data-row] a.item');
  await settle(page);
  await page.setViewportSize({ width: 900, height: 1900 });
  await page.waitForFunction(
    () => [...document.querySelectorAll('.rows [data-row]')].at(-1).getBoundingClientRect().bottom > innerHeight,
  );
  await end(page);
});
