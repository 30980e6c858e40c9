// The content on which a decision is based is readable: the items of a batch and the choices of a question, in every
// form of the window.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, passGuard, say } from './lib.mjs';

const { start, called, calls, end } = harness({ before, after });
const SIZES = {
  wide: { width: 1440, height: 900 },
  medium: { width: 1000, height: 700 },
  narrow: { width: 480, height: 760 },
};

/** Returns the number of lines of this element's text, and whether any of it is cut off sideways. */
const lines = (locator) =>
  locator.evaluateAll((all) =>
    all.map((one) => ({
      lines: Math.round(one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)),
      wide: one.scrollWidth > one.clientWidth + 1,
    })),
  );

describe('a batch of sixteen mails', () => {
  for (const [name, size] of Object.entries(SIZES)) {
    it(`has its subjects in one line or two, over their details: ${name}`, async () => {
      const page = await start({ at: 'approvals/a-archive', fake: 'crowded', size });
      const items = page.locator('.batch li');
      await eventually(() => items.count(), 16);
      const subjects = await lines(items.locator('.what > :first-child'));
      assert.deepEqual(
        subjects.filter((one) => one.lines > 2 || one.wide),
        [],
      );
      const box = await page.locator('.batch').evaluate((one) => [one.scrollWidth - one.clientWidth, one.clientHeight]);
      assert.equal(box[0], 0, 'nothing scrolls sideways');
      assert.ok(box[1] > size.height * 0.4, `half the window is for the list: ${box[1]} of ${size.height}`);
      await end(page);
    });
  }

  it('is approved at once where the whole list is in view', async () => {
    const page = await start({ at: 'approvals/a-archive', fake: 'crowded', size: { width: 1440, height: 2400 } });
    await page.locator('.ask').waitFor();
    await passGuard(page);
    await page.locator('.approve').click();
    await eventually(() => called(page, 'approve'), 1);
    await end(page);
  });
});

describe('a question with choices', () => {
  for (const [name, size] of Object.entries(SIZES)) {
    it(`shows each once, in a row of its own as wide as its card: ${name}`, async () => {
      const page = await start({ fake: 'empty', size });
      await say(page.locator('textarea'), 'cancel the meeting');
      const card = page.locator('.q-card');
      const choices = card.locator('button.choice');
      await eventually(() => choices.count(), 5);
      const boxes = await choices.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
      const inner = await card.evaluate((one) => one.clientWidth);
      assert.deepEqual(boxes, Array(5).fill(inner));
      assert.equal(await page.locator('.talk').getByText('Berlin sync').count(), 1, 'once, not as a list as well');
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
      await card.getByRole('button', { name: 'Show all 8' }).click();
      await eventually(() => choices.count(), 8);
      await eventually(
        () => page.evaluate(() => document.activeElement?.textContent?.includes('Sprint planning')),
        true,
      );
      await choices.filter({ hasText: 'Board meeting' }).click();
      await eventually(() => called(page, 'answer'), 1);
      assert.equal((await calls(page, 'answer'))[0].args.value, 'e8');
      await end(page);
    });
  }
});
