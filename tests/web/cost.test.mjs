// Expensive work needs a confirmation before it begins, with the keyboard alone; its actual cost is shown afterwards.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { connectPriced, eventually, harness, press, say, settle, waitFocused } from './lib.mjs';

const { start, calls, called, end } = harness({ before, after });
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const violations = async (page) => {
  await page.evaluate(axe);
  return page.evaluate(async () => (await window.axe.run(document)).violations.map((one) => one.id));
};

describe('a message that could cost a lot', () => {
  const message = (page) => page.getByLabel('Message Adjutant');
  /**
   * Returns the messages of a conversation whose cost was requested; the beginning of a conversation does not count.
   */
  const askedAbout = async (page) =>
    (await calls(page, 'explain')).map(({ args }) => args).filter(({ conversation }) => conversation !== 'direct');
  for (const [size, theme] of [
    ['wide', 'light'],
    ['narrow', 'dark'],
  ]) {
    it(`is not sent before that was seen; left, its words are back: ${size}, ${theme}`, async () => {
      const page = await start({ at: 'chat', fake: 'empty', size, theme });
      await message(page).waitFor();
      await connectPriced(page, ['Lab'], 40);
      await say(message(page), 'Compare all of these offers');
      const dialog = page.getByRole('dialog', { name: 'This could cost up to $1.12' });
      await dialog.getByText('up to 3 times, each up to 6,027 tokens in and 1,000 out').waitFor();
      await dialog.getByText('of $2.00 is used').waitFor();
      // A key pressed by mistake costs nothing.
      await waitFocused(dialog.getByRole('button', { name: 'Cancel' }));
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press('Escape');
      await eventually(() => message(page).inputValue(), 'Compare all of these offers');
      await waitFocused(message(page));
      assert.equal(await called(page, 'ask'), 0);
      await end(page);
    });
  }

  it('is not lost when something else led away from it', async () => {
    const page = await start({ at: 'chat', fake: 'empty' });
    await message(page).waitFor();
    await connectPriced(page, ['Lab'], 40);
    await say(message(page), 'Compare all of these offers');
    await page.getByRole('dialog').waitFor();
    await page.evaluate(() => (location.hash = '#/tasks'));
    await page.getByRole('heading', { name: 'Tasks' }).waitFor();
    await page.evaluate(() => (location.hash = '#/chat/new'));
    await eventually(() => message(page).inputValue(), 'Compare all of these offers');
    assert.equal(await called(page, 'ask'), 0);
    await end(page);
  });

  it('is sent when that is agreed to, and a second one like it is not asked about', async () => {
    const page = await start({ at: 'chat', fake: 'empty' });
    await message(page).waitFor();
    await connectPriced(page, ['Lab'], 40);
    await say(message(page), 'Explain the lease');
    await press(page.getByRole('dialog').getByRole('button', { name: 'Send' }));
    await page.getByText('$0.0021').waitFor();
    await say(message(page), 'And the other one?');
    await eventually(() => called(page, 'ask'), 2);
    assert.equal(await page.getByRole('dialog').count(), 0);
    await end(page);
  });

  it('is not asked about where it replies to what waits', async () => {
    const page = await start({ at: 'chat/main', fake: 'one' });
    await page.locator('.ask').waitFor();
    await connectPriced(page, ['Lab'], 40);
    await say(message(page), 'no');
    await eventually(() => called(page, 'ask'), 1);
    assert.deepEqual(await askedAbout(page), []);
    await end(page);
  });

  it('is not held up where models cost nothing', async () => {
    const page = await start({ at: 'chat', fake: 'empty' });
    await message(page).waitFor();
    await connectPriced(page, ['Home'], 0);
    await say(message(page), 'Explain the lease');
    await eventually(() => called(page, 'ask'), 1);
    assert.deepEqual(await askedAbout(page), []);
    await end(page);
  });
});

describe('comparing a model', () => {
  it('says first what that would have cost and can cost, then what it did cost', async () => {
    const page = await start({ at: 'settings/models' });
    await page.getByText('No model is connected').waitFor();
    await connectPriced(page, ['Lab', 'Try'], 5);
    const choice = page.getByLabel('Only compare');
    await choice.focus();
    await choice.selectOption('Try');
    const dialog = page.getByRole('dialog', { name: 'Compare Try beside the others?' });
    // 23 requests to route and plan, with 55,677 tokens in and out, at 5 per million.
    await dialog.getByText('23 requests').waitFor();
    await dialog.getByText('About $0.28 at most').waitFor();
    await dialog.getByText('$0.25 a day, the limit for all background work').waitFor();
    await dialog.getByText('what it is asked leaves this computer').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    await waitFocused(choice);
    assert.equal(await choice.inputValue(), '');
    await settle(page);
    assert.equal(await called(page, 'config_set'), 0);
    await choice.selectOption('Try');
    await press(dialog.getByRole('button', { name: 'Compare' }));
    await eventually(async () => (await calls(page, 'config_set')).at(-1)?.args, {
      key: 'models.shadow',
      value: 'Try',
    });
    await waitFocused(choice);
    await page.evaluate(() => {
      const { usage, world } = window.fake;
      usage.push({
        ...usage[0],
        model: 'Try/large',
        stage: 'plan',
        purpose: 'background',
        calls: 4,
        cost_micros: 30_000,
      });
      world.changed('usage');
    });
    await page.getByText('Comparing took 4 requests until now. Cost: $0.03.').waitFor();
    // Ending it needs no confirmation.
    await choice.selectOption('');
    await eventually(async () => (await calls(page, 'config_set')).at(-1)?.args, { key: 'models.shadow', value: null });
    await end(page);
  });
});
