// A model in the real window: connected by hand, tested, asked. A reload in the middle of its answer loses nothing.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { App, Key, pictured } from '../lib/app.mjs';
import { Machine } from '../lib/machine.mjs';
import { ModelServer } from '../lib/model.mjs';
import { becomes, eventually } from '../lib/wait.mjs';

let machine, app, model;
before(async () => {
  machine = await Machine.start();
  model = await ModelServer.start();
  app = await App.open(machine);
});
after(async () => {
  await app?.close();
  await model?.stop();
  await machine?.stop();
});

const scene = (name, body) => test(name, () => pictured(app, name, body));

scene('a model is connected in Settings, and the test says what works', async () => {
  await app.go('settings/models');
  await app.click('Connect a model');
  await app.choose('Provider', 'OpenAI-compatible');
  await app.write('Address', model.url);
  await app.write('Name', 'Lab');
  // Once its address is known, the server is asked for its models, and the model is filled in.
  await app.sees('1 model');
  await app.write('Name', Key.ENTER);
  await app.sees('Asked first: Lab/tiny.');
  await app.click('Test: Lab');
  await app.sees('Fills in forms');
  assert.deepEqual([...new Set(model.asked)], ['probe']);
  await app.shot('connected');
});

scene('an open question goes to it, and its answer stands in the window', async () => {
  model.asked = [];
  await app.go('chat/main');
  await app.ask('Why is the sky blue?');
  await app.sees('scattered the most.');
  await app.sees('Answered by a model');
  assert.deepEqual(model.asked, ['respond']);
  await app.shot('answered');
});

scene('a reload in the middle of an answer loses nothing', async () => {
  model.asked = [];
  model.hold();
  await app.write('Message Adjutant', 'And why is the evening sky red?', Key.ENTER);
  await eventually(async () => model.asked.length === 1, 'the model is asked');
  await app.reload();
  model.goOn();
  // The window shows both answers.
  await becomes(
    () => app.driver.executeScript("return document.body.innerText.split('scattered the most.').length - 1"),
    2,
  );
  assert.deepEqual(model.asked, ['respond'], 'it was asked once');
});

scene('what the embedded engine reads is not sent', async () => {
  model.asked = [];
  await app.ask('Add a task to water the plants');
  await eventually(async () => (await machine.show('tasks')).length === 1, 'the task is stored');
  assert.deepEqual(model.asked, []);
});
