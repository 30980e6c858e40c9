// A row selected from elsewhere is scrolled into view without getting the focus.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, settle } from './lib.mjs';

const { start, end } = harness({ before, after });

/** Adds this many tasks without a date. */
const fill = (page, n) =>
  page.evaluate((n) => {
    const { world } = window.fake;
    const [one] = world.tables.tasks;
    const more = Array.from({ length: n }, (_, at) => ({
      ...one,
      id: `many-${at}`,
      title: `Task ${at}`,
      due: null,
      status: 'open',
    }));
    world.tables.tasks = [...world.tables.tasks, ...more];
    world.changed('tasks');
  }, n);

const inView = (page, id) =>
  page.evaluate((id) => {
    const row = document.querySelector(`[data-row="${id}"]`)?.getBoundingClientRect();
    const list = document.querySelector('.list')?.getBoundingClientRect();
    return row !== undefined && row.height > 0 && row.top >= list.top - 1 && row.bottom <= list.bottom + 1;
  }, id);

describe('a list', () => {
  // The second list is so long that only the visible rows are in the document.
  for (const n of [60, 400]) {
    it(`of ${n} rows shows the one a link leads to`, async () => {
      const page = await start({ at: 'tasks' });
      await page.locator('.task').first().waitFor();
      await fill(page, n);
      await page.evaluate((id) => (location.hash = `#/tasks/${id}`), `many-${n - 5}`);
      await eventually(() => inView(page, `many-${n - 5}`), true);
      await settle(page);
      assert.equal(await page.evaluate(() => document.activeElement?.closest('[data-row]') ?? null), null);
      await page.evaluate(() => (location.hash = '#/tasks/t-lease'));
      await eventually(() => inView(page, 't-lease'), true);
      await end(page);
    });
  }
});
