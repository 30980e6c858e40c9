// A whole day by keyboard alone: whatever is done, completed, deleted or decided, the focus is never lost.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, passGuard, waitFocused } from './lib.mjs';

const { start, called, applied, end } = harness({ before, after });

const onBody = (page) =>
  page.evaluate(() => document.activeElement === null || document.activeElement === document.body);

/** Takes one step, waits for its result, and checks the focus. */
async function step(page, what, keys, then) {
  for (const key of keys) {
    if (key.length === 1 || /^[A-Z][A-Za-z+0-9,.\\]*$/.test(key)) await page.keyboard.press(key);
    else await page.keyboard.type(key);
  }
  if (then) await then();
  // Lost focus is restored within a few frames, or not at all.
  await eventually(() => onBody(page), false).catch(() => assert.fail(`${what}: the focus is on nothing`));
}

const heading = (page, name) => () => page.getByRole('heading', { level: 1, name }).waitFor();

describe('a day by keyboard alone', () => {
  it('reads, asks, completes, undoes, adds, deletes, decides, finds and notes with the focus always somewhere', async () => {
    const page = await start({ at: 'today' });
    await heading(page, 'Today')();
    await page.locator('#main h1').focus();

    await step(page, 'a new conversation', ['Control+n'], () => waitFocused(page.getByLabel('Message Adjutant')));
    await step(page, 'asking', ['What is on today?', 'Enter'], () =>
      page.locator('.reply').getByText('free stretch from 13:30').waitFor(),
    );

    await step(page, 'to Tasks', ['Control+5'], heading(page, 'Tasks'));
    const tasks = page.locator('.rows [data-row]');
    await tasks.first().waitFor();
    await step(page, 'the next task', ['j', 'j']);
    const focusedRow = () => page.evaluate(() => document.activeElement?.closest('[data-row]')?.dataset.row ?? null);
    await eventually(async () => (await focusedRow()) !== null, true);
    const completed = await focusedRow();
    await step(page, 'completing it', ['Space'], () =>
      eventually(async () => (await applied(page)).some(([tool]) => tool === 'task.complete'), true),
    );
    assert.notEqual(completed, null);
    await step(page, 'undoing it', ['Control+z'], () => eventually(() => called(page, 'undo'), 1));
    await step(page, 'the next one', ['j']);
    await step(page, 'deleting it', ['x']);

    await step(page, 'to Approvals', ['Control+4'], heading(page, 'Approvals'));
    for (let nth = 1; nth <= 2; nth += 1) {
      await page.locator('[data-card="pending"]').waitFor();
      await passGuard(page);
      await step(page, `rejecting card ${nth}`, ['x'], () => eventually(() => called(page, 'reject'), nth));
      await page.locator('[data-card="pending"]').waitFor();
    }

    await step(page, 'to Notes', ['Control+7'], heading(page, 'Notes'));
    await page.locator('.rows [data-row]').first().waitFor();
    await step(page, 'the next note', ['j']);
    await step(page, 'deleting it', ['x'], () =>
      eventually(async () => (await applied(page)).some(([tool]) => tool === 'note.delete'), true),
    );
    await step(page, 'all conversations', ['Control+Shift+H'], heading(page, 'Conversations'));
    await page.locator('.rows .item').first().waitFor();
    await step(page, 'the next conversation', ['j']);
    await step(page, 'archiving it', ['a'], () => eventually(() => called(page, 'archive_conversation'), 1));

    await step(page, 'the palette', ['Control+k'], () => waitFocused(page.getByRole('dialog').getByRole('combobox')));
    await step(page, 'leaving it', ['Escape'], () => page.getByRole('dialog').waitFor({ state: 'detached' }));
    await end(page);
  });
});
