// A day with the assistant in the real window: import, ask, approve, reject, reload, quick-ask, a restart.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { App, Key, pictured } from '../lib/app.mjs';
import { world } from '../lib/data.mjs';
import { Machine } from '../lib/machine.mjs';
import { becomes, eventually } from '../lib/wait.mjs';

let machine, app;
before(async () => {
  machine = await Machine.start();
  app = await App.open(machine);
});
after(async () => {
  await app?.close();
  await machine?.stop();
});

/** Defines a test that takes a screenshot of the window if it fails. */
const scene = (name, body) => test(name, () => pictured(app, name, body));
const events = async () => (await machine.show('events')).map((event) => event.summary).sort();
const tasks = async () => (await machine.show('tasks')).map((task) => task.title);

scene('the command line imports while the app runs, and the app shows it', async () => {
  const { code, stdout, stderr } = await machine.cli('import', world(machine));
  assert.equal(code, 0, `${stdout}${stderr}`);
  assert.deepEqual(await events(), ['Dentist', 'Lunch with Ana', 'Pricing review']);
  await machine.menu((labels) => labels.some((label) => /Dentist|Pricing review/.test(label)), 'the next event');
  await app.go('chat/main');
  await app.ask('What is on tomorrow?');
  await app.sees('Pricing review');
  await app.shot('asked');
});

scene('a deletion waits for the person; rejecting keeps the event', async () => {
  await app.ask('Delete the pricing review tomorrow');
  await app.button('Reject');
  await machine.menu((labels) => labels.includes('1 approval waiting'), 'one approval waiting');
  await app.shot('waiting');
  const from = machine.heardSoFar();
  await app.pressOnce('Reject');
  await machine.menu((labels) => labels.includes('Nothing waits for you'), 'nothing waiting', { after: from });
  assert.ok((await events()).includes('Pricing review'));
});

scene('approving takes a deliberate key, and then the event is gone', async () => {
  const from = machine.heardSoFar();
  await app.ask('Delete the dentist tomorrow');
  await machine.menu((labels) => labels.includes('1 approval waiting'), 'one approval waiting', { after: from });
  await app.button('Reject');
  const [waiting] = (await machine.show('approvals')).filter((row) => row.state === 'pending');
  assert.ok(waiting, 'one action is pending');
  // Enter approves nothing, wherever the focus is.
  await app.driver.actions().sendKeys(Key.ENTER).perform();
  await app.settle();
  assert.ok((await events()).includes('Dentist'));
  await app.pressOnce('Approve');
  await becomes(async () => (await events()).includes('Dentist'), false);
  await app.shot('approved');
});

scene('a reload in the middle of a turn loses nothing and does nothing twice', async () => {
  await app.write('Message Adjutant', 'Add a task to water the plants', Key.ENTER);
  await app.reload();
  await app.sees('Add a task to water the plants');
  await eventually(async () => (await tasks()).length > 0, 'the task is stored');
  assert.equal((await tasks()).length, 1);
  // The message appears exactly once.
  await becomes(
    () =>
      app.driver.executeScript(
        'return document.body.innerText.split(arguments[0]).length - 1',
        'Add a task to water the plants',
      ),
    1,
  );
});

scene('quick-ask answers in place', async () => {
  await machine.menu((labels) => labels.some((label) => label.includes('Ctrl Shift Space')), 'the shortcut in force');
  await machine.keys('ctrl+shift+space');
  await machine.shows('Quick-ask');
  const main = await app.driver.getWindowHandle();
  await app.inWindow('#/quick-ask');
  await app.write('Ask Adjutant', 'What is 17 * 23?', Key.ENTER);
  await app.sees('391');
  await app.shot('quick-ask');
  await app.write('Ask Adjutant', Key.ESCAPE);
  await machine.shows('Quick-ask', 0);
  await app.driver.switchTo().window(main);
});

scene('everything is there after a restart', async () => {
  await app.quit();
  app = await App.open(machine);
  await app.go('chat/main');
  await app.sees('Add a task to water the plants');
  assert.ok((await tasks()).some((title) => /plants/.test(title)));
});
