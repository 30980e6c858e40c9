// Cards: what a key or a click decides, what it must not, and what stands in a card's place afterwards.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, passGuard, settle } from './lib.mjs';

const { start, called, end } = harness({ before, after });

/** Where the Approve button ends. */
const corner = (page) =>
  page.evaluate(() => {
    const { right, top } = document.querySelector('.approve').getBoundingClientRect();
    return [Math.round(right), Math.round(top)];
  });
const letGo = (page) => page.evaluate(() => document.activeElement.blur());

describe('A, then Enter', () => {
  for (const size of ['wide', 'medium', 'narrow']) {
    it(`approves at once, because being armed moves nothing: ${size}`, async () => {
      const page = await start({ at: 'chat/main', fake: 'one', size });
      await page.locator('.ask').waitFor();
      await letGo(page);
      await passGuard(page);
      const before = await corner(page);
      await page.keyboard.press('a');
      await page.getByText('Armed. Enter approves').waitFor();
      await settle(page);
      assert.deepEqual(await corner(page), before);
      await page.keyboard.press('Enter');
      await eventually(() => called(page, 'approve'), 1);
      await end(page);
    });
  }
});

describe('X pressed twice', () => {
  it('rejects one card, and says of the next that it came too early', async () => {
    const page = await start({ at: 'approvals' });
    await page.locator('.ask').waitFor();
    await passGuard(page);
    // Again in the very task in which the next card appears: no machine is too slow to be too early.
    await page.evaluate(() => {
      const first = document.querySelector('.ask').dataset.approval;
      const watch = new MutationObserver(() => {
        if ((document.querySelector('.ask')?.dataset.approval ?? first) === first) return;
        watch.disconnect();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', code: 'KeyX', bubbles: true }));
      });
      watch.observe(document.body, { childList: true, subtree: true, attributes: true });
    });
    await page.keyboard.press('x');
    await page.locator('.ask').getByText('Press again').waitFor();
    assert.equal(await called(page, 'reject'), 1);
    await passGuard(page);
    await page.keyboard.press('x');
    await eventually(() => called(page, 'reject'), 2);
    await end(page);
  });
});
