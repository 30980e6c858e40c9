// The message field: what is written stays with its conversation, and nothing but the person takes it away.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, press, say, settle } from './lib.mjs';

const { start, end } = harness({ before, after });

const go = (page, place) => page.evaluate((place) => (location.hash = `#/${place}`), place);

describe('the message field', () => {
  it('keeps what is written with its conversation, over other conversations and surfaces', async () => {
    const page = await start({ at: 'chat/c-lease' });
    const field = page.getByLabel('Message Adjutant');
    await page.locator('.md table').waitFor();
    await field.fill('For the lease only');
    await go(page, 'chat/c-bank');
    await page.locator('.receipt').waitFor();
    await eventually(() => field.inputValue(), '');
    await go(page, 'tasks');
    await page.locator('.task').first().waitFor();
    await go(page, 'chat/c-lease');
    await eventually(() => field.inputValue(), 'For the lease only');
    await end(page);
  });

  it('is not overwritten by an earlier message, unless the person says so', async () => {
    const page = await start({ at: 'chat/c-bank' });
    const field = page.getByLabel('Message Adjutant');
    await page.locator('.receipt').waitFor();
    await field.fill('Half a thought');
    await press(page.getByRole('button', { name: 'Edit and ask again' }).first());
    await page.getByText('still in the message field').waitFor();
    assert.equal(await field.inputValue(), 'Half a thought');
    await press(page.getByRole('button', { name: 'Replace it' }));
    await eventually(async () => (await field.inputValue()) !== 'Half a thought', true);
    await end(page);
  });

  it('gets a refused message back once, and can be emptied then', async () => {
    const page = await start({ at: 'chat', fake: 'failing' });
    const field = page.getByLabel('Message Adjutant');
    await say(field, 'hello');
    await page.getByText('Your text is back').waitFor();
    await eventually(() => field.inputValue(), 'hello');
    await field.fill('');
    await settle(page);
    assert.equal(await field.inputValue(), '');
    await end(page);
  });
});

describe('opening a conversation', () => {
  it('never shows the welcome of an empty one first', async () => {
    const page = await start({ at: 'tasks' });
    await page.locator('.task').first().waitFor();
    await page.evaluate(() => {
      const { world } = window.fake;
      const subscribe = world.subscribe.bind(world);
      world.subscribe = (conversation, from, on) => {
        if (conversation === null) return subscribe(conversation, from, on);
        window.beginReplay = () => subscribe(conversation, from, on);
        return () => undefined;
      };
      location.hash = '#/chat/c-lease';
    });
    await eventually(() => page.evaluate(() => typeof window.beginReplay), 'function');
    await settle(page);
    assert.equal(await page.locator('.welcome').count(), 0);
    await page.evaluate(() => window.beginReplay());
    await page.locator('.md table').waitFor();
    await end(page);
  });
});
