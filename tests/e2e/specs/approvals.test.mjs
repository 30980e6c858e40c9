// Approves with the keyboard alone: sixteen mails at once, and a card on the surface that opened it.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { App, By, Key, pictured } from '../lib/app.mjs';
import { Machine } from '../lib/machine.mjs';
import { becomes } from '../lib/wait.mjs';

const DEALS = 16;
const mail = (n, from, subject, text) =>
  `From ${from} Mon Jan  5 09:00:00 2026\nFrom: ${from}\nTo: me@example.org\nSubject: ${subject}\n` +
  `Date: Mon, 05 Jan 2026 09:${String(n).padStart(2, '0')}:00 +0000\nMessage-ID: <${n}@example.org>\n\n${text}\n\n`;

let machine, app;
before(async () => {
  machine = await Machine.start();
  const file = join(machine.home, 'inbox.mbox');
  const deals = Array.from({ length: DEALS }, (_, n) => mail(n, 'Daily Deals <news@deals.example>', `Deal ${n + 1}`, 'Half price.'));
  writeFileSync(file, [...deals, mail(30, 'Ana Ruiz <ana@example.org>', 'Contract', 'Is it signed?')].join(''));
  await machine.set('owner.emails', 'me@example.org');
  assert.equal((await machine.cli('import', file)).code, 0);
  app = await App.open(machine);
});
after(async () => {
  await app?.close();
  await machine?.stop();
});

const scene = (name, body) => test(name, () => pictured(app, name, body));
const focused = () => app.driver.executeScript('return document.activeElement.innerText ?? ""');
const inbox = async () => (await machine.show('mail')).filter((one) => one.folder === 'inbox').length;
const toCard = () =>
  app.driver.actions().keyDown(Key.CONTROL).keyDown(Key.SHIFT).sendKeys('a').keyUp(Key.SHIFT).keyUp(Key.CONTROL).perform();

scene('sixteen mails are read to the end and deleted with one approval', async () => {
  await app.go('chat/new');
  await app.ask('Delete all the mails from Daily Deals');
  await app.button(`Approve: delete ${DEALS} mails`);
  await app.sees('Look at the list to its end to approve');
  await toCard();
  await app.press(Key.END);
  await app.sees('What you see is exactly what is done');
  await app.press('a');
  await app.sees('Ready. Enter approves');
  await app.still(`Approve: delete ${DEALS} mails`);
  await app.shot('sixteen');
  assert.equal(await inbox(), DEALS + 1, 'nothing happened before');
  await app.press(Key.ENTER);
  await app.sees(`Moved ${DEALS} mails to the trash.`);
  await becomes(inbox, 1);
});

scene('Ctrl Z brings them back', async () => {
  await app.driver.executeScript('document.activeElement.blur()');
  await app.driver.actions().keyDown(Key.CONTROL).sendKeys('z').keyUp(Key.CONTROL).perform();
  await becomes(inbox, DEALS + 1);
});

scene('a reply is approved in the card that opens over it, and the keys lead back to the list', async () => {
  await app.go('mail');
  await app.sees('Is it signed?');
  await app.driver.findElement(By.css('.mrow')).click();
  await app.sees('ana@example.org');
  await app.press('r');
  await becomes(() => app.driver.executeScript('return document.activeElement.name'), 'body');
  await app.press('It is.', Key.ESCAPE);
  await becomes(async () => (await focused()).includes('Contract'), true);
  await app.press('r');
  await app.click('Send');
  await app.still('Approve send');
  await app.press('a');
  await app.sees('Ready. Enter approves');
  await app.still('Approve send');
  await app.press(Key.ENTER);
  await app.sees('No account can send it yet');
  await becomes(async () => (await machine.show('outbox')).map((one) => one.subject).join(), 'Re: Contract');
});
