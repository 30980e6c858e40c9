// Tasks by hand: several at once, every field in place, other days and orders, by mouse and keyboard.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, press, settle, waitFocused } from './lib.mjs';

const { start, applied, called, place, toast, undo, end } = harness({ before, after });

const row = (page, name) => page.locator('.list a.name', { hasText: name });
const names = (page) => page.locator('.list a.name').evaluateAll((all) => all.map((one) => one.dataset.task));
const picked = (page) =>
  page.locator('.list .is-picked a.name').evaluateAll((all) => all.map((one) => one.dataset.task));
const args = async (page) => (await applied(page)).at(-1);
const focusedTask = (page) => page.evaluate(() => document.activeElement?.getAttribute('data-task') ?? '');
const ALL = ['t-lease', 't-board', 't-plants', 't-passport', 't-train', 't-tax'];

describe('several tasks at once', () => {
  it('are picked with the mouse and dated, labelled and deleted with one request each, taken back by one Undo', async () => {
    const page = await start({ at: 'tasks' });
    await row(page, 'Read the board draft').click();
    await row(page, 'Book the London train').click({ modifiers: ['Shift'] });
    await eventually(() => picked(page), ['t-board', 't-plants', 't-passport', 't-train']);
    await row(page, 'Renew passport').click({ modifiers: ['Control'] });
    const ids = ['t-board', 't-plants', 't-train'];
    await eventually(() => picked(page), ids);
    await page.getByText('3 tasks selected').first().waitFor();
    const bar = page.locator('.picked');
    await bar.getByLabel('Due on').fill('next week');
    await press(bar.getByLabel('Due on'));
    await toast(page, '3 tasks are changed.');
    assert.deepEqual(await args(page), ['task.update', { ids, changes: { due: '2026-01-19' } }]);
    await bar.getByLabel('Add a label').fill('office, travel');
    await press(bar.getByLabel('Add a label'));
    await row(page, 'Read the board draft').getByText('travel').waitFor();
    // In their present order.
    const now = ['t-board', 't-train', 't-plants'];
    assert.deepEqual(await args(page), ['task.update', { ids: now, changes: { add_tags: ['office', 'travel'] } }]);
    const before = await names(page);
    await press(bar.getByRole('button', { name: 'Delete' }));
    const back = await undo(page, '3 tasks are deleted.');
    assert.deepEqual(await args(page), ['task.delete', { ids: now }]);
    await eventually(() => names(page), ['t-lease', 't-passport', 't-tax']);
    await bar.waitFor({ state: 'detached' });
    await press(back);
    await eventually(() => names(page), before);
    assert.equal(await called(page, 'undo'), 1);
    await end(page);
  });

  it('are picked and done by keyboard, and the focus stays in the list', async () => {
    const page = await start({ at: 'tasks' });
    await row(page, 'Read the board draft').focus();
    for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown']) await page.keyboard.press(key);
    await eventually(() => picked(page), ['t-board', 't-plants', 't-passport']);
    await page.keyboard.press('Shift+ArrowUp');
    await eventually(() => picked(page), ['t-board', 't-plants']);
    await eventually(() => focusedTask(page), 't-plants');
    await page.keyboard.press('Space');
    await undo(page, '2 tasks are done.');
    assert.deepEqual(await args(page), ['task.complete', { ids: ['t-board', 't-plants'] }]);
    await end(page);
  });

  it('are all picked with Ctrl A, one by one with X, and let go with Escape', async () => {
    const page = await start({ at: 'tasks' });
    await row(page, 'Send signed lease').focus();
    await page.keyboard.press('Control+a');
    await eventually(() => picked(page), ALL);
    await page.keyboard.press('ArrowDown');
    await eventually(() => focusedTask(page), 't-board');
    await page.keyboard.press('x');
    await eventually(() => picked(page), ALL.filter((one) => one !== 't-board'));
    await page.keyboard.press('Escape');
    await eventually(() => picked(page), []);
    await eventually(() => focusedTask(page), 't-board');
    // In a text field the keys are ordinary letters.
    await page.getByLabel('Add a task').fill('xx');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await eventually(() => page.getByLabel('Add a task').inputValue(), '');
    await settle(page);
    assert.deepEqual([await picked(page), await called(page, 'apply')], [[], 0]);
    await end(page);
  });
});

describe('the focus', () => {
  it('goes to the next task when one is done or deleted, and to the one before at the end', async () => {
    const page = await start({ at: 'tasks' });
    await row(page, 'Read the board draft').focus();
    await page.keyboard.press('Space');
    await eventually(() => focusedTask(page), 't-plants');
    await page.keyboard.press('Delete');
    await eventually(() => focusedTask(page), 't-passport');
    await page.keyboard.press('End');
    await eventually(() => focusedTask(page), 't-tax');
    await page.keyboard.press('Delete');
    await eventually(() => focusedTask(page), 't-train');
    await eventually(() => place(page), '#/tasks/t-train');
    await end(page);
  });

  it('goes to the list when the task beside it is done', async () => {
    const page = await start({ at: 'tasks/t-passport' });
    await press(page.getByRole('button', { name: 'Complete' }));
    await eventually(() => focusedTask(page), 't-train');
    await eventually(() => place(page), '#/tasks/t-train');
    await end(page);
  });
});

describe('the fields of a task', () => {
  it('take a first day, labels and a repetition in words', async () => {
    const page = await start({ at: 'tasks/t-passport' });
    const detail = page.locator('.detail');
    await detail.getByLabel('Starts on').fill('next week');
    await press(detail.getByLabel('Starts on'));
    await row(page, 'Renew passport').locator('..').getByText('from Mon 19 Jan').waitFor();
    assert.deepEqual(await args(page), ['task.update', { id: 't-passport', changes: { start: '2026-01-19' } }]);
    await detail.getByLabel('Labels').fill('home, papers, home');
    await press(detail.getByLabel('Labels'));
    await row(page, 'Renew passport').getByText('papers').waitFor();
    assert.deepEqual(await args(page), ['task.update', { id: 't-passport', changes: { add_tags: ['home', 'papers'] } }]);
    await detail.getByLabel('Labels').fill('papers');
    await press(detail.getByLabel('Labels'));
    await eventually(() => args(page), ['task.update', { id: 't-passport', changes: { remove_tags: ['home'] } }]);
    const repeats = detail.getByLabel('Repeats');
    await repeats.selectOption('every week on Tue');
    const back = await undo(page, '“Renew passport” is changed.');
    assert.deepEqual(await args(page), [
      'task.update',
      { id: 't-passport', changes: { rrule: 'FREQ=WEEKLY;BYDAY=TU' } },
    ]);
    await row(page, 'Renew passport').getByText('every week on Tue').waitFor();
    await press(back);
    await eventually(() => repeats.inputValue(), '');
    await settle(page);
    // What was undone is not selected again.
    assert.equal((await applied(page)).filter(([, { changes }]) => changes?.rrule).length, 1);
    await end(page);
  });
});

describe('another place', () => {
  const drag = async (page, from, to, part) => {
    const [a, b] = [await from.boundingBox(), await to.boundingBox()];
    await page.mouse.move(a.x + 40, a.y + a.height / 2);
    await page.mouse.down();
    await page.mouse.move(b.x + 60, b.y + b.height * part, { steps: 6 });
  };

  it('is another day when a task is dropped beside one of that day; a press alone opens', async () => {
    const page = await start({ at: 'tasks' });
    await drag(page, row(page, 'Collect receipts'), row(page, 'Book the London train'), 0.8);
    await page.getByText('Move to Fri 16 Jan').waitFor();
    assert.equal(await called(page, 'apply'), 0);
    await page.mouse.up();
    await undo(page, '“Collect receipts for the tax return” is changed.');
    assert.deepEqual(await args(page), ['task.update', { ids: ['t-tax'], changes: { due: '2026-01-16' } }]);
    await eventually(() => place(page), '#/tasks');
    await row(page, 'Renew passport').click();
    await eventually(() => place(page), '#/tasks/t-passport');
    await end(page);
  });

  it('is a day of its own below the list, for all that are picked', async () => {
    const page = await start({ at: 'tasks' });
    await row(page, 'Read the board draft').click();
    await row(page, 'Water the plants').click({ modifiers: ['Shift'] });
    const [a] = [await row(page, 'Read the board draft').boundingBox()];
    await page.mouse.move(a.x + 30, a.y + 8);
    await page.mouse.down();
    await page.mouse.move(a.x + 60, a.y + 30, { steps: 3 });
    const shelf = page.locator('[data-shelf]', { hasText: 'Next week' });
    const to = await shelf.boundingBox();
    await page.mouse.move(to.x + 20, to.y + 10, { steps: 3 });
    await page.locator('.say').getByText('Move to Mon 19 Jan').waitFor();
    await page.mouse.up();
    await eventually(() => args(page), [
      'task.update',
      { ids: ['t-board', 't-plants'], changes: { due: '2026-01-19' } },
    ]);
    await shelf.waitFor({ state: 'detached' });
    await end(page);
  });

  it('is another order by Alt and the arrows, and then another day, with the focus on the task', async () => {
    const page = await start({ at: 'tasks' });
    const passport = row(page, 'Renew passport');
    await passport.focus();
    await page.keyboard.press('Alt+ArrowUp');
    await eventually(() => names(page), ['t-lease', 't-board', 't-passport', 't-plants', 't-train', 't-tax']);
    assert.deepEqual(await args(page), [
      'task.update',
      { ids: ['t-board', 't-passport'], changes: { in_order: true } },
    ]);
    await waitFocused(passport);
    await page.keyboard.press('Alt+ArrowDown');
    await eventually(() => names(page), ALL);
    await page.keyboard.press('Alt+ArrowDown');
    await eventually(() => args(page), ['task.update', { ids: ['t-passport'], changes: { due: '2026-01-16' } }]);
    await waitFocused(passport);
    // Nothing can be moved to a past day.
    await row(page, 'Read the board draft').focus();
    await page.keyboard.press('Alt+ArrowUp');
    await settle(page);
    assert.equal(await called(page, 'apply'), 3);
    await end(page);
  });

  it('is left alone when Escape lets it go', async () => {
    const page = await start({ at: 'tasks' });
    await drag(page, row(page, 'Collect receipts'), row(page, 'Renew passport'), 0.2);
    await page.locator('.say').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.say').waitFor({ state: 'detached' });
    await page.mouse.up();
    await settle(page);
    assert.equal(await called(page, 'apply'), 0);
    await end(page);
  });
});
