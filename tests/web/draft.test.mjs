// The message field: its text stays with its conversation, and only the person removes it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, press, say, settle, waitFocused } from './lib.mjs';

const { start, called, end, place } = harness({ before, after });

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

  it('comes back after an earlier message was edited, or left as it was', async () => {
    const page = await start({ at: 'chat/c-bank' });
    const field = page.getByLabel('Message Adjutant');
    await page.locator('.receipt').waitFor();
    await field.fill('Half a thought');
    await press(page.getByRole('button', { name: 'Edit and ask again' }).first());
    await page.getByText('1 thing that was done stays done.').waitFor();
    await waitFocused(field);
    assert.match(await field.inputValue(), /^Remind me tomorrow at 9/);
    await page.keyboard.press('Escape');
    await eventually(() => field.inputValue(), 'Half a thought');
    await waitFocused(field);
    assert.equal(await called(page, 'retry'), 0);

    await press(page.getByRole('button', { name: 'Edit and ask again' }).first());
    await waitFocused(field);
    await say(field, 'What is on today?');
    await page.locator('.reply').getByText('free stretch from 13:30').waitFor();
    await eventually(() => field.inputValue(), 'Half a thought');
    assert.equal(await page.locator('.said').count(), 1);
    // The effects of the previous message stay in view and can be undone.
    await page
      .getByRole('group', { name: 'Done before you asked again' })
      .getByRole('button', { name: 'Undo' })
      .waitFor();
    await page.getByText('Earlier version').click();
    await eventually(() => page.locator('.said').count(), 2);
    await end(page);
  });

  it('takes the last message with ↑, and an answer that changed nothing is asked again in its place', async () => {
    const page = await start({ fake: 'empty' });
    const field = page.getByLabel('Message Adjutant');
    await say(field, 'What is on today?');
    await page.locator('.reply').getByText('free stretch from 13:30').waitFor();
    await press(page.getByRole('button', { name: 'Ask again', exact: true }));
    await page.getByText('Earlier version').waitFor();
    await eventually(() => page.locator('.said').count(), 1);
    await page.locator('.reply').getByText('free stretch from 13:30').waitFor();
    await field.focus();
    await page.keyboard.press('ArrowUp');
    await eventually(() => field.inputValue(), 'What is on today?');
    await page.getByText('Editing your message').waitFor();
    await say(field, 'Remind me tomorrow at 9 to call the bank');
    await page.locator('.receipt').waitFor();
    await page.getByText('2 earlier messages').waitFor();
    await eventually(() => page.locator('.said').count(), 1);
    // Asking again would repeat the effect.
    assert.equal(await page.getByRole('button', { name: 'Ask again', exact: true }).count(), 0);
    assert.deepEqual([await called(page, 'ask'), await called(page, 'retry')], [1, 2]);
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

describe('words that were written', () => {
  it('for a new conversation stay there, over other surfaces and when one begins elsewhere', async () => {
    const page = await start({ at: 'chat/c-lease' });
    const field = page.getByLabel('Message Adjutant');
    await page.locator('.md table').waitFor();
    await page.keyboard.press('Control+n');
    await page.locator('.welcome').waitFor();
    await field.fill('Something new');
    await page.keyboard.press('Control+2');
    await page.locator('.slot').first().waitFor();
    await page.keyboard.press('Control+1');
    await page.locator('.welcome').waitFor();
    await eventually(() => field.inputValue(), 'Something new');
    await page.evaluate(() => {
      const { world } = window.fake;
      const at = world.iso();
      const [one] = world.tables.conversations;
      const made = { ...one, id: 'c-quick', title: 'Asked quickly', updated: at, created: at };
      world.tables.conversations = [made, ...world.tables.conversations];
      world.changed('conversations');
    });
    await page.getByRole('link', { name: 'Asked quickly' }).waitFor();
    await settle(page);
    assert.equal(await field.inputValue(), 'Something new');
    await page.locator('.welcome').waitFor();
    await end(page);
  });

  it('in one conversation are not replaced by a message of another', async () => {
    const page = await start({ at: 'chat/main' });
    const field = page.getByLabel('Message Adjutant');
    await page.locator('.meant').waitFor();
    await field.fill('For the move');
    await press(page.getByRole('button', { name: 'Change', exact: true }));
    const replace = page.getByRole('button', { name: 'Replace it' });
    await replace.waitFor();
    await replace.focus();
    await go(page, 'chat/c-lease');
    await page.locator('.md table').waitFor();
    await field.fill('For the lease');
    await press(replace);
    await settle(page);
    assert.equal(await field.inputValue(), 'For the lease');
    await end(page);
  });

  it('stay when another conversation is deleted meanwhile', async () => {
    const page = await start({ at: 'chat/c-lease', pace: 400 });
    const field = page.getByLabel('Message Adjutant');
    await page.locator('.md table').waitFor();
    await go(page, 'chat/c-bank');
    await page.locator('.receipt').waitFor();
    await field.fill('For the bank');
    await go(page, 'chat/c-lease');
    await page.locator('.md table').waitFor();
    await press(page.getByRole('button', { name: 'Conversation, more' }));
    await press(page.getByRole('menuitem', { name: 'Delete' }));
    await go(page, 'chat/c-bank');
    await page.getByText('Conversation deleted').first().waitFor();
    await settle(page);
    assert.equal(await place(page), '#/chat/c-bank');
    assert.equal(await field.inputValue(), 'For the bank');
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
