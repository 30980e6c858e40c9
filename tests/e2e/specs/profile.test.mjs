// Switching profiles in the window: the sample and back, by mouse and by keyboard, and a profile that cannot be opened.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { App, Key, pictured } from '../lib/app.mjs';
import { Lines } from '../lib/lines.mjs';
import { Machine, ended } from '../lib/machine.mjs';
import { becomes, eventually } from '../lib/wait.mjs';

let machine, app, holder;
before(async () => {
  machine = await Machine.start();
  app = await App.open(machine);
});
after(async () => {
  holder?.kill();
  await ended(holder);
  await app?.close();
  await machine?.stop();
});

const scene = (name, body) => test(name, () => pictured(app, name, body));
const titled = (title) => machine.shows(title);
const tasks = async (...words) => (await machine.show('tasks', ...words)).map((task) => task.title);
const IDLE = 'Nothing more today';
const SAMPLE = 'Adjutant \\(sample\\)';

scene('a first start can try the sample, and window and tray are the sample’s', async () => {
  await app.sees('Try it on sample data');
  assert.equal((await machine.windows(SAMPLE)).length, 0);
  const from = machine.heardSoFar();
  await app.click('Try it');
  await app.button('Back to default');
  await app.sees('A made-up week');
  await titled(SAMPLE);
  // The sample always has an event tomorrow.
  await machine.menu((labels) => labels.length > 0 && !labels.includes(IDLE), 'the next event of the sample', { after: from });
});

scene('what is asked there is answered from the sample and stays there', async () => {
  await app.ask('What is on tomorrow?');
  await app.sees('Lunch with Sofia');
  await app.ask('Add a task to water the plants');
  await eventually(async () => (await tasks('--profile', 'sample')).some((title) => /plants/.test(title)), 'the task is in the sample');
  await app.shot('sample');
  assert.deepEqual(await tasks('--profile', 'default'), []);
});

scene('quick-ask says that it is the sample’s, and does not outlive it', async () => {
  await machine.press('Quick-ask');
  await machine.shows('Quick-ask');
  await app.inWindow('#/quick-ask');
  await app.sees('Sample data');
  await app.shot('sample-quick-ask');
  const quick = await app.driver.getWindowHandle();
  const [main] = (await app.driver.getAllWindowHandles()).filter((handle) => handle !== quick);
  await app.driver.switchTo().window(main);
});

scene('the way back leads to one’s own data, which is still empty', async () => {
  const from = machine.heardSoFar();
  await app.click('Back to default');
  await app.sees('Try it on sample data');
  await titled('Adjutant');
  await machine.shows('Quick-ask', 0);
  await becomes(async () => (await app.driver.getAllWindowHandles()).length, 1);
  await machine.menu((labels) => labels.includes(IDLE), 'nothing more today', { after: from });
  assert.deepEqual(await tasks(), []);
  await becomes(() => app.driver.executeScript('return document.body.innerText.includes("made-up week. Nothing")'), false);
  await app.shot('back');
});

scene('the name of the profile opens a menu of them, by keyboard alone', async () => {
  await app.go('today');
  await app.sees('Your day will be here');
  const name = await app.button('Profile default');
  await app.driver.executeScript('arguments[0].focus()', name);
  await name.sendKeys(Key.ENTER);
  await app.named('[role="menuitemradio"]', 'sample');
  await app.shot('profiles');
  const focused = (read) => app.driver.executeScript(`return ${read}`);
  const keys = async (...keys) => (await app.driver.switchTo().activeElement()).sendKeys(...keys);
  // The current profile is marked and comes first.
  await becomes(() => focused('document.activeElement.ariaChecked'), 'true');
  await keys('s');
  await becomes(() => focused('document.activeElement.innerText.trim().startsWith("sample")'), true);
  await keys(Key.ENTER);
  await titled(SAMPLE);
  await app.button('Back to default');
  // The earlier conversation is still there.
  await app.go('chat');
  // The conversation of the sample.
  await app.click('', '.rail .recents a');
  await app.sees('water the plants');
});

scene('a profile that cannot be opened leaves everything as it was and says so', async () => {
  // Another process holds it, with another clock.
  holder = spawn(process.env.ADJUTANT_CLI, ['chat', '--profile', 'held', '--now', '2026-01-12T09:00:00+01:00[Europe/Berlin]'], {
    env: machine.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = new Lines(holder.stdout, (line) => line);
  holder.stdin.write('What is 6 * 7?\n');
  await answers.wait((line) => /42/.test(line), 'an answer in the profile that is held');
  await app.reload();
  await app.click('Profile sample');
  await app.click('held', '[role="menuitemradio"]');
  await app.sees('The profile “held” could not be opened.');
  await app.sees('You are still in “sample”.');
  await app.shot('not-opened');
  await titled(SAMPLE);
  await app.click('Back to default');
  await titled('Adjutant');
});

scene('the next start is in one’s own profile again', async () => {
  await app.quit();
  app = await App.open(machine);
  await titled('Adjutant');
  await app.sees('Try it on sample data');
});
