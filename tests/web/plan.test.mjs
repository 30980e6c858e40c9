// A plan that waits is put in order and taken from with the keyboard alone; nothing changes before it is saved.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { harness } from './lib.mjs';

const { start, calls, focused, end } = harness({ before, after });

const words = (page) =>
  page.getByRole('list', { name: 'Steps, ticked ones stay in the plan' }).getByRole('checkbox').count();

describe('a plan that waits', () => {
  it('shows how long each step took', async () => {
    const page = await start({ at: 'chat/main', fake: 'one' });
    const steps = page.getByRole('list', { name: 'Plan steps' });
    await steps.getByText('41 ms').waitFor();
    await end(page);
  });

  it('is edited by keys: moved, left out, put back, cancelled, saved', async () => {
    const page = await start({ at: 'chat/main', fake: 'one' });
    await page.locator('.ask').waitFor();
    const edit = page.getByRole('button', { name: 'Edit' }).and(page.locator('.side *'));
    await edit.press('Enter');
    assert.equal(await words(page), 2);
    const move = page.getByRole('checkbox', { name: 'Move the 1:1 to Thursday' });
    const mail = page.getByRole('checkbox', { name: 'Send Raj the Q4 summary' });
    // The first step that can be changed has the focus; what is over cannot be.
    assert.equal(await move.evaluate((one) => one === document.activeElement), true);
    await page.getByText('Find your 1:1 with Raj. Over or under way, stays as it is').waitFor();
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Alt+ArrowDown');
    assert.equal(await move.evaluate((one) => one === document.activeElement), true);
    await page.keyboard.press('ArrowUp');
    assert.equal(await mail.evaluate((one) => one === document.activeElement), true);
    await page.keyboard.press('Delete');
    assert.equal(await mail.isChecked(), false);
    // Put back, left out again, then all of it given up.
    await page.keyboard.press('Space');
    assert.equal(await mail.isChecked(), true);
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Cancel' }).and(page.locator('.side *')).press('Enter');
    assert.equal(await focused(page), 'Edit');
    assert.equal((await calls(page, 'edit_plan')).length, 0);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Move up: Send Raj the Q4 summary' }).press('Enter');
    await page.getByRole('button', { name: 'Save plan' }).press('Enter');
    await page.getByRole('button', { name: 'Save plan' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit' }).and(page.locator('.side *')).press('Enter');
    await move.focus();
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save plan' }).waitFor({ state: 'detached' });
    assert.deepEqual(
      (await calls(page, 'edit_plan')).map(({ args }) => args.change),
      [
        { change: 'move', step: 'move' },
        { change: 'leave_out', step: 'move' },
      ],
    );
    await page.getByRole('list', { name: 'Plan steps' }).getByText('Cancelled').waitFor();
    await end(page);
  });
});
