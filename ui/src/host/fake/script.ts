import type { Id } from '../wire';
import { listed, playList } from './answers';
import { approval, batchArgs, batchCard, mailArgs, mailCard, mailSources } from './cards';
import { finished, line, modelContext, result, routed, step } from './journal';
import type { World } from './world';

/** The model that answers. */
const MODEL = 'llama3.2:3b';
/** The pause between tokens, about as fast as people read. */
const TOKEN_MS = 24;

const whichAna = {
  text: 'Which Ana?',
  choices: [
    { label: 'Ana Ruiz', detail: 'ana.ruiz@northwind.example', value: 'c1' },
    { label: 'Ana Keller', detail: 'ana@keller-family.example', value: 'c2' },
  ],
};
const guests = 'with Dana Whitfield (dana@whitfield.example), Tom Baker (tom.baker@northwind.example)…';
const whichMeeting = {
  text: '57 events fit. Which event do you mean?',
  choices: [
    ['Gym with Peter', 'Wed 14 Jan, 07:00–08:00 · every week on Wed, until Thu 30 Apr 2026 · City Gym'],
    ['Daily standup', `Wed 14 Jan, 09:30–09:45 · every weekday · Room 3 · ${guests}`],
    ['Berlin sync', `Wed 14 Jan, 10:00–10:30 (16:00 in Berlin) · every week on Wed · Zoom · ${guests}`],
    ['Annual review of the Falcon programme with finance, legal and the people from Berlin', 'Wed 14 Jan, 13:00–14:00'],
    ['1:1 with Emily', `Thu 15 Jan, 14:00–14:30 · every week on Thu · Emily's office · ${guests}`],
    ['Sprint planning', `Mon 19 Jan, 10:00–11:00 · every 2 weeks on Mon · Room 5 · ${guests}`],
    ['Dentist', 'Tue 20 Jan, 16:00–16:45 · 12 Elm Street'],
    ['Board meeting', `Thu 22 Jan, 09:00–12:00 · Room 1 · ${guests}`],
  ].map(([label = '', detail = ''], at) => ({ label, detail, value: `e${at + 1}` })),
};

/** The requests closest to one that was not understood; `notUnderstood` is the engine's answer with them. */
const near = ['Move the lunch with Ana to Thursday at 13:00', 'What is on tomorrow?'];
const notUnderstood = `I did not understand that. You could say ${near.map((one) => `“${one}”`).join(' or ')}.`;
/** How the engine asks about an uncertain reading. */
const didYouMean = {
  text: 'Did you mean: Move the event (Lunch with Ana, to Thu 15 Jan, 13:00); Write the mail (to Ana Ruiz, lunch is on Thursday)?',
  choices: [{ label: 'Yes', value: 'e-lunch' }],
};

async function stream(world: World, conversation: Id, turn: Id, text: string): Promise<void> {
  for (const token of text.match(/\S+\s*/g) ?? []) {
    await world.pause(TOKEN_MS);
    world.say(conversation, turn, { event: 'token', text: token });
  }
}

/**
 * Plays one scripted turn. A word in the message chooses it: unread, doubt, research, remind, mail, delete, which,
 * slow, fail, and others; anything else is answered.
 */
export async function play(world: World, conversation: Id, turn: Id, text: string, insteadOf?: Id): Promise<void> {
  const say = (said: Parameters<World['say']>[2]) => world.say(conversation, turn, said);
  say({ event: 'turn_started', text, ...(insteadOf === undefined ? {} : { instead_of: insteadOf }) });
  await world.pause(60);
  const list = listed(text);
  if (list) playList(world, conversation, turn, list);
  else if (/unread/i.test(text)) {
    say(routed('action', ['calendar']));
    await stream(world, conversation, turn, notUnderstood);
    say({ ...finished(notUnderstood, [], 6), near });
  } else if (/doubt/i.test(text)) {
    const id = world.fresh('q');
    say(routed('action', ['calendar']));
    say({
      event: 'plan',
      id: turn,
      request: text,
      steps: [step('move', 'Move the lunch with Ana', 'calendar.update')],
    });
    say({ event: 'question', id, step: 'move', ...didYouMean });
    const answer = `${didYouMean.text}\n\n1. Yes`;
    say({ event: 'token', text: answer });
    const results = [line('move', 'calendar.update', answer, 'needs_answer')];
    say({ event: 'waiting', answer, approvals: [], questions: [id], results });
  } else if (/^research/i.test(text)) {
    say(routed('action', ['research']));
    say({ event: 'plan', id: turn, request: text, steps: [step('look', 'Research heat pumps', 'research.start')] });
    say({ event: 'tool_call', step: 'look', tool: 'research.start', args: {} });
    const said = 'The research “heat pumps” has started and runs by itself: see Research.';
    const output = { run: 'r-pump', job: 'job-pump', objective: 'heat pumps' };
    say({ ...result('look', said), result: { output, say: said } });
    say(finished(said, ['research.start'], 9, [line('look', 'research.start', said)]));
  } else if (/remind/i.test(text)) {
    say(routed('action', ['task']));
    say({
      event: 'plan',
      id: turn,
      request: 'Remind you to call the bank, Wed 14 Jan, 09:00.',
      steps: [step('remind', 'Set the reminder', 'task.create')],
    });
    say({ event: 'tool_call', step: 'remind', tool: 'task.create', args: {} });
    const said = 'Reminder “Call the bank”, Wed 14 Jan, 09:00';
    const { receipt } = world.create('task.create', { title: 'Call the bank', due: '2026-01-14T09:00:00-05:00' }, said);
    say({ ...result('remind', said), receipt });
    // As in the engine, the answer is the text of the receipt.
    say(finished(said, ['task.create'], 8, [line('remind', 'task.create', said)]));
  } else if (/mail|delete/i.test(text)) {
    const mail = /mail/i.test(text);
    const tool = mail ? 'email.send' : 'task.delete';
    say(routed('action', [mail ? 'email' : 'task']));
    say({
      event: 'plan',
      id: turn,
      request: text,
      steps: [step('do', mail ? 'Answer Hannah' : 'Delete old tasks', tool)],
    });
    const made = approval(world.fresh('a'), tool, mail ? mailCard : batchCard, world.now(), {
      conversation,
      turn,
      args: mail ? mailArgs : batchArgs,
      sources: mail ? mailSources : {},
    });
    world.ask(made);
    const answer = mail ? 'The reply is ready. Nothing has been sent.' : 'Nothing is deleted yet.';
    say({ event: 'waiting', answer, approvals: [made.id], questions: [], results: [line('do', tool, '', 'waiting')] });
  } else if (/which|ana\b|cancel/i.test(text)) {
    const asked = /cancel/i.test(text) ? whichMeeting : whichAna;
    const id = world.fresh('q');
    say({ event: 'question', id, step: 'ask', ...asked });
    // As in the engine, the answer includes the choices, for front ends without buttons.
    const lines = asked.choices.map(({ label, detail }, at) => `${at + 1}. ${[label, detail ?? []].flat().join(', ')}`);
    const answer = `${asked.text}\n\n${lines.join('\n')}`;
    say({ event: 'token', text: answer });
    const results = [line('ask', 'calendar.delete', answer, 'needs_answer')];
    say({ event: 'waiting', answer, approvals: [], questions: [id], results });
  } else if (/explain/i.test(text)) {
    say({ event: 'routed', type: 'chat', domains: [], is_followup: false, confidence: 0.91, by: MODEL });
    say({ event: 'context', sections: modelContext });
    say({ event: 'status', text: 'Asking gpt-large' });
    await world.pause(200);
    // The first model fails half way; the next one starts again.
    await stream(world, conversation, turn, 'The lease **ends on the');
    for (const thought of [
      'The person asks about the lease. ',
      'Two years from 1 March ',
      'is until 28 February 2028.',
    ]) {
      await world.pause(60);
      say({ event: 'thinking', text: thought });
    }
    say({ event: 'token', text: 'The lease ', restart: true });
    const answer =
      'The lease **ends on 28 February 2028**:\n\n| what | when |\n| --- | --- |\n| begins | 1 March 2026 |\n| ends | 28 February 2028 |\n\nRenewing takes `six weeks`.';
    await stream(world, conversation, turn, answer.slice('The lease '.length));
    const end = finished(answer, [], 2140);
    say({ ...end, usage: { input: 1240, output: 86, cost_micros: 2130 } } as typeof end);
  } else if (/slow/i.test(text)) {
    say({ event: 'status', text: 'Reading 4,000 messages' });
    await world.pause(15_000);
    say(finished('Nothing about that in your mail.', ['email.search'], 15_000));
  } else if (/fail/i.test(text)) {
    await world.pause(300);
    say({
      event: 'error',
      code: 'broken',
      message: 'The mail archive could not be read.',
      hint: 'Open Settings, Check and look what is missing.',
    });
  } else {
    say(routed('chat', []));
    say({ event: 'status', text: 'Looking at your calendar' });
    await world.pause(500);
    const answer =
      'You have **four things** left today:\n\n- 10:00 Pricing review, one hour\n- 11:30 Dentist, leave at 11:15\n- 13:00 Lunch with Ana\n- 16:00 Board pre-read\n\nThere is a free stretch from 13:30 to 16:00.';
    await stream(world, conversation, turn, answer);
    say(finished(answer, ['calendar.list'], 46, [], ['m-raj']));
  }
}
