// What Adjutant shows outside its windows, observed on the session bus: the tray menu and notifications.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { App } from '../lib/app.mjs';
import { world } from '../lib/data.mjs';
import { Lines } from '../lib/lines.mjs';
import { Machine, ended } from '../lib/machine.mjs';
import { eventually } from '../lib/wait.mjs';

let machine, app;
before(async () => {
  machine = await Machine.start();
  // No quiet hours, whatever the time.
  for (const key of ['desktop.quiet_from', 'desktop.quiet_to']) await machine.set(key, '00:00');
  app = await App.open(machine);
});
after(async () => {
  await app?.close();
  await machine?.stop();
});

const told = (title) => machine.heard.all.filter((line) => line.kind === 'notification' && line.title === title);

async function closeToTray() {
  const [window] = await machine.shows('Adjutant');
  await machine.closeWindow(window);
  await machine.shows('Adjutant', 0);
}

const isBack = () => machine.shows('Adjutant');

test('the tray says what comes next, as soon as it is known', async () => {
  const { code, stdout, stderr } = await machine.cli('import', world(machine));
  assert.equal(code, 0, stdout + stderr);
  await machine.menu((labels) => labels.some((label) => label.startsWith('Dentist, tomorrow')), 'the next event');
});

test('an approval that waits behind a closed window is notified once; a click opens its card', async () => {
  await closeToTray();
  const { code } = await machine.cli('ask', 'Delete the pricing review tomorrow');
  assert.equal(code, 3, 'the command line says that an approval waits');
  const note = await machine.notification(({ title }) => title === 'An approval waits', 'about the approval');
  await machine.menu((labels) => labels.includes('1 approval waiting'), 'one approval waiting');
  machine.click(note);
  await isBack();
  const [waiting] = (await machine.show('approvals')).filter(({ state }) => state === 'pending');
  await eventually(async () => (await app.driver.getCurrentUrl()).endsWith(`#/approvals/${waiting.id}`), 'its card is open');
  const from = machine.heardSoFar();
  assert.equal((await machine.cli('reject', waiting.id)).code, 0);
  await machine.menu((labels) => labels.includes('Nothing waits for you'), 'nothing waiting', { after: from });
  assert.equal(told('An approval waits').length, 1);
});

test('a reminder comes at its time, once; a click opens the window', async () => {
  await closeToTray();
  const { code, stdout } = await machine.cli('ask', 'Remind me in 5 seconds to stretch');
  assert.equal(code, 0, stdout);
  const note = await machine.notification(({ title }) => /stretch/i.test(title), 'about stretching');
  assert.match(note.body, /^Reminder for \d\d:\d\d$/);
  machine.click(note);
  await isBack();
  assert.equal(told(note.title).length, 1);
});

test('a reminder that came due while nothing ran is told at the next start, once', async () => {
  await app.quit();
  // Long enough for a slow machine to end the command before the reminder is due.
  const { code, stdout } = await machine.cli('ask', 'Remind me in 15 seconds to breathe');
  assert.equal(code, 0, stdout);
  const passed = Date.now() + 16_000;
  await eventually(() => Date.now() > passed, 'the time has passed');
  assert.equal(machine.heard.all.some((line) => line.kind === 'notification' && /breathe/i.test(line.title)), false);
  app = await App.open(machine);
  const note = await machine.notification(({ title }) => /breathe/i.test(title), 'about breathing');
  await app.quit();
  app = await App.open(machine);
  const isNext = (labels) => labels.some((label) => label.startsWith('Dentist'));
  await machine.menu(isNext, 'the next event, after another start', { after: app.heardFrom });
  // A later reminder comes after everything this start had to report.
  assert.equal((await machine.cli('ask', 'Remind me in 1 second to wink')).code, 0);
  await machine.notification(({ title }) => /wink/i.test(title), 'about winking');
  assert.equal(told(note.title).length, 1);
});

test('a reminder comes from the window, once, although the command line holds the profile', async () => {
  await app.quit();
  const holder = spawn(process.env.ADJUTANT_CLI, ['chat'], { env: machine.env, stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const said = new Lines(holder.stdout, (line) => line);
    holder.stdin.write('What is 6 * 7?\n');
    await said.wait((line) => /42/.test(line), 'an answer of the holder');
    app = await App.open(machine);
    // The tray shows the next event, so the window is connected to the holder.
    await machine.menu((labels) => labels.some((label) => label.startsWith('Dentist')), 'the next event', { after: app.heardFrom });
    const { code, stdout } = await machine.cli('ask', 'Remind me in 5 seconds to blink');
    assert.equal(code, 0, stdout);
    const note = await machine.notification(({ title }) => /blink/i.test(title), 'about blinking');
    assert.match(note.body, /^Reminder for \d\d:\d\d$/);
    holder.stdin.write('What is 5 * 7?\n');
    await said.wait((line) => /35/.test(line), 'another answer of the holder');
    assert.ok(!said.all.some((line) => /Reminder: Blink/i.test(line)), 'the holder leaves it to the window');
    assert.equal(told(note.title).length, 1);
  } finally {
    holder.stdin.end();
    await ended(holder);
  }
});

test('the shortcut and starting with the system follow their settings at once', async () => {
  await machine.set('desktop.quick_ask_shortcut', 'Ctrl+Alt+J');
  await machine.menu((labels) => labels.some((label) => label.includes('Ctrl Alt J')), 'the new shortcut');
  await machine.keys('ctrl+alt+j');
  await machine.shows('Quick-ask');
  await machine.keys('ctrl+alt+j');
  await machine.shows('Quick-ask', 0);

  await machine.set('desktop.autostart', 'true');
  const entry = await eventually(() => machine.autostart(), 'an entry among what starts with the system');
  assert.match(entry, /adjutant-desktop.*--hidden/);
  await machine.set('desktop.autostart', 'false');
  await eventually(async () => (await machine.autostart()) === null, 'the entry is gone');
});
