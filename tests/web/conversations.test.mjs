// The list of all conversations by keyboard: found, pinned, archived, renamed, deleted, restored.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, waitFocused } from './lib.mjs';

const { start, called, focused, end } = harness({ before, after });

const titles = (page) => page.locator('.rows .item .t').allInnerTexts();
const rowOf = (page, title) => page.locator('.rows .item', { hasText: title });
const onBody = (page) => page.evaluate(() => document.activeElement === document.body);

/** Opens the list from anywhere, with the focus on its first row. */
async function openList(page) {
  await page.keyboard.press('Control+Shift+H');
  await page.getByRole('heading', { name: 'Conversations', exact: true }).waitFor();
  await page.locator('.rows .item').first().waitFor();
  // The composer is gone, so single letters are shortcuts now.
  await page.keyboard.press('Home');
  await page.locator('.rows .item').first().focus();
}

describe('the list of conversations', () => {
  it('is found from the conversation, and Enter goes on with one', async () => {
    const page = await start({ at: 'chat/main' });
    await openList(page);
    assert.deepEqual(await titles(page), ['Move the 1:1 with Raj', 'Reminder for the bank', 'Lease renewal letter']);
    await page.keyboard.press('j');
    await waitFocused(rowOf(page, 'Reminder for the bank'));
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/chat\/c-bank/);
    await end(page);
  });

  it('pins, renames, archives and deletes, each with the focus kept', async () => {
    const page = await start({ at: 'chat/c-bank' });
    await openList(page);
    await rowOf(page, 'Lease renewal letter').focus();
    await page.keyboard.press('p');
    await eventually(() => titles(page).then((all) => all[0]), /Lease renewal letter/);
    await waitFocused(rowOf(page, 'Lease renewal letter'));
    await page.keyboard.press('e');
    const field = page.getByRole('textbox', { name: 'Title' });
    await waitFocused(field);
    await field.fill('The lease');
    await page.keyboard.press('Enter');
    await waitFocused(rowOf(page, 'The lease'));
    await page.keyboard.press('a');
    await rowOf(page, 'The lease').waitFor({ state: 'detached' });
    await waitFocused(rowOf(page, 'Move the 1:1 with Raj'));
    await page.keyboard.press('j');
    await waitFocused(rowOf(page, 'Reminder for the bank'));
    await page.keyboard.press('x');
    await rowOf(page, 'Reminder for the bank').waitFor({ state: 'detached' });
    await waitFocused(rowOf(page, 'Move the 1:1 with Raj'));
    assert.equal(await called(page, 'delete_conversation'), 1);
    await page.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await rowOf(page, 'Reminder for the bank').waitFor();
    assert.equal(await onBody(page), false);
    await page.getByRole('link', { name: 'Show archived' }).click();
    await rowOf(page, 'The lease').waitFor();
    await rowOf(page, 'The lease').focus();
    // It was the last one in the list, so the heading gets the focus.
    await page.keyboard.press('a');
    await page.getByText('Nothing is archived').waitFor();
    await eventually(() => onBody(page), false);
    await end(page);
  });

  it('asks before something that waits is cancelled', async () => {
    const page = await start({ at: 'chat/main' });
    await openList(page);
    await rowOf(page, 'Move the 1:1 with Raj').focus();
    await page.keyboard.press('x');
    await page.getByRole('dialog', { name: 'Delete this conversation?' }).waitFor();
    assert.equal(await called(page, 'delete_conversation'), 0);
    await page.keyboard.press('Escape');
    await waitFocused(rowOf(page, 'Move the 1:1 with Raj'));
    await end(page);
  });

  it('finds words that were said, also in what was put away', async () => {
    const page = await start({ at: 'chat/main' });
    await openList(page);
    await rowOf(page, 'Reminder for the bank').focus();
    await page.keyboard.press('a');
    await rowOf(page, 'Reminder for the bank').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+f');
    await waitFocused(page.getByRole('searchbox', { name: 'Search conversations' }));
    await page.keyboard.type('bank');
    await eventually(() => titles(page), ['Reminder for the bank']);
    await eventually(() => page.locator('.rows .item .s').innerText(), /^Archived/);
    await page.keyboard.type(' telepathy');
    await page.getByText('No conversation has these words').waitFor();
    await end(page);
  });

  it('stays quick with a thousand of them: only what is in view is in the document', async () => {
    const page = await start({ at: 'chat/main' });
    await page.evaluate(() => {
      const [first] = window.fake.world.tables.conversations;
      window.fake.world.tables.conversations = Array.from({ length: 1000 }, (_, n) => ({
        ...first,
        id: `c${n}`,
        title: `Conversation ${n}`,
        updated: new Date(Date.UTC(2026, 0, 13, 9, 0, -n)).toISOString(),
      }));
      window.fake.world.changed('conversations');
    });
    await openList(page);
    await page.getByText('1000 conversations').waitFor();
    assert.ok((await page.locator('.rows .item').count()) < 100);
    await page.keyboard.press('End');
    await waitFocused(rowOf(page, 'Conversation 999'));
    assert.notEqual(await focused(page), '');
    await end(page);
  });
});
