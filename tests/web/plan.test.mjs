// A plan that waits is put in order and taken from with the keyboard alone; nothing changes before it is saved.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, press, settle, waitFocused } from './lib.mjs';

const { start, calls, called, end } = harness({ before, after });

const boxes = (page) =>
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
    await press(edit);
    // The editor is a part of the program that is loaded when it is first wanted.
    await eventually(() => boxes(page), 2);
    const move = page.getByRole('checkbox', { name: 'Move the 1:1 to Thursday' });
    const mail = page.getByRole('checkbox', { name: 'Send Raj the Q4 summary' });
    // The first step that can be changed has the focus; what is over cannot be.
    await waitFocused(move);
    await page.getByText('Find your 1:1 with Raj. Over or under way, stays as it is').waitFor();
    const order = () =>
      page.locator('[data-step] input').evaluateAll((all) => all.map((one) => one.labels[0].textContent));
    const [first, second] = await order();
    await page.keyboard.press('Alt+ArrowDown');
    await eventually(order, [second, first]);
    await waitFocused(move);
    await page.keyboard.press('ArrowUp');
    await waitFocused(mail);
    await page.keyboard.press('Delete');
    await eventually(() => mail.isChecked(), false);
    // Put back, left out again, then all of it given up.
    await page.keyboard.press('Space');
    await eventually(() => mail.isChecked(), true);
    await page.keyboard.press('Delete');
    await eventually(() => mail.isChecked(), false);
    await press(page.getByRole('button', { name: 'Cancel' }).and(page.locator('.side *')));
    await waitFocused(edit);
    await settle(page);
    assert.equal(await called(page, 'edit_plan'), 0);
    await page.keyboard.press('Enter');
    await eventually(order, [first, second]);
    await press(page.getByRole('button', { name: 'Move up: Send Raj the Q4 summary' }));
    await eventually(order, [second, first]);
    const save = page.getByRole('button', { name: 'Save plan' });
    await press(save);
    await save.waitFor({ state: 'detached' });
    // What waits in it is asked for anew, and the new card takes the focus.
    await waitFocused(page.locator('.ask'));
    await press(edit);
    await waitFocused(page.locator('[data-step] input').first());
    await move.focus();
    await page.keyboard.press('Delete');
    await eventually(() => move.isChecked(), false);
    await page.keyboard.press('Enter');
    await save.waitFor({ state: 'detached' });
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
