// Rows of answers: opened, handled and undone by mouse and keyboard, with as much content as in real life.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, say, waitFocused } from './lib.mjs';

const { start, called, end } = harness({ before, after });

const compose = (page) => page.getByLabel('Message Adjutant');

async function ask(page, words) {
  await say(compose(page), words);
  await page.locator('[data-line]').first().waitFor();
}

const focusedLine = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-line]')].findIndex((row) => row.contains(document.activeElement)),
  );

describe('rows of an answer', () => {
  it('complete a task with one click, and take it back with one', async () => {
    const page = await start({ at: 'chat/new' });
    await ask(page, 'list tasks');
    const row = page.locator('[data-line]').first();
    await row.getByRole('checkbox').click();
    await eventually(() => called(page, 'apply'), 1);
    await row.getByRole('button', { name: /^Undo/ }).click();
    await eventually(() => called(page, 'undo'), 1);
    await eventually(() => row.getByRole('checkbox').isChecked(), false);
    await end(page);
  });

  it('are reached from an empty message field by Escape, and act by keys', async () => {
    const page = await start({ at: 'chat/new' });
    await ask(page, 'list tasks');
    await waitFocused(compose(page));
    await page.keyboard.press('Escape');
    await eventually(() => focusedLine(page), 0);
    await page.keyboard.press('ArrowDown');
    await eventually(() => focusedLine(page), 1);
    await page.keyboard.press('Space');
    await eventually(() => called(page, 'apply'), 1);
    await eventually(() => page.locator('[data-line]').nth(1).getByRole('checkbox').isChecked(), true);
    // It is still there, so the next key refers to the same row.
    assert.equal(await focusedLine(page), 1);
    await page.keyboard.press('u');
    await eventually(() => called(page, 'undo'), 1);
    await page.keyboard.press('Escape');
    await waitFocused(compose(page));
    await end(page);
  });

  it('show twelve, and the rest in place', async () => {
    const page = await start({ at: 'chat/new' });
    await ask(page, 'list events');
    assert.equal(await page.locator('[data-line]').count(), 12);
    await page.getByText('12 of 40').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await eventually(() => page.locator('[data-line]').count(), 40);
    await eventually(() => focusedLine(page), 12);
    await end(page);
  });

  for (const size of ['wide', 'medium', 'narrow']) {
    it(`are one or two lines each, however long a subject is, and never wider than the window: ${size}`, async () => {
      const page = await start({ at: 'chat/new', size });
      await ask(page, 'list letters');
      const worst = await page.evaluate(() => ({
        high: Math.max(...[...document.querySelectorAll('[data-line]')].map((row) => row.offsetHeight)),
        over: [...document.querySelectorAll('[data-line], .hits')].filter(
          (row) => row.scrollWidth > row.clientWidth + 1,
        ).length,
        page: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      }));
      assert.ok(worst.high <= 64, `a row is ${worst.high} px high`);
      assert.deepEqual([worst.over, worst.page], [0, 0]);
      await end(page);
    });
  }

  it('lead from a mail to a reply begun in the message field', async () => {
    const page = await start({ at: 'chat/new' });
    await ask(page, 'list letters');
    const row = page.locator('[data-line]').nth(1);
    await row.hover();
    await row.getByRole('button', { name: /^Reply/ }).click();
    await eventually(() => compose(page).inputValue(), /^Reply to “Q4 totals” from Priya Nair/);
    await waitFocused(compose(page));
    await end(page);
  });

  it('lead from a mail to its place in Mail', async () => {
    const page = await start({ at: 'chat/new' });
    await ask(page, 'list letters');
    const mail = page.locator('[data-line]').nth(1).locator('a.go');
    await mail.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/mail\/./);
    await end(page);
  });
});

describe('a reading that is asked about', () => {
  it('takes Enter in the empty field for a yes, once the question stands there', async () => {
    const page = await start({ at: 'chat', fake: 'empty' });
    await say(compose(page), 'doubt');
    await page.getByRole('button', { name: 'No, something else' }).waitFor();
    await page.getByText('Enter says yes').waitFor();
    // It appears in the answer, and not a second time beside it.
    assert.equal(await page.locator('.app').getByText(/^Did you mean/).count(), 1);
    // A second Enter right after the first one is a slip.
    const sent = await page.evaluate(() => performance.now());
    await eventually(() => page.evaluate((sent) => performance.now() - sent > 600, sent), true);
    await page.keyboard.press('Enter');
    await eventually(() => called(page, 'answer'), 1);
    await end(page);
  });

  it('goes on in words where something else was meant', async () => {
    const page = await start({ at: 'chat', fake: 'empty' });
    await say(compose(page), 'doubt');
    await page.getByRole('button', { name: 'No, something else' }).click();
    await waitFocused(compose(page));
    assert.equal(await called(page, 'answer'), 0);
    await end(page);
  });
});
