// The shell around the pages: tray, second start, closing, and the quick-ask window.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { App, Key } from '../lib/app.mjs';
import { Machine } from '../lib/machine.mjs';
import { APPEAR_MS, becomes, eventually } from '../lib/wait.mjs';

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
  await eventually(async () => /Adjutant$/.test(await app.driver.getTitle()), 'a title with its name');
  await machine.heard.wait((line) => line.kind === 'tray', 'the tray item');
  const labels = await machine.menu((labels) => labels.includes('Nothing waits for you'), 'nothing waiting');
  assert.equal(labels.at(-1), 'Quit, reminders stop');
});

test('closing keeps the tray, and the tray brings the window back', async () => {
  const [window] = await machine.shows('Adjutant');
  await machine.closeWindow(window);
  await machine.shows('Adjutant', 0);
  await machine.press('Open Adjutant');
  await machine.shows('Adjutant');
});

test('a second start ends at once and brings the first window up', async () => {
  const [window] = await machine.shows('Adjutant');
  await machine.closeWindow(window);
  await machine.shows('Adjutant', 0);
  await promisify(execFile)(process.env.ADJUTANT_APP, [], { env: machine.env, timeout: APPEAR_MS });
  await machine.shows('Adjutant');
});

test('nothing in the page takes the window elsewhere, or opens another', async () => {
  let asked = 0;
  const elsewhere = createServer((_request, response) => {
    asked += 1;
    response.end('<title>Elsewhere</title>');
  });
  await new Promise((listening) => elsewhere.listen(0, '127.0.0.1', listening));
  const address = `http://127.0.0.1:${elsewhere.address().port}/`;
  const own = await app.driver.getCurrentUrl();
  for (const way of [
    'location.href = arguments[0]',
    'location.replace(arguments[0])',
    'open(arguments[0])',
    'const a = document.createElement("a"); a.href = arguments[0]; document.body.append(a); a.click(); a.remove()',
    'const f = document.createElement("form"); f.action = arguments[0]; document.body.append(f); f.submit(); f.remove()',
  ]) {
    await app.driver.executeScript(way, address);
    await app.settle();
    assert.equal(await app.driver.getCurrentUrl(), own, way);
    assert.equal((await app.driver.getAllWindowHandles()).length, 1, way);
  }
  // Its own surfaces can still be opened.
  await app.go('tasks');
  await eventually(async () => (await app.driver.getCurrentUrl()).endsWith('#/tasks'), 'the window is at Tasks');
  assert.equal(asked, 0, 'nothing was asked of the other place');
  elsewhere.close();
});

test('the shortcut shows quick-ask, and hides it again', async () => {
  await machine.menu((labels) => labels.some((label) => label.includes('Ctrl Shift Space')), 'the shortcut in force');
  await machine.keys('ctrl+shift+space');
  await machine.shows('Quick-ask');
  await machine.keys('ctrl+shift+space');
  await machine.shows('Quick-ask', 0);
  await machine.press('Quick-ask');
  await machine.shows('Quick-ask');
});

test('quick-ask is as high as its line, and grows with its answer', async () => {
  const height = () => app.driver.executeScript('return innerHeight');
  await app.inWindow('#/quick-ask');
  await app.field('Ask Adjutant');
  await becomes(height, 64);
  await app.write('Ask Adjutant', '18 % of 2450', Key.ENTER);
  await app.sees('441');
  await eventually(async () => (await height()) > 120, 'the answer has room');
});
