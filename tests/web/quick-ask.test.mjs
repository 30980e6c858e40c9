// The first start and quick-ask, with the keyboard alone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, press, say, settle, waitFocused } from './lib.mjs';

const { start, calls, called, end } = harness({ before, after });

describe('the first start', () => {
  it('needs one key: the request is typed and selected', async () => {
    const page = await start({ at: 'chat', fake: 'first-run' });
    await page.getByText('Good morning, Mara.').waitFor();
    await eventually(() => page.evaluate(() => getSelection()?.toString()), 'Remind me tomorrow at 9 to call the bank');
    await page.keyboard.press('Enter');
    await page.locator('.reply').getByText('Reminder “Call the bank”, Wed 14 Jan, 09:00').waitFor();
    assert.equal((await calls(page, 'ask'))[0].args.text, 'Remind me tomorrow at 9 to call the bank');
    await end(page);
  });

  it('is no wall: any other place is open', async () => {
    const page = await start({ at: 'chat', fake: 'first-run' });
    await page.getByText('Good morning, Mara.').waitFor();
    await page.keyboard.press('Control+5');
    await page.getByLabel('Add a task').waitFor();
    await end(page);
  });
});

describe('quick-ask', () => {
  const ask = async (page, words) => {
    const field = page.getByLabel('Ask Adjutant');
    await say(field, words);
  };

  it('answers in place and grows with the answer', async () => {
    const page = await start({ at: 'quick-ask', size: { width: 720, height: 420 } });
    await page.waitForFunction(() => window.fake.window.some((one) => one.startsWith('height')));
    await ask(page, 'What is on today?');
    await page.locator('.big').getByText('free stretch from 13:30').waitFor();
    await page.getByText('46 ms').waitFor();
    await page.waitForFunction(() => {
      const heights = window.fake.window.filter((one) => one.startsWith('height')).map((one) => Number(one.slice(7)));
      return heights.length > 1 && heights.at(-1) > heights[0] && heights.every((one) => one >= 64 && one <= 420);
    });
    await page.keyboard.press('Control+Enter');
    await page.waitForFunction(() => window.fake.window.some((one) => one.startsWith('open chat/')));
    await end(page);
  });

  it('shows what needs approval in one line and cannot approve it', async () => {
    const page = await start({ at: 'quick-ask', size: { width: 720, height: 420 } });
    await ask(page, 'mail Hannah');
    await page.getByText('This needs your approval').waitFor();
    await settle(page);
    assert.equal(await page.getByRole('button', { name: /approve|send/i }).count(), 0);
    // There is only one way to the large window, and it leads to the card.
    assert.equal(await page.getByRole('button', { name: /Open in window/ }).count(), 1);
    await page.getByRole('button', { name: /Open in window/ }).click();
    await page.waitForFunction(() => window.fake.window.some((one) => one.startsWith('open approvals/')));
    await settle(page);
    assert.equal(await called(page, 'approve'), 0);
    await end(page);
  });

  it('is 64 px high when empty, shows free time as a strip, and acts on it with Enter', async () => {
    const page = await start({ at: 'quick-ask', size: { width: 720, height: 420 } });
    await eventually(
      () => page.evaluate(() => window.fake.window.filter((one) => one.startsWith('height')).at(-1)),
      'height 64',
    );
    const field = page.getByLabel('Ask Adjutant');
    await ask(page, 'list free');
    await page.getByRole('img', { name: '13:30 to 16:00 free' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await waitFocused(page.locator('[data-hits] .go').first());
    await page.keyboard.press('Enter');
    await waitFocused(field);
    await eventually(() => field.inputValue(), /^Add to my calendar on .* at 13:30: $/);
    assert.equal(await called(page, 'ask'), 1);
    await end(page);
  });

  it('hides with Esc and keeps its text for a minute', async () => {
    const page = await start({ at: 'quick-ask', size: { width: 720, height: 420 } });
    await page.clock.install();
    const field = page.getByLabel('Ask Adjutant');
    const hidden = (times) =>
      eventually(() => page.evaluate(() => window.fake.window.filter((one) => one === 'hide').length), times);
    await field.fill('half a thought');
    await press(field, 'Escape');
    await hidden(1);
    await page.evaluate(() => window.fake.shown());
    await waitFocused(field);
    assert.equal(await field.inputValue(), 'half a thought');
    await press(field, 'Escape');
    await hidden(2);
    await page.clock.fastForward(61_000);
    await page.evaluate(() => window.fake.shown());
    await eventually(() => field.inputValue(), '');
    await end(page);
  });
});
