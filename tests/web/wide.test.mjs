// A large window: what has room is shown whole, and nothing stands where nobody looks for it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, say } from './lib.mjs';

const { start, end } = harness({ before, after });
const LARGE = { width: 1440, height: 900 };
const box = (page, selector) => page.locator(selector).first().boundingBox();
const isCut = (one) => one.evaluate((node) => node.scrollWidth > node.clientWidth);

describe('a large window', () => {
  it('has room in its list for a title that a smaller one cuts', async () => {
    const page = await start({ at: 'memory', size: LARGE });
    const title = page.locator('.item .t', { hasText: 'Kelm Estates’ billing address' });
    await title.waitFor();
    await eventually(() => isCut(title), false);
    await page.setViewportSize({ width: 1150, height: 800 });
    await eventually(() => isCut(title), true);
    await end(page);
  });

  it('shows a usual letter whole, which can then be approved without scrolling', async () => {
    const page = await start({ at: 'approvals/a-mail', size: LARGE });
    const letter = page.locator('.letter');
    await letter.waitFor();
    await eventually(() => letter.evaluate((one) => one.scrollHeight <= one.clientHeight), true);
    const approve = page.getByRole('button', { name: 'Approve send' });
    await eventually(() => approve.getAttribute('aria-disabled'), 'false');
    const { y, height } = await approve.boundingBox();
    assert.ok(y + height < LARGE.height, 'the buttons are in view');
    await end(page);
  });

  it('has the day of today beside what needs the person, not below it', async () => {
    const page = await start({ at: 'today', size: LARGE });
    await page.getByText('Board pre-read').first().waitFor();
    const [needs, day, tasks] = [
      await box(page, '.needs'),
      await box(page, '.agenda-part'),
      await box(page, '.tasks-part'),
    ];
    assert.ok(Math.abs(day.y - needs.y) < 4 && day.x + day.width < needs.x, JSON.stringify([day, needs]));
    // The tasks follow in the same column, without a hole as high as the day.
    assert.ok(tasks.x === needs.x && tasks.y - (needs.y + needs.height) < 60, JSON.stringify([tasks, needs]));
    // A smaller window has what needs the person first.
    await page.setViewportSize({ width: 900, height: 700 });
    await eventually(async () => (await box(page, '.agenda-part')).y > (await box(page, '.needs')).y, true);
    await end(page);
  });

  it('gives the fields of settings room for an address', async () => {
    const page = await start({ at: 'settings/you', size: LARGE });
    await page.getByLabel('Your addresses').waitFor();
    const { width } = await box(page, '.set .field');
    assert.ok(width >= 270, `${width}`);
    await end(page);
  });
});

describe('an empty surface', () => {
  it('has the line for the first task in the middle, and keeps the focus there', async () => {
    const page = await start({ at: 'tasks', fake: 'empty', size: LARGE });
    await page.getByText('No tasks yet').waitFor();
    const [main, line] = [await box(page, '.main'), await box(page, '.add')];
    const middle = (one) => one.x + one.width / 2;
    assert.ok(Math.abs(middle(main) - middle(line)) < 4, `${middle(main)} ${middle(line)}`);
    const field = page.getByLabel('Add a task');
    await say(field, 'Call Ana');
    await page.locator('.task', { hasText: 'Call Ana' }).waitFor();
    await eventually(() => field.evaluate((one) => one === document.activeElement), true);
    await end(page);
  });

  it('of people leads to where an address book is imported', async () => {
    const page = await start({ at: 'contacts', fake: 'empty' });
    await page.getByRole('link', { name: 'Import contacts' }).press('Enter');
    await page.getByRole('button', { name: 'Choose files' }).waitFor();
    await end(page);
  });
});

describe('settings', () => {
  it('end with what nothing brings back', async () => {
    const page = await start({ at: 'settings/data' });
    const erase = page.getByRole('button', { name: 'Erase…' });
    await erase.waitFor();
    const { y } = await erase.boundingBox();
    for (const other of [page.getByLabel('Keep large mails'), page.getByText('Advanced')])
      assert.ok((await other.boundingBox()).y < y);
    await end(page);
  });
});
