// Research in the real window: on the person's own documents with nothing connected, from the request to the report,
// with a kill in between.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { App, pictured } from '../lib/app.mjs';
import { Machine } from '../lib/machine.mjs';
import { becomes } from '../lib/wait.mjs';

const DOCUMENTS = {
  'lease.md':
    '# Lease\n\nThe landlord heats the flat to at least 20 degrees between October and April.\n\nThe tenant pays 70 percent of the heating costs by use.\n',
  'minutes.txt': 'Minutes of March 2025\n\nThe meeting decided to replace the oil boiler with a heat pump in 2026.\n',
  'offer.html':
    '<html><head><title>Offer</title></head><body><main><p>Kelso Heating offers a heat pump with 11 kilowatts for 18,400 euro, installation included.</p></main></body></html>',
};
const QUESTION = 'What does the lease say about heating costs?';

let machine, app;
before(async () => {
  machine = await Machine.start();
  const folder = join(machine.home, 'House');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(DOCUMENTS)) writeFileSync(join(folder, name), text);
  await machine.set('folders', folder);
  app = await App.open(machine);
});
after(async () => {
  await app?.close();
  await machine?.stop();
});

const scene = (name, body) => test(name, () => pictured(app, name, body));

scene('it asks for what is missing, and reports on own documents with nothing connected', async () => {
  await app.go('research');
  await app.sees('nothing has to be connected');
  await app.shot('research-empty');
  await app.write('What do you want to find out?', QUESTION);
  await app.click('Start');
  await app.sees('What is it for');
  await app.shot('research-asks');
  await app.click('1 To decide something');
  await app.sees('What would a good result look like?');
  await app.click('1 A short answer with its sources');
  await app.sees('Start the research like this?');
  await app.shot('research-plan');
  await app.click('1 Yes');
  await app.sees('The tenant pays 70 percent of the heating costs by use.');
  await becomes(async () => (await machine.show('research')).map(({ state }) => state).join(), 'done');
  await app.shot('research-report');
});

scene('a claim leads to its words in the stored page, by keys alone', async () => {
  await app.press('p');
  await app.sees('Found in the stored copy, word for word');
  await app.shot('research-quote');
  await app.click('Read it as it was');
  await app.sees('As it was read');
  await app.shot('research-page');
  await app.click('Close');
});

scene('a report is there after a power cut', async () => {
  await app.kill();
  app = await App.open(machine);
  await app.go('research');
  await app.sees(QUESTION);
  const [run] = await machine.show('research');
  assert.equal(run.state, 'done');
});
