// The shell around the pages: tray, second start, closing, quick-ask's window.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { App } from '../lib/app.mjs';
import { Machine } from '../lib/machine.mjs';
import { eventually } from '../lib/wait.mjs';

let machine, app;
before(async () => {
  machine = await Machine.start();
  app = await App.open(machine);
});
after(async () => {
  await app?.close();
  await machine?.stop();
});

test('the window opens and the tray says what waits', async () => {
  assert.match(await app.driver.getTitle(), /Adjutant$/);
  await machine.heard.wait((line) => line.kind === 'tray', 'the tray item');
  const labels = await machine.menu((labels) => labels.includes('Nothing waits for you'), 'nothing waiting');
  assert.equal(labels.at(-1), 'Quit, reminders stop');
});

test('closing keeps the tray, and the tray brings the window back', async () => {
  const [window] = await machine.windows('Adjutant');
  assert.ok(window, 'the window is visible');
  await machine.closeWindow(window);
  await eventually(async () => (await machine.windows('Adjutant')).length === 0, 'the window is hidden');
  await machine.press('Open Adjutant');
  await eventually(async () => (await machine.windows('Adjutant')).length === 1, 'the window is back');
});

test('a second start ends at once and brings the first window up', async () => {
  const [window] = await machine.windows('Adjutant');
  await machine.closeWindow(window);
  await eventually(async () => (await machine.windows('Adjutant')).length === 0, 'the window is hidden');
  await promisify(execFile)(process.env.ADJUTANT_APP, [], { env: machine.env, timeout: 20_000 });
  await eventually(async () => (await machine.windows('Adjutant')).length === 1, 'the window is back');
});

test('the shortcut shows quick-ask, and hides it again', async () => {
  await machine.menu((labels) => labels.some((label) => label.includes('Ctrl Shift Space')), 'the shortcut in force');
  await machine.keys('ctrl+shift+space');
  await eventually(async () => (await machine.windows('Quick-ask')).length === 1, 'quick-ask is visible');
  await machine.keys('ctrl+shift+space');
  await eventually(async () => (await machine.windows('Quick-ask')).length === 0, 'quick-ask is hidden');
  await machine.press('Quick-ask');
  await eventually(async () => (await machine.windows('Quick-ask')).length === 1, 'quick-ask is visible again');
});
