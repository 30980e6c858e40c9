// A Google account in the real window: connected in the browser, read, sorted by keyboard, answered, and its faults.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { App, Key, pictured } from '../lib/app.mjs';
import { Browser } from '../lib/browser.mjs';
import { Google } from '../lib/google.mjs';
import { Machine } from '../lib/machine.mjs';
import { becomes, eventually } from '../lib/wait.mjs';

const ME = 'me@home.example';

/** Builds a mail of January 2026 in Gmail's format. */
function mail(from, subject, text, day) {
  const head = `From: ${from}\r\nTo: ${ME}\r\nSubject: ${subject}\r\nDate: ${day} Jan 2026 09:00:00 +0000\r\n`;
  const more = `Message-ID: <${subject}@work.example>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n`;
  return Buffer.from(`${head}${more}${text}\r\n`).toString('base64url');
}

const SEED = `google:
  users:
    - email: me@home.example
      name: Me
  calendars:
    - id: me@home.example
      user_email: me@home.example
      summary: Home
      primary: true
  calendar_events:
    - id: dentist1
      user_email: me@home.example
      calendar_id: me@home.example
      summary: Dentist
      start_date_time: "2026-01-12T10:00:00Z"
      end_date_time: "2026-01-12T11:00:00Z"
  messages:
    - { id: lunch, user_email: ${ME}, label_ids: [INBOX, UNREAD], raw: ${mail('Bob <bob@work.example>', 'Lunch', 'Lunch on Thursday?', 10)} }
    - { id: sale, user_email: ${ME}, label_ids: [INBOX, UNREAD], raw: ${mail('Shop <news@shop.example>', 'Sale', 'Everything must go.', 11)} }
`;

let machine, browser, google, app;
before(async () => {
  machine = await Machine.start();
  await machine.openKeyring();
  browser = Browser.on(machine);
  google = await Google.start(machine, SEED);
  await machine.set('google.endpoint', google.url);
  // Approved mail is sent at once.
  await machine.set('hold_seconds', '0');
  app = await App.open(machine);
});
after(async () => {
  await app?.close();
  await google?.stop();
  await machine?.stop();
});

const scene = (name, body) => test(name, () => pictured(app, name, body));
const accounts = async () => (await machine.show('accounts')).filter(({ kind }) => kind === 'google');

scene('without a client id of its own the window says what to get', async () => {
  await app.go('settings/accounts');
  await app.click('Connect an account');
  await app.click('Google', 'input[type="radio"]');
  for (const what of ['Calendar', 'Mail', 'Tasks']) await app.choose(what, 'Read and change');
  await app.click('Continue in the browser');
  await app.sees('Adjutant has no client ID of its own at Google.');
});

scene('a client id that Google does not know: the browser says so, and the person corrects it', async () => {
  await app.write('Your own client ID', 'wrong');
  await app.click('Continue in the browser');
  await app.sees('Sign in to Google in the browser');
  await assert.rejects(browser.allow(await browser.opened(), ME), /invalid_client/);
  await app.shot('google-waiting');
  await app.click('Cancel');
  await app.sees('The sign-in was cancelled.');
  assert.deepEqual(await accounts(), []);
});

scene('what is refused in the browser connects nothing', async () => {
  await (await app.field('Your own client ID')).clear();
  await app.write('Your own client ID', google.client);
  await app.click('Continue in the browser');
  assert.match(await browser.refuse(await browser.opened()), /You were not signed in/);
  await app.sees('You did not allow it in the browser.');
  await app.shot('google-refused');
  assert.deepEqual(await accounts(), []);
});

scene('what is allowed is connected and read; what was left out is said', async () => {
  await app.click('Continue in the browser');
  assert.match(await browser.allow(await browser.opened(), ME, ['/contacts.readonly']), /Go back to Adjutant/);
  await app.button('Update now: me@home.example');
  await app.sees('Not allowed when you signed in: contacts');
  await app.sees('1 calendar, 1 mailbox, 1 task list');
  await app.shot('google-connected');
  const [account] = await accounts();
  assert.deepEqual([account.state, account.problem], ['ready', null]);
  await becomes(async () => (await machine.show('mail')).map(({ subject }) => subject).sort(), ['Lunch', 'Sale']);
  await becomes(async () => (await machine.show('tasks')).map(({ title }) => title), ['Water the ferns']);
});

scene('mail is sorted by keyboard, there as well as here, and taken back', async () => {
  await app.go('mail');
  await app.sees('Everything must go.');
  await app.press('g');
  await app.sees('Everything must go.');
  await app.press('e');
  await app.sees('Lunch on Thursday?');
  await becomes(async () => (await google.labels('Sale')).includes('INBOX'), false);
  await app.driver.actions().keyDown(Key.CONTROL).sendKeys('z').keyUp(Key.CONTROL).perform();
  await becomes(async () => (await google.labels('Sale')).includes('INBOX'), true);
  await app.shot('google-sorted');
});

scene('an answer is approved, and stands at the server once', async () => {
  await app.press('r');
  await app.write('Text', 'Thursday is fine.');
  await app.click('Send');
  await app.shot('google-card');
  await app.pressOnce('Approve');
  await eventually(async () => (await google.sent()).length > 0, 'the answer at the server');
  const [sent, ...more] = await google.sent();
  assert.deepEqual(more, []);
  assert.match(sent.to, /bob@work\.example/);
  assert.match(sent.subject, /Re: Lunch/);
  await app.shot('google-sent');
  await app.click('Close');
});

scene('a service that is not switched on stops nothing else, and says what to do', async () => {
  google.off = ['/tasks/'];
  await app.go('settings/accounts');
  await app.click('Update now: me@home.example');
  await app.sees('not switched on');
  await app.shot('google-service-off');
  google.off = [];
  await app.click('Update now: me@home.example');
  await becomes(async () => (await accounts())[0].problem, null);
});
