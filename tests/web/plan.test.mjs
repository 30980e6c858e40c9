// A waiting plan is reordered and shortened with the keyboard alone; nothing changes before it is saved.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, press, say, settle, SIZES, waitFocused } from './lib.mjs';

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
    // The editor is a part of the program that is loaded on first use.
    await eventually(() => boxes(page), 2);
    const move = page.getByRole('checkbox', { name: 'Move the 1:1 to Thursday' });
    const mail = page.getByRole('checkbox', { name: 'Send Raj the Q4 summary' });
    // The first step that can be changed has the focus; completed steps cannot be changed.
    await waitFocused(move);
    await page.getByText('Find your 1:1 with Raj. Done or running, so it stays as it is').waitFor();
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
    // Put back, left out again, then all changes discarded.
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
    // Its card is shown again, and the new card gets the focus.
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

describe('one fact is said once', () => {
  it('a clear request of one step is its receipt: no restatement, no words, no plan', async () => {
    const page = await start({ fake: 'empty' });
    await say(page.getByLabel('Message Adjutant'), 'Remind me tomorrow at 9 to call the bank');
    await page.locator('.receipt').waitFor();
    await eventually(() => page.locator('.reply').count(), 1);
    await settle(page);
    assert.equal(await page.locator('.meant').count(), 0);
    assert.equal(await page.locator('.side, .plan-strip').count(), 0);
    const reply = page.locator('.reply');
    assert.deepEqual(await reply.locator('.receipt').count(), 1);
    assert.equal(await reply.locator('.md').count(), 0);
    await end(page);
  });

  it('the plan comes with two steps or more', async () => {
    const page = await start({ at: 'chat/main', fake: 'waiting' });
    await page.getByRole('list', { name: 'Plan steps' }).waitFor();
    await end(page);
  });

  it('the plan comes when its one step waits', async () => {
    const page = await start({ fake: 'empty' });
    await say(page.getByLabel('Message Adjutant'), 'Mail Hannah that I sign tomorrow');
    await page.locator('.ask').waitFor();
    await page.getByRole('list', { name: 'Plan steps' }).waitFor();
    await end(page);
  });

  for (const size of Object.keys(SIZES)) {
    it(`the plan never moves the message field: ${size}`, async () => {
      const page = await start({ fake: 'empty', size });
      const box = () => page.locator('.compose .box').boundingBox();
      await page.getByLabel('Message Adjutant').waitFor();
      await settle(page);
      const before = await box();
      await say(page.getByLabel('Message Adjutant'), 'Mail Hannah that I sign tomorrow');
      await page.locator('.ask').waitFor();
      await page.locator('.side, .plan-strip').and(page.locator(':visible')).first().waitFor();
      await settle(page);
      assert.deepEqual(await box(), before);
      await end(page);
    });
  }
});
