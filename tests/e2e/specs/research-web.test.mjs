// Research on the web in the real window, with a model and a search engine: stopped in the middle, the computer
// switched off, resumed, and finished behind a closed window.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { App, pictured } from '../lib/app.mjs';
import { Machine } from '../lib/machine.mjs';
import { ModelServer } from '../lib/model.mjs';
import { SearchServer } from '../lib/search.mjs';
import { becomes, eventually } from '../lib/wait.mjs';

const PAGES = {
  '/lamp': {
    title: 'The Harbour Lamp',
    text: 'The Harbour Lamp is a 1951 film directed by Odile Marchetti. It was shot in the port of Ancona within three weeks.',
  },
  '/odile': {
    title: 'Odile Marchetti',
    text: 'Odile Marchetti (4 March 1911 – 9 May 1990) was an Italian film director. She was born in Trieste to a family of pilots.',
  },
};
const OBJECTIVE = 'Who directed the film The Harbour Lamp?';
const ANSWER = 'Odile Marchetti directed The Harbour Lamp.';
const DETAILS = ['director', 'film', 'port', '1951', 'Ancona', 'Marchetti', 'Trieste', 'pilots'];

let machine, app, model, search;
before(async () => {
  machine = await Machine.start();
  model = await ModelServer.start();
  search = await SearchServer.start(PAGES);
  model.replies = replies();
  Object.assign(machine.env, { ADJUTANT_MODEL_URL: model.url, ADJUTANT_MODEL: 'tiny' });
  await machine.set('web.search.engine', 'searxng');
  await machine.set('web.searxng.url', search.url);
  for (const key of ['desktop.quiet_from', 'desktop.quiet_to']) await machine.set(key, '00:00');
  app = await App.open(machine);
});
after(async () => {
  await app?.close();
  await search?.stop();
  await model?.stop();
  await machine?.stop();
});

/** A model that asks one question in its own words, researches one question, and writes a report with its quote. */
function replies() {
  const claim = () => ({
    text: ANSWER,
    quote: 'The Harbour Lamp is a 1951 film directed by Odile Marchetti.',
    source: `${search.url}/lamp`,
  });
  let searches = 0;
  return {
    intake: () => ({ objective: OBJECTIVE, why: '', criteria: [], ask: 'Is it for a talk?', choices: ['For a talk', 'Out of curiosity'] }),
    kickoff: () => ({
      strategy: 'First the film itself.',
      questions: [{ name: 'Director', question: OBJECTIVE, goal: 'a page that says it' }],
    }),
    search: () => ({ query: `The Harbour Lamp ${DETAILS[searches++ % DETAILS.length]}` }),
    reflect: () => ({ thought: 'The Harbour Lamp page names the director.', delta: 'progress', done: true }),
    document: () => ({
      answer: ANSWER,
      key_findings: [claim()],
      limitations: '',
      confidence: 'high',
      recommendation: 'promising',
    }),
    evaluate: () => ({ action: 'synthesize', reasoning: 'The director is known.', questions: [] }),
    synthesise: () => ({ answer: 'Odile Marchetti', summary: ANSWER, claims: [claim()], limitations: [] }),
  };
}

const scene = (name, body) => test(name, () => pictured(app, name, body));
const state = async () => (await machine.show('research')).map((run) => run.state).join();

scene('it asks what the model proposes, and searches where the person said', async () => {
  await app.go('research');
  await app.write('What do you want to find out?', OBJECTIVE);
  await app.click('Start');
  await app.sees('Is it for a talk?');
  await app.shot('research-web-asks');
  await app.click('1 For a talk');
  await app.click('1 A short answer with its sources');
  await app.sees('Start the research like this?');
  search.holdAfter(2);
  await app.click('1 Yes');
});

scene('it is stopped in the middle', async () => {
  await eventually(() => search.queries.length === 3, 'a search that is not answered');
  await app.shot('research-web-running');
  await app.click('Stop');
  await becomes(state, 'stopped');
  await app.sees('Go on');
  await app.shot('research-web-stopped');
});

scene('it goes on after a power cut, and a notification says that its report is there', async () => {
  await app.kill();
  app = await App.open(machine);
  const [{ id }] = await machine.show('research');
  await app.go(`research/${id}`);
  await app.click('Go on');
  await becomes(state, 'running');
  const [window] = await machine.shows('Adjutant');
  await machine.closeWindow(window);
  await machine.shows('Adjutant', 0);
  search.goOn();
  const note = await machine.notification(({ title }) => title === 'A research report is there', 'about the report');
  assert.equal(note.body, OBJECTIVE);
  machine.click(note);
  await machine.shows('Adjutant');
  await app.sees(ANSWER);
  await app.sees('Written by a model');
  await app.shot('research-web-report');
  assert.equal(new Set(search.queries).size, search.queries.length, `no query is repeated: ${search.queries}`);
});
